//! Sorting the suffixes of a text in linear time, by induction (SA-IS).
//!
//! A suffix is of type S if it is less than the one that begins one further on, else of type L; one
//! of type S behind one of type L is an LMS suffix. Sorted LMS suffixes tell the order of all: a
//! pass from the left finds the place of those of type L, a pass from the right of those of type S.
//! The LMS suffixes are sorted by numbering the pieces between them, which one such pair of passes
//! puts in order, and by sorting the suffixes of the text of these numbers.
//!
//! Nong, Zhang, Chan: Linear Suffix Array Construction by Almost Pure Induced-Sorting (2009).

/// An index in the text, or none.
pub(super) trait Index: Copy + PartialEq {
    const NONE: Self;
    fn of(i: usize) -> Self;
    fn at(self) -> usize;
}

impl Index for i32 {
    const NONE: i32 = -1;
    fn of(i: usize) -> i32 {
        i as i32
    }
    fn at(self) -> usize {
        self as usize
    }
}

/// A letter of a text.
trait Letter: Copy + Ord {
    fn rank(self) -> usize;
}

impl Letter for u8 {
    fn rank(self) -> usize {
        usize::from(self)
    }
}

/// Numbers of pieces are letters, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Number(usize);

impl Letter for Number {
    fn rank(self) -> usize {
        self.0
    }
}

/// Puts into `sa`, which is as long as `text`, where its suffixes begin, in their order.
pub(super) fn sort<I: Index>(text: &[u8], sa: &mut [I]) {
    sort_letters(text, 256, sa);
}

/// Which suffixes are of type S, as bits.
struct Types(Vec<u64>);

impl Types {
    fn of<L: Letter>(text: &[L]) -> Types {
        let mut types = Types(vec![0; text.len().div_ceil(64)]);
        let mut is_s = false;
        for i in (0..text.len().saturating_sub(1)).rev() {
            is_s = text[i] < text[i + 1] || text[i] == text[i + 1] && is_s;
            types.0[i / 64] |= u64::from(is_s) << (i % 64);
        }
        types
    }

    fn is_s(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    fn is_lms(&self, i: usize) -> bool {
        i > 0 && self.is_s(i) && !self.is_s(i - 1)
    }
}

/// Where the suffixes that begin with each letter end in the array.
fn ends<L: Letter>(text: &[L], letters: usize) -> Vec<usize> {
    let mut ends = vec![0; letters];
    for l in text {
        ends[l.rank()] += 1;
    }
    let mut sum = 0;
    for e in &mut ends {
        sum += *e;
        *e = sum;
    }
    ends
}

fn sort_letters<L: Letter, I: Index>(text: &[L], letters: usize, sa: &mut [I]) {
    let n = text.len();
    if n < 2 {
        sa.fill(I::of(0));
        return;
    }
    let types = Types::of(text);
    let ends = ends(text, letters);
    // The pieces in order, by LMS suffixes in any order.
    sa.fill(I::NONE);
    let mut next = ends.clone();
    for i in (1..n).filter(|i| types.is_lms(*i)) {
        let end = &mut next[text[i].rank()];
        *end -= 1;
        sa[*end] = I::of(i);
    }
    induce(text, &types, &ends, sa);
    let lms: Vec<I> = (1..n).filter(|i| types.is_lms(*i)).map(I::of).collect();
    if lms.is_empty() {
        return;
    }
    // Their numbers: equal pieces get the same one. No two LMS suffixes are neighbours, so that
    // half of where they begin tells them apart.
    let sorted: Vec<I> = sa
        .iter()
        .copied()
        .filter(|i| types.is_lms(i.at()))
        .collect();
    let mut numbers = vec![I::NONE; n / 2 + 1];
    let mut number = 0;
    for (k, i) in sorted.iter().enumerate() {
        let is_new = k > 0 && !is_same_piece(text, &types, sorted[k - 1].at(), i.at());
        number += usize::from(is_new);
        numbers[i.at() / 2] = I::of(number);
    }
    let order = if number + 1 == lms.len() {
        sorted
    } else {
        drop(sorted);
        let reduced: Vec<Number> = lms
            .iter()
            .map(|i| Number(numbers[i.at() / 2].at()))
            .collect();
        drop(numbers);
        let mut order = vec![I::NONE; lms.len()];
        sort_letters(&reduced, number + 1, &mut order);
        order.iter_mut().for_each(|k| *k = lms[k.at()]);
        order
    };
    // All suffixes, by LMS suffixes in their order.
    sa.fill(I::NONE);
    let mut next = ends.clone();
    for i in order.iter().rev() {
        let end = &mut next[text[i.at()].rank()];
        *end -= 1;
        sa[*end] = *i;
    }
    induce(text, &types, &ends, sa);
}

/// Whether the pieces from `a` and `b` to the next LMS suffix are equal, in letters and types.
fn is_same_piece<L: Letter>(text: &[L], types: &Types, a: usize, b: usize) -> bool {
    let n = text.len();
    for k in 0.. {
        if a + k == n || b + k == n {
            return false;
        }
        if text[a + k] != text[b + k] || types.is_s(a + k) != types.is_s(b + k) {
            return false;
        }
        if k > 0 && (types.is_lms(a + k) || types.is_lms(b + k)) {
            return types.is_lms(a + k) && types.is_lms(b + k);
        }
    }
    false
}

/// Places the suffixes of type L, then those of type S, by the LMS suffixes in `sa`.
fn induce<L: Letter, I: Index>(text: &[L], types: &Types, ends: &[usize], sa: &mut [I]) {
    let n = text.len();
    let start = |l: usize| if l == 0 { 0 } else { ends[l - 1] };
    let mut next: Vec<usize> = (0..ends.len()).map(start).collect();
    let mut place = |sa: &mut [I], i: usize| {
        let at = &mut next[text[i].rank()];
        sa[*at] = I::of(i);
        *at += 1;
    };
    // The empty suffix is before all others.
    place(sa, n - 1);
    for k in 0..n {
        if sa[k] != I::NONE && sa[k].at() > 0 && !types.is_s(sa[k].at() - 1) {
            place(sa, sa[k].at() - 1);
        }
    }
    let mut next = ends.to_vec();
    for k in (0..n).rev() {
        if sa[k] != I::NONE && sa[k].at() > 0 && types.is_s(sa[k].at() - 1) {
            let i = sa[k].at() - 1;
            let at = &mut next[text[i].rank()];
            *at -= 1;
            sa[*at] = I::of(i);
        }
    }
}

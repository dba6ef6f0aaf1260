//! Vectors of words, lowest word first: sums, differences, shifts, products with a word and
//! quotients by one.
//!
//! What is written is made of cells, since operands may be the same memory in a Go program. Loops
//! go from the lowest word up ([`shl`] from the highest down), and read a word of each operand
//! before they write the one in its place. All vectors of a call are as long as the result.
//!
//! Go: math/big/arith.go.

use std::cell::Cell;

/// A word that is only read, or one that others may write.
pub(super) trait Word {
    fn get(&self) -> u64;
}

impl Word for u64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        *self
    }
}

impl Word for Cell<u64> {
    #[inline(always)]
    fn get(&self) -> u64 {
        Cell::get(self)
    }
}

/// Words that nobody else sees.
#[inline(always)]
pub(super) fn cells(z: &mut [u64]) -> &[Cell<u64>] {
    Cell::from_mut(z).as_slice_of_cells()
}

/// Without the zeros at its upper end.
#[inline]
pub(super) fn norm(x: &[u64]) -> &[u64] {
    let n = x.iter().rposition(|w| *w != 0).map_or(0, |i| i + 1);
    &x[..n]
}

/// Cuts the zeros at its upper end off.
pub(super) fn trim(x: &mut Vec<u64>) {
    x.truncate(norm(x).len());
}

/// How normalised numbers compare.
pub(super) fn cmp(x: &[u64], y: &[u64]) -> std::cmp::Ordering {
    x.len()
        .cmp(&y.len())
        .then_with(|| x.iter().rev().cmp(y.iter().rev()))
}

/// How many bits a normalised number has.
pub(super) fn bit_len(x: &[u64]) -> usize {
    x.last()
        .map_or(0, |top| 64 * x.len() - top.leading_zeros() as usize)
}

/// Zeros below the lowest bit that is set.
pub(super) fn trailing_zeros(x: &[u64]) -> usize {
    let i = x.iter().position(|w| *w != 0);
    i.map_or(0, |i| 64 * i + x[i].trailing_zeros() as usize)
}

/// Loops over vectors four words at a time.
macro_rules! each {
    (($z:ident $(, $x:ident)*) $body:block) => {{
        let n = $z.len();
        let (head, tail) = $z.as_chunks::<4>();
        $( let $x = $x[..n].as_chunks::<4>(); )*
        for i in 0..head.len() {
            let $z = &head[i];
            $( let $x = &$x.0[i]; )*
            each!(@one 0 ($z $(, $x)*) $body);
            each!(@one 1 ($z $(, $x)*) $body);
            each!(@one 2 ($z $(, $x)*) $body);
            each!(@one 3 ($z $(, $x)*) $body);
        }
        for i in 0..tail.len() {
            let $z = &tail[i];
            $( let $x = $x.1[i].get(); )*
            $body
        }
    }};
    (@one $i:literal ($z:ident $(, $x:ident)*) $body:block) => {{
        let $z = &$z[$i];
        $( let $x = $x[$i].get(); )*
        $body
    }};
}

/// z = x + y; gives the carry.
#[inline]
pub(super) fn add(z: &[Cell<u64>], x: &[impl Word], y: &[impl Word]) -> u64 {
    let mut carry = false;
    each!((z, x, y) {
        let (sum, c) = x.carrying_add(y, carry);
        z.set(sum);
        carry = c;
    });
    u64::from(carry)
}

/// z = x - y; gives the borrow.
#[inline]
pub(super) fn sub(z: &[Cell<u64>], x: &[impl Word], y: &[impl Word]) -> u64 {
    let mut borrow = false;
    each!((z, x, y) {
        let (difference, b) = x.borrowing_sub(y, borrow);
        z.set(difference);
        borrow = b;
    });
    u64::from(borrow)
}

/// z = x + w; gives the carry.
#[inline]
pub(super) fn add_word(z: &[Cell<u64>], x: &[impl Word], w: u64) -> u64 {
    let mut carry = w;
    for (z, x) in z.iter().zip(x) {
        let (sum, c) = x.get().overflowing_add(carry);
        z.set(sum);
        carry = u64::from(c);
    }
    carry
}

/// z = x - w; gives the borrow.
#[inline]
pub(super) fn sub_word(z: &[Cell<u64>], x: &[impl Word], w: u64) -> u64 {
    let mut borrow = w;
    for (z, x) in z.iter().zip(x) {
        let (difference, b) = x.get().overflowing_sub(borrow);
        z.set(difference);
        borrow = u64::from(b);
    }
    borrow
}

/// z = x·y + r; gives the word above.
#[inline]
pub(super) fn mul_word(z: &[Cell<u64>], x: &[impl Word], y: u64, r: u64) -> u64 {
    let mut carry = r;
    each!((z, x) {
        let (low, high) = x.carrying_mul(y, carry);
        z.set(low);
        carry = high;
    });
    carry
}

/// z += x·y; gives the word above.
#[inline]
pub(super) fn add_mul(z: &[Cell<u64>], x: &[impl Word], y: u64) -> u64 {
    let mut carry = 0;
    each!((z, x) {
        let (low, high) = x.carrying_mul_add(y, z.get(), carry);
        z.set(low);
        carry = high;
    });
    carry
}

/// z -= x·y; gives what is missing above.
#[inline]
pub(super) fn sub_mul(z: &[Cell<u64>], x: &[impl Word], y: u64) -> u64 {
    let mut carry = 0;
    each!((z, x) {
        let (low, high) = x.carrying_mul(y, carry);
        let (difference, b) = z.get().overflowing_sub(low);
        z.set(difference);
        carry = high + u64::from(b);
    });
    carry
}

/// z = x << s with 0 < s < 64, from the highest word down; gives the bits that fall out.
#[inline]
pub(super) fn shl(z: &[Cell<u64>], x: &[impl Word], s: u32) -> u64 {
    let Some(mut high) = x.last().map(Word::get) else {
        return 0;
    };
    let out = high >> (64 - s);
    for i in (1..z.len()).rev() {
        let low = x[i - 1].get();
        z[i].set(high << s | low >> (64 - s));
        high = low;
    }
    z[0].set(high << s);
    out
}

/// z = x >> s with 0 < s < 64.
#[inline]
pub(super) fn shr(z: &[Cell<u64>], x: &[impl Word], s: u32) {
    let Some(mut low) = x.first().map(Word::get) else {
        return;
    };
    let n = z.len();
    for i in 0..n - 1 {
        let high = x[i + 1].get();
        z[i].set(low >> s | high << (64 - s));
        low = high;
    }
    z[n - 1].set(low >> s);
}

/// z += x, where z is at least as long; gives the carry out of z.
pub(super) fn add_to(z: &mut [u64], x: &[u64]) -> u64 {
    let (low, high) = z.split_at_mut(x.len());
    let low = cells(low);
    let carry = add(low, low, x);
    increment(high, carry)
}

/// z -= x, where z is at least as long; gives the borrow out of z.
pub(super) fn sub_from(z: &mut [u64], x: &[u64]) -> u64 {
    let (low, high) = z.split_at_mut(x.len());
    let low = cells(low);
    let borrow = sub(low, low, x);
    decrement(high, borrow)
}

/// z += w
pub(super) fn increment(z: &mut [u64], w: u64) -> u64 {
    let mut carry = w;
    for z in z {
        if carry == 0 {
            break;
        }
        let (sum, c) = z.overflowing_add(carry);
        *z = sum;
        carry = u64::from(c);
    }
    carry
}

/// z -= w
pub(super) fn decrement(z: &mut [u64], w: u64) -> u64 {
    let mut borrow = w;
    for z in z {
        if borrow == 0 {
            break;
        }
        let (difference, b) = z.overflowing_sub(borrow);
        *z = difference;
        borrow = u64::from(b);
    }
    borrow
}

/// x << s, normalised.
pub(super) fn shifted_left(x: &[u64], s: usize) -> Vec<u64> {
    if x.is_empty() {
        return Vec::new();
    }
    let (words, bits) = (s / 64, (s % 64) as u32);
    let mut z = vec![0; words];
    z.extend_from_slice(x);
    if bits > 0 {
        let top = cells(&mut z[words..]);
        let out = shl(top, x, bits);
        if out != 0 {
            z.push(out);
        }
    }
    z
}

/// x >> s, normalised.
pub(super) fn shifted_right(x: &[u64], s: usize) -> Vec<u64> {
    let (words, bits) = (s / 64, (s % 64) as u32);
    if words >= x.len() {
        return Vec::new();
    }
    let mut z = x[words..].to_vec();
    if bits > 0 {
        shr(cells(&mut z), &x[words..], bits);
    }
    trim(&mut z);
    z
}

/// Divides two words by one whose highest bit is set, by multiplying with a reciprocal
/// (N. Möller, T. Granlund, "Improved division by invariant integers").
#[derive(Clone, Copy)]
pub(super) struct Divisor {
    pub(super) d: u64,
    reciprocal: u64,
}

impl Divisor {
    pub(super) fn new(d: u64) -> Divisor {
        let all = u128::from(!d) << 64 | u128::from(u64::MAX);
        Divisor {
            d,
            reciprocal: (all / u128::from(d)) as u64,
        }
    }

    /// Quotient and remainder of `high:low`, where `high` is below the divisor.
    #[inline(always)]
    pub(super) fn divide(self, high: u64, low: u64) -> (u64, u64) {
        let product = u128::from(self.reciprocal) * u128::from(high);
        let sum = product + (u128::from(high) << 64 | u128::from(low));
        let mut q = ((sum >> 64) as u64).wrapping_add(1);
        let mut r = low.wrapping_sub(q.wrapping_mul(self.d));
        if r > sum as u64 {
            q = q.wrapping_sub(1);
            r = r.wrapping_add(self.d);
        }
        if r >= self.d {
            q = q.wrapping_add(1);
            r -= self.d;
        }
        (q, r)
    }
}

/// z = x / y, from the highest word down; gives the remainder. y is not 0.
pub(super) fn div_word(z: &[Cell<u64>], x: &[impl Word], y: u64) -> u64 {
    let n = z.len();
    if n == 1 {
        let word = x[0].get();
        z[0].set(word / y);
        return word % y;
    }
    let s = y.leading_zeros();
    let divisor = Divisor::new(y << s);
    let mut r = 0;
    if s == 0 {
        for i in (0..n).rev() {
            let (q, rest) = divisor.divide(r, x[i].get());
            z[i].set(q);
            r = rest;
        }
        return r;
    }
    let Some(mut word) = x[..n].last().map(Word::get) else {
        return 0;
    };
    r = word >> (64 - s);
    for i in (0..n).rev() {
        let below = if i > 0 { x[i - 1].get() } else { 0 };
        let (q, rest) = divisor.divide(r, word << s | below >> (64 - s));
        z[i].set(q);
        r = rest;
        word = below;
    }
    r >> s
}

/// x mod y. y is not 0.
pub(super) fn mod_word(x: &[u64], y: u64) -> u64 {
    let s = y.leading_zeros();
    let divisor = Divisor::new(y << s);
    // With the divisor 2^s times as great, so is the remainder.
    let step = |r, word: u64| match s {
        0 => divisor.divide(r, word).1,
        // The remainder so far is below y, so that this fits.
        _ => divisor.divide((r << s) | (word >> (64 - s)), word << s).1 >> s,
    };
    x.iter().rev().fold(0, |r, word| step(r, *word))
}

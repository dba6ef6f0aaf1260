//! Quotients and remainders: word by word for short divisors (D. Knuth, 4.3.1, D), by halves for
//! long ones (C. Burnikel, J. Ziegler, "Fast recursive division").
//!
//! Go: math/big/natdiv.go.

use super::arith::{
    Divisor, add, add_to, cells, cmp, decrement, div_word, norm, shl, shr, sub_from, sub_mul, trim,
};
use super::mul::{multiply, product};
use std::cmp::Ordering;

/// From so many words of divisor and quotient on halving is worth it.
const BY_HALVES: usize = 64;

/// Quotient and remainder of normalised numbers. v is not 0.
pub(super) fn divide(u: &[u64], v: &[u64]) -> (Vec<u64>, Vec<u64>) {
    if cmp(u, v) == Ordering::Less {
        return (Vec::new(), u.to_vec());
    }
    let n = v.len();
    if n == 1 {
        let mut q = vec![0; u.len()];
        let r = div_word(cells(&mut q), u, v[0]);
        trim(&mut q);
        return (q, if r == 0 { Vec::new() } else { vec![r] });
    }
    let mut q = vec![0; u.len() - n + 1];
    let mut rest = vec![0; u.len() + 1];
    divide_into(&mut q, &mut rest, u, v);
    trim(&mut rest);
    trim(&mut q);
    (q, rest)
}

/// q = u / v, and `rest` is the remainder, for v of at least two words and u no shorter.
/// The quotient has a word for each that u is longer, and one more; `rest` has one more than u.
pub(super) fn divide_into(q: &mut [u64], rest: &mut [u64], u: &[u64], v: &[u64]) {
    let (m, n) = (u.len(), v.len());
    let s = v[n - 1].leading_zeros();
    let mut shifted = Vec::new();
    let v = if s == 0 {
        rest[..m].copy_from_slice(u);
        rest[m] = 0;
        v
    } else {
        shifted.resize(n, 0);
        shl(cells(&mut shifted), v, s);
        rest[m] = shl(cells(&mut rest[..m]), u, s);
        &shifted[..]
    };
    if n < BY_HALVES || q.len() < BY_HALVES {
        by_words(q, rest, v);
    } else {
        by_blocks(q, rest, v);
    }
    if s > 0 {
        let rest = cells(&mut rest[..n]);
        shr(rest, rest, s);
    }
}

/// u mod v
pub(super) fn remainder(u: &[u64], v: &[u64]) -> Vec<u64> {
    divide(u, v).1
}

/// q = u / v, and u becomes the remainder. v has its highest bit set and at least two words; u has
/// as many words as both others, and its upper words are less than v.
fn by_words(q: &mut [u64], u: &mut [u64], v: &[u64]) {
    let n = v.len();
    let divisor = Divisor::new(v[n - 1]);
    for j in (0..q.len()).rev() {
        let (top, next) = (u[j + n], u[j + n - 1]);
        let mut guess = u64::MAX;
        if top < divisor.d {
            let (mut g, mut r) = divisor.divide(top, next);
            // The second words say whether the guess is too great by one or two.
            while u128::from(g) * u128::from(v[n - 2])
                > (u128::from(r) << 64 | u128::from(u[j + n - 2]))
            {
                g -= 1;
                let (sum, over) = r.overflowing_add(divisor.d);
                r = sum;
                if over {
                    break;
                }
            }
            guess = g;
        }
        let part = &mut u[j..j + n];
        let missing = sub_mul(cells(part), v, guess);
        if missing > top {
            let part = cells(part);
            add(part, part, v);
            guess -= 1;
        }
        u[j + n] = 0;
        q[j] = guess;
    }
}

/// As [`by_words`], in blocks of as many words of quotient as the divisor has.
fn by_blocks(q: &mut [u64], u: &mut [u64], v: &[u64]) {
    let n = v.len();
    let mut scratch = vec![0; 2 * n];
    let mut end = q.len();
    while end > 0 {
        // The first block takes what is left over.
        let block = match end % n {
            0 => n,
            rest => rest,
        };
        let begin = end - block;
        let u = &mut u[begin..end + n];
        wide_by_narrow(&mut q[begin..end], u, v, &mut scratch);
        end = begin;
    }
}

/// A block: its quotient has no more words than the divisor.
fn wide_by_narrow(q: &mut [u64], u: &mut [u64], v: &[u64], scratch: &mut [u64]) {
    let (k, n) = (q.len(), v.len());
    debug_assert!(k <= n && u.len() == k + n);
    if k < BY_HALVES {
        return by_words(q, u, v);
    }
    if k == n {
        // Two quotients of half the length, each of three halves by two.
        let h = k / 2;
        let (low, high) = q.split_at_mut(h);
        three_by_two(high, &mut u[h..], v, scratch);
        three_by_two(low, &mut u[..h + n], v, scratch);
        return;
    }
    three_by_two(q, u, v, scratch);
}

/// The quotient has fewer words than the divisor, whose upper words give a quotient that is too
/// great by two at most.
fn three_by_two(q: &mut [u64], u: &mut [u64], v: &[u64], scratch: &mut [u64]) {
    let (k, n) = (q.len(), v.len());
    if k < BY_HALVES || n - k < 1 {
        return by_words(q, u, v);
    }
    let low = n - k;
    let (v0, v1) = v.split_at(low);
    // The words of u that stand over v1: their quotient by it is the guess.
    let is_full = u[low + k..].iter().rev().cmp(v1.iter().rev()) != Ordering::Less;
    if is_full {
        // The quotient would not fit: it is the greatest there is, and q·v1 is v1·2^64k - v1.
        q.fill(u64::MAX);
        sub_from(&mut u[low + k..], v1);
        let over = add_to(&mut u[low..], v1);
        debug_assert_eq!(over, 0);
    } else {
        wide_by_narrow(q, &mut u[low..], v1, scratch);
    }
    let part = &mut scratch[..n];
    multiply(part, q, v0);
    let mut missing = sub_from(u, norm(part));
    while missing > 0 {
        decrement(q, 1);
        missing -= add_to(u, v);
    }
}

/// x·y mod m
pub(super) fn mul_mod(x: &[u64], y: &[u64], m: &[u64]) -> Vec<u64> {
    remainder(&product(x, y), m)
}

//! Products: by rows for short numbers, by Karatsuba's three products of halves for longer ones, by
//! number-theoretic transforms for very long ones.
//!
//! Go: math/big/natmul.go, which has no transforms.

use super::arith::{add, add_mul, add_to, cells, mul_word, norm, sub, sub_from, trim};
use std::cmp::Ordering;

/// From so many words of the shorter number on Karatsuba's way is the faster one.
const KARATSUBA: usize = 32;
/// And from so many on transforms are.
const TRANSFORM: usize = 3000;

/// x·y, normalised.
pub(super) fn product(x: &[u64], y: &[u64]) -> Vec<u64> {
    let mut z = vec![0; x.len() + y.len()];
    multiply(&mut z, x, y);
    trim(&mut z);
    z
}

/// x², normalised.
pub(super) fn square(x: &[u64]) -> Vec<u64> {
    product(x, x)
}

/// z = x·y. z has as many words as both together.
pub(super) fn multiply(z: &mut [u64], x: &[u64], y: &[u64]) {
    let (x, y) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let (m, n) = (x.len(), y.len());
    debug_assert_eq!(z.len(), m + n);
    if n < KARATSUBA {
        return by_rows(z, x, y);
    }
    if n >= TRANSFORM {
        // Of numbers that differ much in length, pieces of the longer one are taken.
        if m <= 2 * n {
            return transform::multiply(z, x, y);
        }
    } else if m == n {
        let mut scratch = vec![0; 4 * n + 128];
        return karatsuba(z, x, y, &mut scratch);
    }
    z.fill(0);
    let mut part = vec![0; 2 * n];
    for (i, piece) in x.chunks(n).enumerate() {
        let part = &mut part[..piece.len() + n];
        multiply(part, piece, y);
        add_to(&mut z[i * n..], part);
    }
}

fn by_rows(z: &mut [u64], x: &[u64], y: &[u64]) {
    let m = x.len();
    let Some((first, rest)) = y.split_first() else {
        return z.fill(0);
    };
    z[m] = mul_word(cells(&mut z[..m]), x, *first, 0);
    for (i, word) in rest.iter().enumerate() {
        let z = &mut z[i + 1..];
        z[m] = add_mul(cells(&mut z[..m]), x, *word);
    }
}

/// z = |x - y|, all of one length; gives whether x is the less.
fn distance(z: &mut [u64], x: &[u64], y: &[u64]) -> bool {
    let is_less = x.iter().rev().cmp(y.iter().rev()) == Ordering::Less;
    let (x, y) = if is_less { (y, x) } else { (x, y) };
    sub(cells(z), x, y);
    is_less
}

/// z = x·y for numbers of one length n, with 4n + 128 words to work in.
fn karatsuba(z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
    let n = x.len();
    if n < KARATSUBA {
        return by_rows(z, x, y);
    }
    // An odd length leaves the highest words to be multiplied on their own.
    if !n.is_multiple_of(2) {
        let (k, low) = (n - 1, 2 * (n - 1));
        karatsuba(&mut z[..low], &x[..k], &y[..k], scratch);
        let top = add_mul(cells(&mut z[k..low]), &x[..k], y[k]);
        z[low] = top;
        z[low + 1] = add_mul(cells(&mut z[k..low + 1]), y, x[k]);
        return;
    }
    let h = n / 2;
    let (x0, x1) = x.split_at(h);
    let (y0, y1) = y.split_at(h);
    let (middle, scratch) = scratch.split_at_mut(n);
    let (dx, dy) = z.split_at_mut(h);
    let dy = &mut dy[..h];
    let is_product_positive = distance(dx, x0, x1) == distance(dy, y0, y1);
    karatsuba(middle, dx, dy, scratch);
    karatsuba(&mut z[..n], x0, y0, scratch);
    karatsuba(&mut z[n..], x1, y1, scratch);
    // The middle: x0·y0 + x1·y1 - (x0-x1)(y0-y1). It takes n words and a bit.
    let (sum, _) = scratch.split_at_mut(n + 1);
    sum[n] = add(cells(&mut sum[..n]), &z[..n], &z[n..]);
    if is_product_positive {
        sub_from(sum, middle);
    } else {
        add_to(sum, middle);
    }
    add_to(&mut z[h..], norm(sum));
}

/// Products by transforms modulo 2^64 - 2^32 + 1, in which pieces of 16 bits are coefficients: sums
/// of 2^32 products of such are below the modulus.
mod transform {
    const P: u64 = 0xffff_ffff_0000_0001;
    /// Of the multiplicative group.
    const GENERATOR: u64 = 7;
    /// 2^64 mod P
    const EPSILON: u64 = 0xffff_ffff;

    #[inline(always)]
    fn add(a: u64, b: u64) -> u64 {
        let (sum, over) = a.overflowing_add(b);
        let (less, under) = sum.overflowing_sub(P);
        if over || !under { less } else { sum }
    }

    #[inline(always)]
    fn sub(a: u64, b: u64) -> u64 {
        let (difference, under) = a.overflowing_sub(b);
        if under {
            difference.wrapping_add(P)
        } else {
            difference
        }
    }

    #[inline(always)]
    fn mul(a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let (low, high) = (product as u64, (product >> 64) as u64);
        // 2^96 is -1, and 2^64 is 2^32 - 1.
        let (mut t, under) = low.overflowing_sub(high >> 32);
        if under {
            t = t.wrapping_sub(EPSILON);
        }
        let (mut r, over) = t.overflowing_add((high & EPSILON) * EPSILON);
        if over {
            r = r.wrapping_add(EPSILON);
        }
        if r >= P { r - P } else { r }
    }

    fn power(mut base: u64, mut n: u64) -> u64 {
        let mut r = 1;
        while n > 0 {
            if n & 1 != 0 {
                r = mul(r, base);
            }
            base = mul(base, base);
            n >>= 1;
        }
        r
    }

    /// The powers of a root of unity, for all levels of a transform of n points: those for blocks
    /// of 2h points begin at h.
    fn roots(n: usize, inverse: bool) -> Vec<u64> {
        let mut roots = vec![1; n];
        let mut h = n / 2;
        while h > 0 {
            let mut root = power(GENERATOR, (P - 1) / (2 * h as u64));
            if inverse {
                root = power(root, P - 2);
            }
            let mut w = 1;
            for r in &mut roots[h..2 * h] {
                *r = w;
                w = mul(w, root);
            }
            h /= 2;
        }
        roots
    }

    /// From the natural order to that of reversed bits. Blocks that fit the cache are finished one
    /// by one.
    fn forward(a: &mut [u64], roots: &[u64]) {
        let h = a.len() / 2;
        if h == 0 {
            return;
        }
        let (low, high) = a.split_at_mut(h);
        for ((x, y), w) in low.iter_mut().zip(&mut *high).zip(&roots[h..2 * h]) {
            let (p, q) = (*x, *y);
            *x = add(p, q);
            *y = mul(sub(p, q), *w);
        }
        forward(low, roots);
        forward(high, roots);
    }

    /// And back.
    fn backward(a: &mut [u64], roots: &[u64]) {
        let h = a.len() / 2;
        if h == 0 {
            return;
        }
        let (low, high) = a.split_at_mut(h);
        backward(low, roots);
        backward(high, roots);
        for ((x, y), w) in low.iter_mut().zip(high).zip(&roots[h..2 * h]) {
            let (p, q) = (*x, mul(*y, *w));
            *x = add(p, q);
            *y = sub(p, q);
        }
    }

    fn coefficients(x: &[u64], n: usize) -> Vec<u64> {
        let mut a = Vec::with_capacity(n);
        for word in x {
            a.extend([0, 16, 32, 48].map(|s| word >> s & 0xffff));
        }
        a.resize(n, 0);
        a
    }

    /// z = x·y
    pub(super) fn multiply(z: &mut [u64], x: &[u64], y: &[u64]) {
        let n = (4 * z.len()).next_power_of_two();
        let there = roots(n, false);
        let mut a = coefficients(x, n);
        forward(&mut a, &there);
        if std::ptr::eq(x, y) {
            for p in &mut a {
                *p = mul(*p, *p);
            }
        } else {
            let mut b = coefficients(y, n);
            forward(&mut b, &there);
            for (p, q) in a.iter_mut().zip(&b) {
                *p = mul(*p, *q);
            }
        }
        drop(there);
        backward(&mut a, &roots(n, true));
        let scale = power(n as u64, P - 2);
        let mut carry = 0u128;
        for (word, points) in z.iter_mut().zip(a.as_chunks::<4>().0) {
            *word = 0;
            for (i, point) in points.iter().enumerate() {
                carry += u128::from(mul(*point, scale));
                *word |= (carry as u64 & 0xffff) << (16 * i);
                carry >>= 16;
            }
        }
    }
}

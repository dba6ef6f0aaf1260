//! Sums of two multiples of points, one of them the base point, for verifying: nothing is secret.
//!
//! Points have Jacobi's coordinates, (x/z², y/z³), in Montgomery's form. Scalars are written with
//! digits that are odd or zero (wNAF): of the base point many multiples are at hand.
//!
//! Go: crypto/internal/fips140/ecdsa, verify.

use crate::internal::modular::natives::{Modulus, Words, words};

/// Bits of a digit, for the base point and for others: the table has 2^(n−2) odd multiples.
const BASE_BITS: u32 = 8;
const OTHER_BITS: u32 = 5;

#[derive(Clone, Copy)]
struct Point<const L: usize> {
    x: Words<L>,
    y: Words<L>,
    /// Zero at infinity.
    z: Words<L>,
}

/// A curve y² = x³ − 3x + b, whichever b, with the multiples of its base point.
struct Field<const L: usize> {
    p: Modulus<L>,
    /// One less than the order.
    last: Words<L>,
    base: Vec<Point<L>>,
}

/// What verifies on a curve.
pub(super) trait Verifier: Send + Sync {
    /// Is the first coordinate of u1·G + u2·Q the number r, modulo the order? The point Q is its
    /// two coordinates.
    fn verify(&self, u1: &[u8], u2: &[u8], q: &[u8], r: &[u8]) -> Option<bool>;
}

/// The verifier of a curve with that base point and its negative, whose second coordinates add up
/// to the field's prime, and the number one less than the order.
pub(super) fn verifier(base: &[u8], negative: &[u8], last: &[u8]) -> Option<Box<dyn Verifier>> {
    Some(match last.len().div_ceil(8) {
        4 => Box::new(Field::<4>::new(base, negative, last)?),
        6 => Box::new(Field::<6>::new(base, negative, last)?),
        9 => Box::new(Field::<9>::new(base, negative, last)?),
        _ => return None,
    })
}

fn halves(point: &[u8]) -> (&[u8], &[u8]) {
    point.split_at(point.len() / 2)
}

fn is_zero<const L: usize>(a: &Words<L>) -> bool {
    a.iter().all(|w| *w == 0)
}

/// a + b, and whether a bit is lost.
fn sum<const L: usize>(mut a: Words<L>, b: &Words<L>) -> (Words<L>, bool) {
    let mut carry = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, carry) = a.carrying_add(*b, carry);
    }
    (a, carry)
}

/// The digits of a number, the lowest first: zero, or odd and less than 2^(bits−1).
fn digits(number: &[u8], bits: u32) -> Vec<i8> {
    let bit = |at: usize| match number.len().checked_sub(1 + at / 8) {
        Some(i) => i32::from(number[i] >> (at % 8) & 1),
        None => 0,
    };
    let n = 8 * number.len() + 1;
    let (mut out, mut carry, mut at) = (vec![0; n], 0, 0);
    while at < n {
        if (bit(at) + carry) & 1 == 0 {
            // The carry stays: it is zero, or the bit is one.
            at += 1;
            continue;
        }
        let mut digit = carry;
        for i in 0..bits as usize {
            digit += bit(at + i) << i;
        }
        carry = i32::from(digit >= 1 << (bits - 1));
        digit -= carry << bits;
        out[at] = digit as i8;
        at += bits as usize;
    }
    out
}

impl<const L: usize> Field<L> {
    fn new(base: &[u8], negative: &[u8], last: &[u8]) -> Option<Field<L>> {
        let (x, y) = halves(base);
        let (p, _) = sum::<L>(words(y)?, &words(halves(negative).1)?);
        let mut field = Field {
            p: Modulus::new(p)?,
            last: words(last)?,
            base: Vec::new(),
        };
        field.base = field.multiples(field.point(x, y), BASE_BITS);
        Some(field)
    }

    fn point(&self, x: &[u8], y: &[u8]) -> Point<L> {
        Point {
            x: self.p.enter(x),
            y: self.p.enter(y),
            z: *self.p.one(),
        }
    }

    /// Of a point the odd multiples that digits have.
    fn multiples(&self, point: Point<L>, bits: u32) -> Vec<Point<L>> {
        let twice = self.double(&point);
        let next = |p: &Point<L>| Some(self.add(p, &twice));
        std::iter::successors(Some(point), next)
            .take(1 << (bits - 2))
            .collect()
    }

    fn double(&self, a: &Point<L>) -> Point<L> {
        let p = &self.p;
        let (z2, y2) = (p.mul(&a.z, &a.z), p.mul(&a.y, &a.y));
        let xy2 = p.mul(&a.x, &y2);
        let m = p.mul(&p.sub(&a.x, &z2), &p.add(a.x, &z2));
        let m = p.add(p.double(m), &m);
        let xy2_4 = p.double(p.double(xy2));
        let x = p.sub(&p.mul(&m, &m), &p.double(xy2_4));
        let yz = p.mul(&a.y, &a.z);
        let y4_8 = p.double(p.double(p.double(p.mul(&y2, &y2))));
        Point {
            x,
            y: p.sub(&p.mul(&m, &p.sub(&xy2_4, &x)), &y4_8),
            z: p.double(yz),
        }
    }

    fn add(&self, a: &Point<L>, b: &Point<L>) -> Point<L> {
        let p = &self.p;
        if is_zero(&a.z) {
            return *b;
        }
        if is_zero(&b.z) {
            return *a;
        }
        let (az2, bz2) = (p.mul(&a.z, &a.z), p.mul(&b.z, &b.z));
        let (u1, u2) = (p.mul(&a.x, &bz2), p.mul(&b.x, &az2));
        let s1 = p.mul(&a.y, &p.mul(&bz2, &b.z));
        let s2 = p.mul(&b.y, &p.mul(&az2, &a.z));
        let (h, r) = (p.sub(&u2, &u1), p.sub(&s2, &s1));
        if is_zero(&h) && is_zero(&r) {
            return self.double(a);
        }
        let h2 = p.mul(&h, &h);
        let h3 = p.mul(&h2, &h);
        let v = p.mul(&u1, &h2);
        let x = p.sub(&p.sub(&p.mul(&r, &r), &h3), &p.double(v));
        Point {
            x,
            y: p.sub(&p.mul(&r, &p.sub(&v, &x)), &p.mul(&s1, &h3)),
            z: p.mul(&h, &p.mul(&a.z, &b.z)),
        }
    }

    /// Adds the multiple that a digit stands for.
    fn add_digit(&self, to: Point<L>, table: &[Point<L>], digit: i8) -> Point<L> {
        if digit == 0 {
            return to;
        }
        let mut point = table[usize::from(digit.unsigned_abs()) / 2];
        if digit < 0 {
            point.y = self.p.sub(&[0; L], &point.y);
        }
        self.add(&to, &point)
    }
}

impl<const L: usize> Verifier for Field<L> {
    fn verify(&self, u1: &[u8], u2: &[u8], q: &[u8], r: &[u8]) -> Option<bool> {
        let (x, y) = halves(q);
        let table = self.multiples(self.point(x, y), OTHER_BITS);
        let (d1, d2) = (digits(u1, BASE_BITS), digits(u2, OTHER_BITS));
        let zero = [0; L];
        let mut point = Point {
            x: zero,
            y: zero,
            z: zero,
        };
        for (d1, d2) in d1.iter().zip(&d2).rev() {
            point = self.double(&point);
            point = self.add_digit(point, &self.base, *d1);
            point = self.add_digit(point, &table, *d2);
        }
        if is_zero(&point.z) {
            return Some(false);
        }
        // The coordinate is r, or r and the order, if that is below the prime.
        let z2 = self.p.mul(&point.z, &point.z);
        let is = |x: &Words<L>| self.p.mul(&self.p.enter_words(x), &z2) == point.x;
        let r: Words<L> = words(r)?;
        if is(&r) {
            return Some(true);
        }
        let mut one = zero;
        one[0] = 1;
        let (more, lost) = sum(r, &self.last);
        let (more, lost_too) = sum(more, &one);
        Some(!lost && !lost_too && self.p.exceeds(&more) && is(&more))
    }
}

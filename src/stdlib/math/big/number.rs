//! Powers, roots, common divisors, and whether a number is prime. All numbers are normalised.
//!
//! Go: math/big/nat.go, int.go, prime.go.

use super::arith::{
    add_mul, add_to, bit_len, cells, cmp, decrement, increment, mod_word, mul_word, norm,
    shifted_left, shifted_right, sub, sub_from, sub_mul, trailing_zeros, trim,
};
use super::div::{divide, mul_mod, remainder};
use super::mul::{product, square};
use std::cmp::Ordering;

/// Up to so many words of the modulus Montgomery's reduction is worth it.
const MONTGOMERY: usize = 200;

fn bit(x: &[u64], i: usize) -> bool {
    x[i / 64] >> (i % 64) & 1 != 0
}

/// x^y, or x^y mod m if m is not 0.
pub(super) fn power(x: &[u64], y: &[u64], m: &[u64]) -> Vec<u64> {
    match (x, y, m) {
        (_, _, [1]) => return Vec::new(),
        (_, [], _) => return vec![1],
        ([], ..) => return Vec::new(),
        ([1], ..) => return vec![1],
        (_, [1], []) => return x.to_vec(),
        (_, [1], _) => return remainder(x, m),
        _ => {}
    }
    if m.is_empty() {
        let mut z = x.to_vec();
        for i in (0..bit_len(y) - 1).rev() {
            z = square(&z);
            if bit(y, i) {
                z = product(&z, x);
            }
        }
        return z;
    }
    let x = remainder(x, m);
    if m[0] & 1 == 1 && m.len() <= MONTGOMERY {
        return Montgomery::new(m).power(&x, y);
    }
    windows(&x, y, vec![1], |a, b| mul_mod(a, b, m))
}

/// A power by windows of four bits of the exponent.
fn windows(
    x: &[u64],
    y: &[u64],
    one: Vec<u64>,
    mut mul: impl FnMut(&[u64], &[u64]) -> Vec<u64>,
) -> Vec<u64> {
    let mut powers = vec![one.clone(), x.to_vec()];
    let is_short = y.len() == 1 && y[0] < 1 << 16;
    for i in 2..if is_short { 2 } else { 16 } {
        let next = mul(&powers[i - 1], x);
        powers.push(next);
    }
    let step = if is_short { 1 } else { 4 };
    let mut z = one;
    let count = bit_len(y).div_ceil(step);
    for i in (0..count).rev() {
        if i + 1 < count {
            for _ in 0..step {
                z = mul(&z, &z);
            }
        }
        let digit = y[i * step / 64] >> (i * step % 64) & ((1 << step) - 1);
        if digit != 0 {
            z = mul(&z, &powers[digit as usize]);
        }
    }
    z
}

/// Arithmetic modulo an odd number m of n words on multiples by 2^64n (P. Montgomery).
struct Montgomery<'a> {
    m: &'a [u64],
    /// -1/m mod 2^64
    inverse: u64,
    space: Vec<u64>,
}

impl Montgomery<'_> {
    fn new(m: &[u64]) -> Montgomery<'_> {
        // Each step of Newton's doubles the bits that are right, three at first.
        let mut inverse = m[0];
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(m[0].wrapping_mul(inverse)));
        }
        Montgomery {
            m,
            inverse: inverse.wrapping_neg(),
            space: vec![0; 2 * m.len()],
        }
    }

    /// z = x·y / 2^64n mod m, or more by m. All have n words.
    fn mul(&mut self, z: &mut [u64], x: &[u64], y: &[u64]) {
        let n = self.m.len();
        self.space.fill(0);
        let mut carry = 0;
        for (i, word) in y.iter().enumerate() {
            let row = cells(&mut self.space[i..i + n]);
            let above = add_mul(row, x, *word);
            let t = row[0].get().wrapping_mul(self.inverse);
            let more = add_mul(row, self.m, t);
            let (sum, a) = above.overflowing_add(more);
            let (sum, b) = sum.overflowing_add(carry);
            self.space[n + i] = sum;
            carry = u64::from(a) + u64::from(b);
        }
        let high = &self.space[n..];
        if carry != 0 {
            sub(cells(z), high, self.m);
        } else {
            z.copy_from_slice(high);
        }
    }

    /// x^y mod m, for x below m and y above 0.
    fn power(mut self, x: &[u64], y: &[u64]) -> Vec<u64> {
        let n = self.m.len();
        let scaled = |x: &[u64]| {
            let mut r = remainder(&shifted_left(x, 64 * n), self.m);
            r.resize(n, 0);
            r
        };
        let (base, unit) = (scaled(x), scaled(&[1]));
        let mut z = windows(&base, y, unit, |a, b| {
            let mut z = vec![0; n];
            self.mul(&mut z, a, b);
            z
        });
        let mut one = vec![0; n];
        one[0] = 1;
        let last = z.clone();
        self.mul(&mut z, &last, &one);
        trim(&mut z);
        if cmp(&z, self.m) != Ordering::Less {
            z = remainder(&z, self.m);
        }
        z
    }
}

/// The greatest number whose square is not above x.
pub(super) fn sqrt(x: &[u64]) -> Vec<u64> {
    if x.len() <= 2 {
        let low = x.first().copied().unwrap_or(0);
        let high = x.get(1).copied().unwrap_or(0);
        let mut z = vec![(u128::from(high) << 64 | u128::from(low)).isqrt() as u64];
        trim(&mut z);
        return z;
    }
    // The root of the upper half, rounded up, has half the bits right, and is not too small.
    // One step of Newton's gives the others.
    let k = bit_len(x) / 4;
    let mut guess = sqrt(&shifted_right(x, 2 * k));
    plus_word(&mut guess, 1);
    let guess = shifted_left(&guess, k);
    let mut z = plus(&divide(x, &guess).0, &guess);
    z = shifted_right(&z, 1);
    while cmp(&square(&z), x) == Ordering::Greater {
        decrement(&mut z, 1);
        trim(&mut z);
    }
    z
}

fn plus_word(x: &mut Vec<u64>, w: u64) {
    let carry = increment(x, w);
    if carry > 0 {
        x.push(carry);
    }
}

fn plus(x: &[u64], y: &[u64]) -> Vec<u64> {
    let (x, y) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let mut z = x.to_vec();
    let carry = add_to(&mut z, y);
    if carry > 0 {
        z.push(carry);
    }
    z
}

/// x - y, which is not below 0.
fn minus(x: &[u64], y: &[u64]) -> Vec<u64> {
    let mut z = x.to_vec();
    sub_from(&mut z, y);
    trim(&mut z);
    z
}

/// p·x + q·y
fn sum_of_products(p: u64, x: &[u64], q: u64, y: &[u64]) -> Vec<u64> {
    let n = x.len().max(y.len());
    let mut z = vec![0; n + 2];
    z[x.len()] = mul_word(cells(&mut z[..x.len()]), x, p, 0);
    let carry = add_mul(cells(&mut z[..y.len()]), y, q);
    increment(&mut z[y.len()..], carry);
    trim(&mut z);
    z
}

/// p·x - q·y, which is not below 0.
fn difference_of_products(p: u64, x: &[u64], q: u64, y: &[u64]) -> Vec<u64> {
    let n = x.len().max(y.len());
    let mut z = vec![0; n + 1];
    z[x.len()] = mul_word(cells(&mut z[..x.len()]), x, p, 0);
    let borrow = sub_mul(cells(&mut z[..y.len()]), y, q);
    decrement(&mut z[y.len()..], borrow);
    trim(&mut z);
    z
}

/// What several steps of Euclid's do to a pair of numbers (a, b), as factors:
/// (u0·a - v0·b, v1·b - u1·a), both negated after an odd number of steps.
struct Steps {
    u0: u64,
    u1: u64,
    v0: u64,
    v1: u64,
    even: bool,
}

/// The steps that the upper words of a and b allow for sure (D. Lehmer; the condition is
/// G. Collins's). b has at least two words, and a is not less.
fn steps(a: &[u64], b: &[u64]) -> Steps {
    let n = a.len();
    let h = a[n - 1].leading_zeros();
    // The 64 bits of x where the upper ones of a are.
    let upper = |x: &[u64]| {
        let word = |i: usize| u128::from(x.get(i).copied().unwrap_or(0));
        ((word(n - 1) << 64 | word(n - 2)) << h >> 64) as u64
    };
    let (mut large, mut small) = (upper(a), upper(b));
    // Of each step the factors of a and of b, as continued fractions have them: what each step
    // makes of the last two.
    let (mut before, mut last, mut next) = ([0u64, 0], [1u64, 0], [0u64, 1]);
    let mut even = false;
    while small >= next[1] && large - small >= last[1].wrapping_add(next[1]) {
        let q = large / small;
        (large, small) = (small, large % small);
        let sum = [0, 1].map(|i| q.wrapping_mul(next[i]).wrapping_add(last[i]));
        (before, last, next) = (last, next, sum);
        even = !even;
    }
    Steps {
        u0: before[0],
        u1: last[0],
        v0: before[1],
        v1: last[1],
        even,
    }
}

/// The greatest common divisor of a and b, which are not 0, and if it is wanted the factor of a
/// that Euclid's way finds: its amount, and whether it is negative.
pub(super) fn gcd(a: &[u64], b: &[u64], with_factor: bool) -> (Vec<u64>, Vec<u64>, bool) {
    let is_swapped = cmp(a, b) == Ordering::Less;
    let (mut a, mut b) = if is_swapped {
        (b.to_vec(), a.to_vec())
    } else {
        (a.to_vec(), b.to_vec())
    };
    // The amounts of the factors of a and b; their signs take turns with the steps.
    let (mut ua, mut ub) = (vec![1], Vec::new());
    if is_swapped {
        (ua, ub) = (ub, ua);
    }
    let mut is_negative = is_swapped;
    let divided = |a: &mut Vec<u64>, b: &mut Vec<u64>, ua: &mut Vec<u64>, ub: &mut Vec<u64>| {
        let (q, r) = divide(a, b);
        *a = std::mem::replace(b, r);
        if with_factor {
            let next = plus(&product(&q, ub), ua);
            *ua = std::mem::replace(ub, next);
        }
    };
    while b.len() > 1 {
        let s = steps(&a, &b);
        if s.v0 == 0 {
            divided(&mut a, &mut b, &mut ua, &mut ub);
            is_negative = !is_negative;
            continue;
        }
        let (first, second) = if s.even {
            (
                difference_of_products(s.u0, &a, s.v0, &b),
                difference_of_products(s.v1, &b, s.u1, &a),
            )
        } else {
            (
                difference_of_products(s.v0, &b, s.u0, &a),
                difference_of_products(s.u1, &a, s.v1, &b),
            )
        };
        (a, b) = (first, second);
        if with_factor {
            (ua, ub) = (
                sum_of_products(s.u0, &ua, s.v0, &ub),
                sum_of_products(s.u1, &ua, s.v1, &ub),
            );
        }
        is_negative ^= !s.even;
    }
    if !b.is_empty() && a.len() > 1 {
        divided(&mut a, &mut b, &mut ua, &mut ub);
        is_negative = !is_negative;
    }
    if !b.is_empty() {
        let (mut x, mut y) = (a[0], b[0]);
        let (mut u0, mut u1) = (1u64, 0u64);
        let (mut v0, mut v1) = (0u64, 1u64);
        while y != 0 {
            let q = x / y;
            (x, y) = (y, x % y);
            (u0, u1) = (u1, u0.wrapping_add(q.wrapping_mul(u1)));
            (v0, v1) = (v1, v0.wrapping_add(q.wrapping_mul(v1)));
            is_negative = !is_negative;
        }
        if with_factor {
            ua = sum_of_products(u0, &ua, v0, &ub);
        }
        a = vec![x];
    }
    (a, ua, is_negative)
}

/// Jacobi's symbol of x, or -x, and an odd y.
pub(super) fn jacobi(x: &[u64], x_is_negative: bool, y: &[u64]) -> i64 {
    let mut j = 1;
    if x_is_negative && y[0] & 3 == 3 {
        j = -j;
    }
    let (mut a, mut b) = (remainder(x, y), y.to_vec());
    while b.len() > 1 {
        if a.is_empty() {
            return 0;
        }
        let s = trailing_zeros(&a);
        let c = shifted_right(&a, s);
        if s & 1 != 0 && matches!(b[0] & 7, 3 | 5) {
            j = -j;
        }
        if b[0] & 3 == 3 && c[0] & 3 == 3 {
            j = -j;
        }
        a = remainder(&b, &c);
        b = c;
    }
    let (mut a, mut b) = (a.first().copied().unwrap_or(0), b[0]);
    while b != 1 {
        if a == 0 {
            return 0;
        }
        let s = a.trailing_zeros();
        let c = a >> s;
        if s & 1 != 0 && matches!(b & 7, 3 | 5) {
            j = -j;
        }
        if b & 3 == 3 && c & 3 == 3 {
            j = -j;
        }
        (a, b) = (b % c, c);
    }
    j
}

/// The product of a number and those that follow it up to b.
pub(super) fn product_of_range(a: u64, b: u64) -> Vec<u64> {
    match b.checked_sub(a) {
        None => return vec![1],
        Some(0) => return if a == 0 { Vec::new() } else { vec![a] },
        Some(n) if n < 16 => {
            let mut z = vec![a];
            for factor in a + 1..=b {
                let carry = {
                    let z = cells(&mut z);
                    mul_word(z, z, factor, 0)
                };
                if carry > 0 {
                    z.push(carry);
                }
            }
            trim(&mut z);
            return z;
        }
        _ => {}
    }
    let middle = a + (b - a) / 2;
    product(
        &product_of_range(a, middle),
        &product_of_range(middle + 1, b),
    )
}

const SMALL: [u64; 15] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];

/// Whether x passes `rounds` tests of Miller's and Rabin's to random bases, one to base 2, and
/// Lucas's: below 2^64 whether it is prime.
pub(super) fn is_probably_prime(x: &[u64], rounds: usize) -> bool {
    let Some(&low) = x.first() else {
        return false;
    };
    if x.len() == 1 {
        return is_prime_word(low);
    }
    const PRODUCT: u64 = 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37 * 41 * 43 * 47 * 53;
    let rest = mod_word(x, PRODUCT);
    if low & 1 == 0 || SMALL.iter().any(|p| rest.is_multiple_of(*p)) {
        return false;
    }
    passes_miller_rabin(x, rounds) && passes_lucas(x)
}

fn is_prime_word(x: u64) -> bool {
    if x < 64 {
        return x == 2 || SMALL.contains(&x) || x == 59 || x == 61;
    }
    if x & 1 == 0 || SMALL.iter().any(|p| x.is_multiple_of(*p)) {
        return false;
    }
    let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(x)) as u64;
    let k = (x - 1).trailing_zeros();
    let q = (x - 1) >> k;
    // Of numbers of 64 bits no composite one passes for all of these.
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
        .iter()
        .all(|base| {
            let (mut y, mut b, mut n) = (1, *base, q);
            while n > 0 {
                if n & 1 != 0 {
                    y = mul(y, b);
                }
                b = mul(b, b);
                n >>= 1;
            }
            if y == 1 || y == x - 1 {
                return true;
            }
            (1..k).any(|_| {
                y = mul(y, y);
                y == x - 1
            })
        })
}

fn passes_miller_rabin(x: &[u64], rounds: usize) -> bool {
    let less = minus(x, &[1]);
    let k = trailing_zeros(&less);
    let q = shifted_right(&less, k);
    let mut state = x[0];
    let mut random = || {
        // S. Vigna's splitmix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    (0..=rounds).all(|round| {
        let mut base = vec![2];
        if round < rounds {
            base = x.iter().map(|_| random()).collect();
            trim(&mut base);
            base = remainder(&base, &minus(&less, &[2]));
            plus_word(&mut base, 2);
        }
        let mut y = power(&base, &q, x);
        if y == [1] || y == less {
            return true;
        }
        (1..k).any(|_| {
            y = mul_mod(&y, &y, x);
            y == less
        })
    })
}

/// The "almost extra strong" test of Lucas's (R. Baillie; OEIS A217719).
fn passes_lucas(n: &[u64]) -> bool {
    let mut p = 3u64;
    loop {
        let j = jacobi(&[p * p - 4], false, n);
        if j == -1 {
            break;
        }
        if j == 0 {
            return n == [p + 2];
        }
        // Squares have none.
        if p == 40 && cmp(&square(&sqrt(n)), n) == Ordering::Equal {
            return false;
        }
        p += 1;
    }
    let up = plus(n, &[1]);
    let r = trailing_zeros(&up);
    let s = shifted_right(&up, r);
    let minus_two = minus(n, &[2]);
    // V(k) and V(k+1) of Lucas's sequence with parameters p and 1.
    let (mut v, mut v1) = (vec![2], vec![p]);
    for i in (0..bit_len(&s)).rev() {
        let cross = minus(&plus(&product(&v, &v1), n), &[p]);
        let cross = remainder(norm(&cross), n);
        let doubled = |x: &[u64]| remainder(&plus(&square(x), &minus_two), n);
        (v, v1) = if bit(&s, i) {
            (cross, doubled(&v1))
        } else {
            (doubled(&v), cross)
        };
    }
    if v == [2] || v == minus_two {
        // Whether U(s) is 0: then p·V(s) is 2·V(s+1).
        let (a, b) = (product(&v, &[p]), shifted_left(&v1, 1));
        let (a, b) = if cmp(&a, &b) == Ordering::Less {
            (b, a)
        } else {
            (a, b)
        };
        if remainder(&minus(&a, &b), n).is_empty() {
            return true;
        }
    }
    for _ in 0..r - 1 {
        if v.is_empty() {
            return true;
        }
        if v == [2] {
            return false;
        }
        v = remainder(&plus(&square(&v), &minus_two), n);
    }
    false
}

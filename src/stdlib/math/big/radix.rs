//! Numbers as digits, and digits as numbers: bit by bit for bases that are powers of two, else by
//! halves.
//!
//! Go: math/big/natconv.go.

use super::arith::{add_to, bit_len, cells, div_word, mul_word, norm, trim};
use super::div::divide;
use super::mul::{product, square};

const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Up to so many words conversions go word by word.
const LEAF: usize = 24;

/// A base: as many of its digits as a word holds, and its power that this makes.
struct Base {
    base: u64,
    digits: usize,
    power: u64,
}

impl Base {
    fn new(base: u64) -> Base {
        let (mut digits, mut power) = (1, base);
        while let Some(next) = power.checked_mul(base) {
            power = next;
            digits += 1;
        }
        Base {
            base,
            digits,
            power,
        }
    }

    /// `power` squared again and again, until the next square would be longer than `words`:
    /// the greatest first.
    fn powers(&self, words: usize) -> Vec<Vec<u64>> {
        let mut last = vec![self.power];
        let mut powers = Vec::new();
        while 2 * last.len() <= words + 1 {
            let next = square(&last);
            powers.push(std::mem::replace(&mut last, next));
        }
        powers.push(last);
        powers.reverse();
        powers
    }
}

/// The digits of a normalised number, with a sign before them.
pub(super) fn text(x: &[u64], base: u64, negative: bool) -> Vec<u8> {
    let mut out = if x.is_empty() {
        vec![b'0']
    } else if base.is_power_of_two() {
        by_bits(x, base.trailing_zeros() as usize)
    } else {
        let base_of = Base::new(base);
        let digits = (bit_len(x) as f64 / (base as f64).log2()) as usize + 2;
        let mut out = vec![0; digits];
        let powers = match x.len() {
            0..=LEAF => Vec::new(),
            n => base_of.powers(n.div_ceil(2)),
        };
        fill(&mut out, x.to_vec(), &base_of, &powers);
        let zeros = out.iter().take_while(|d| **d == b'0').count();
        out.drain(..zeros);
        out
    };
    if negative {
        out.insert(0, b'-');
    }
    out
}

fn by_bits(x: &[u64], bits: usize) -> Vec<u8> {
    let count = bit_len(x).div_ceil(bits);
    let mask = (1 << bits) - 1;
    let digit = |i: usize| {
        let (word, s) = (i * bits / 64, i * bits % 64);
        let low = x[word] >> s;
        let high = match x.get(word + 1) {
            Some(w) if s > 0 => w << (64 - s),
            _ => 0,
        };
        DIGITS[((low | high) & mask) as usize]
    };
    (0..count).rev().map(digit).collect()
}

/// Fills `out` with digits, zeros first. `powers` are the base's, the greatest first.
fn fill(out: &mut [u8], mut x: Vec<u64>, base: &Base, powers: &[Vec<u64>]) {
    // The greatest power that is about half as long.
    let fits = powers.iter().position(|p| 2 * p.len() <= x.len() + 1);
    if let Some(i) = fits.filter(|_| x.len() > LEAF) {
        let (q, r) = divide(&x, &powers[i]);
        let digits = base.digits << (powers.len() - 1 - i);
        let (high, low) = out.split_at_mut(out.len() - digits);
        fill(low, r, base, &powers[i + 1..]);
        fill(high, q, base, &powers[i..]);
        return;
    }
    let mut end = out.len();
    while !x.is_empty() {
        let mut word = {
            let x = cells(&mut x);
            div_word(x, x, base.power)
        };
        trim(&mut x);
        for _ in 0..base.digits.min(end) {
            end -= 1;
            out[end] = DIGITS[(word % base.base) as usize];
            word /= base.base;
        }
    }
    out[..end].fill(b'0');
}

/// The value of a character as a digit: letters of both cases are the same up to base 36.
pub(super) fn value(c: u8, base: u64) -> Option<u8> {
    let v = match c {
        b'0'..=b'9' => c - b'0',
        b'a'..=b'z' => c - b'a' + 10,
        b'A'..=b'Z' if base <= 36 => c - b'A' + 10,
        b'A'..=b'Z' => c - b'A' + 36,
        _ => return None,
    };
    (u64::from(v) < base).then_some(v)
}

/// The number with these digits, given by their values, the highest first.
pub(super) fn number(digits: &[u8], base: u64) -> Vec<u64> {
    let zeros = digits.iter().take_while(|d| **d == 0).count();
    let digits = &digits[zeros..];
    if base.is_power_of_two() {
        return of_bits(digits, base.trailing_zeros() as usize);
    }
    let base = Base::new(base);
    let words = digits.len().div_ceil(base.digits);
    let powers = match words {
        0..=LEAF => Vec::new(),
        _ => base.powers(words.div_ceil(2)),
    };
    let mut x = of_digits(digits, &base, &powers);
    trim(&mut x);
    x
}

fn of_bits(digits: &[u8], bits: usize) -> Vec<u64> {
    let mut x = vec![0; (digits.len() * bits).div_ceil(64)];
    for (i, d) in digits.iter().rev().enumerate() {
        let (word, s) = (i * bits / 64, i * bits % 64);
        x[word] |= u64::from(*d) << s;
        if s + bits > 64 {
            x[word + 1] |= u64::from(*d) >> (64 - s);
        }
    }
    trim(&mut x);
    x
}

fn of_digits(digits: &[u8], base: &Base, powers: &[Vec<u64>]) -> Vec<u64> {
    let length = |i: usize| base.digits << (powers.len() - 1 - i);
    let fits = (0..powers.len()).find(|i| length(*i) < digits.len());
    let leaf = LEAF * base.digits;
    if let Some(i) = fits.filter(|_| digits.len() > leaf) {
        let (high, low) = digits.split_at(digits.len() - length(i));
        let high = of_digits(high, base, &powers[i..]);
        let low = of_digits(low, base, &powers[i + 1..]);
        let mut x = product(norm(&high), &powers[i]);
        x.resize(x.len().max(low.len()) + 1, 0);
        add_to(&mut x, &low);
        trim(&mut x);
        return x;
    }
    let mut x: Vec<u64> = Vec::with_capacity(digits.len() / base.digits + 1);
    // The first word takes what makes the others full.
    let (first, rest) = digits.split_at(digits.len() % base.digits);
    let chunks = std::iter::once(first).chain(rest.chunks(base.digits));
    for chunk in chunks.filter(|c| !c.is_empty()) {
        let word = chunk
            .iter()
            .fold(0, |w: u64, d| w * base.base + u64::from(*d));
        let carry = {
            let x = cells(&mut x);
            mul_word(x, x, base.power, word)
        };
        if carry > 0 {
            x.push(carry);
        }
    }
    x
}

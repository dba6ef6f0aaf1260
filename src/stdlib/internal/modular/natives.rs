//! Package `internal/modular`: powers modulo odd numbers, as RSA needs them.
//!
//! Numbers are bytes with the highest first; inside, vectors of `L` words with the lowest first,
//! in Montgomery's form: x stands as x·R mod n, where R is 2^(64·L). For which `L` there is code,
//! [`sized`] says; a shorter modulus has zeros above it. Neither what is read nor what is branched
//! on depends on an exponent's bits.
//!
//! Go: crypto/internal/fips140/bigmod, crypto/internal/fips140/rsa.

use vm::fenced;
use vm::native::Slice;

pub(crate) type Words<const L: usize> = [u64; L];

/// The number, if it fits.
pub(crate) fn words<const L: usize>(bytes: &[u8]) -> Option<Words<L>> {
    let mut words = [0; L];
    for (i, b) in bytes.iter().rev().enumerate() {
        if *b != 0 {
            *words.get_mut(i / 8)? |= u64::from(*b) << (8 * (i % 8));
        }
    }
    Some(words)
}

/// Fills `out` with the number, which fits.
fn write(out: &mut [u8], words: &[u64]) {
    for (i, b) in out.iter_mut().rev().enumerate() {
        *b = words.get(i / 8).map_or(0, |w| (w >> (8 * (i % 8))) as u8);
    }
}

/// a += b; the carry.
#[inline(always)]
fn add<const L: usize>(a: &mut Words<L>, b: &Words<L>) -> bool {
    let mut carry = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, carry) = a.carrying_add(*b, carry);
    }
    carry
}

/// a − b, and the borrow.
#[inline(always)]
fn sub<const L: usize>(a: &Words<L>, b: &Words<L>) -> (Words<L>, bool) {
    let (mut out, mut borrow) = ([0; L], false);
    for i in 0..L {
        (out[i], borrow) = a[i].borrowing_sub(b[i], borrow);
    }
    (out, borrow)
}

/// A modulus, which is odd.
pub(crate) struct Modulus<const L: usize> {
    n: Words<L>,
    /// −1/n modulo 2⁶⁴.
    inverse: u64,
    /// R mod n: one in Montgomery's form.
    one: Words<L>,
    /// R² mod n.
    square: Words<L>,
}

impl<const L: usize> Modulus<L> {
    pub(crate) fn new(n: Words<L>) -> Option<Modulus<L>> {
        let is_one = n[0] == 1 && n[1..].iter().all(|w| *w == 0);
        if n[0] & 1 == 0 || is_one {
            return None;
        }
        // Newton's iteration doubles how many bits are right; n is its own inverse modulo 8.
        let mut inverse = n[0];
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(n[0].wrapping_mul(inverse)));
        }
        let mut modulus = Modulus {
            n,
            inverse: inverse.wrapping_neg(),
            one: [0; L],
            square: [0; L],
        };
        // The highest power of two below n, doubled up to R, and on to 2^odd·R; then squared.
        let top = n.iter().rposition(|w| *w != 0)?;
        let bits = 64 * top + 63 - n[top].leading_zeros() as usize;
        let mut power = [0; L];
        power[bits / 64] = 1 << (bits % 64);
        for _ in bits..64 * L {
            power = modulus.double(power);
        }
        modulus.one = power;
        let squarings = (64 * L).trailing_zeros();
        for _ in 0..(64 * L) >> squarings {
            power = modulus.double(power);
        }
        for _ in 0..squarings {
            power = modulus.mul(&power, &power);
        }
        modulus.square = power;
        Some(modulus)
    }

    /// Less n, if it is no less than that or has a word more.
    #[inline(always)]
    fn reduced(&self, x: Words<L>, carry: bool) -> Words<L> {
        let (less, borrow) = sub(&x, &self.n);
        let keep = u64::from(borrow & !carry).wrapping_neg();
        let mut out = [0; L];
        for i in 0..L {
            out[i] = (x[i] & keep) | (less[i] & !keep);
        }
        out
    }

    pub(crate) fn add(&self, mut a: Words<L>, b: &Words<L>) -> Words<L> {
        let carry = add(&mut a, b);
        self.reduced(a, carry)
    }

    pub(crate) fn double(&self, a: Words<L>) -> Words<L> {
        self.add(a, &a)
    }

    pub(crate) fn sub(&self, a: &Words<L>, b: &Words<L>) -> Words<L> {
        let (mut out, borrow) = sub(a, b);
        let mask = u64::from(borrow).wrapping_neg();
        let mut carry = false;
        for (out, n) in out.iter_mut().zip(&self.n) {
            (*out, carry) = out.carrying_add(n & mask, carry);
        }
        out
    }

    /// a·b/R mod n, where one of them is less than n.
    #[inline(always)]
    pub(crate) fn mul(&self, a: &Words<L>, b: &Words<L>) -> Words<L> {
        let mut t = [0; L];
        let mut above = 0u64;
        for b in b {
            let mut carry = 0;
            for i in 0..L {
                (t[i], carry) = a[i].carrying_mul_add(*b, t[i], carry);
            }
            let (sum, over) = above.overflowing_add(carry);
            let m = t[0].wrapping_mul(self.inverse);
            let (_, mut carry) = m.carrying_mul_add(self.n[0], t[0], 0);
            for i in 1..L {
                (t[i - 1], carry) = m.carrying_mul_add(self.n[i], t[i], carry);
            }
            let (sum, more) = sum.overflowing_add(carry);
            t[L - 1] = sum;
            above = u64::from(over) + u64::from(more);
        }
        self.reduced(t, above != 0)
    }

    /// One, in Montgomery's form.
    pub(crate) fn one(&self) -> &Words<L> {
        &self.one
    }

    /// Is the modulus more than x?
    pub(crate) fn exceeds(&self, x: &Words<L>) -> bool {
        sub(x, &self.n).1
    }

    /// A number of the modulus's length, in Montgomery's form.
    pub(crate) fn enter_words(&self, x: &Words<L>) -> Words<L> {
        self.mul(x, &self.square)
    }

    /// The number, of whatever length, in Montgomery's form.
    pub(crate) fn enter(&self, bytes: &[u8]) -> Words<L> {
        let mut x = [0; L];
        for piece in bytes.rchunks(8 * L).rev() {
            x = self.mul(&x, &self.square);
            if let Some(piece) = words(piece) {
                x = self.add(x, &self.mul(&piece, &self.square));
            }
        }
        x
    }

    /// Out of Montgomery's form.
    fn leave(&self, x: &Words<L>) -> Words<L> {
        let mut one = [0; L];
        one[0] = 1;
        self.mul(x, &one)
    }

    /// x to the power of that exponent, in Montgomery's form.
    fn power(&self, x: &Words<L>, exponent: &[u8]) -> Words<L> {
        let mut table = [self.one; 16];
        for i in 1..16 {
            table[i] = self.mul(&table[i - 1], x);
        }
        let mut power = self.one;
        for nibble in exponent.iter().flat_map(|b| [b >> 4, b & 15]) {
            for _ in 0..4 {
                power = self.mul(&power, &power);
            }
            let mut factor = [0; L];
            for (i, entry) in table.iter().enumerate() {
                let mask = u64::from(i == usize::from(nibble)).wrapping_neg();
                for (f, e) in factor.iter_mut().zip(entry) {
                    *f |= e & mask;
                }
            }
            power = self.mul(&power, &factor);
        }
        power
    }

    /// The same for an exponent that is no secret.
    fn power_short(&self, x: &Words<L>, exponent: u64) -> Words<L> {
        let mut power = self.one;
        for i in (0..64 - exponent.leading_zeros()).rev() {
            power = self.mul(&power, &power);
            if exponent >> i & 1 != 0 {
                power = self.mul(&power, x);
            }
        }
        power
    }
}

/// Bytes of a number without zeros before it.
fn len(bytes: &[u8]) -> usize {
    bytes.len() - bytes.iter().take_while(|b| **b == 0).count()
}

/// Calls a function for numbers with as many words as these bytes need.
macro_rules! sized {
    ($bytes:expr, $f:ident($($arg:expr),* $(,)?)) => {
        match $bytes.div_ceil(8) {
            0..=4 => $f::<4>($($arg),*),
            5..=8 => $f::<8>($($arg),*),
            9..=12 => $f::<12>($($arg),*),
            13..=16 => $f::<16>($($arg),*),
            17..=24 => $f::<24>($($arg),*),
            25..=32 => $f::<32>($($arg),*),
            33..=48 => $f::<48>($($arg),*),
            49..=64 => $f::<64>($($arg),*),
            65..=128 => $f::<128>($($arg),*),
            129..=256 => $f::<256>($($arg),*),
            _ => None,
        }
    };
}

fn exp<const L: usize>(out: &mut [u8], x: &[u8], exponent: &[u8], n: &[u8]) -> Option<()> {
    let n = Modulus::<L>::new(words(n)?)?;
    let power = n.power(&n.enter(x), exponent);
    write(out, &n.leave(&power));
    Some(())
}

fn exp_short<const L: usize>(out: &mut [u8], x: &[u8], exponent: u64, n: &[u8]) -> Option<()> {
    let n = Modulus::<L>::new(words(n)?)?;
    let power = n.power_short(&n.enter(x), exponent);
    write(out, &n.leave(&power));
    Some(())
}

/// A round of Miller and Rabin's test with that base of a number that is 3 modulo 4.
fn strong<const L: usize>(base: &[u8], n: &[u8]) -> Option<bool> {
    let n = Modulus::<L>::new(words(n)?)?;
    let above = |i: usize| n.n.get(i + 1).map_or(0, |word| word << 63);
    let half: [u64; L] = std::array::from_fn(|i| n.n[i] >> 1 | above(i));
    let mut exponent = vec![0; 8 * L];
    write(&mut exponent, &half);
    let exponent = &exponent[8 * L - len(&exponent)..];
    let power = n.power(&n.enter(base), exponent);
    Some(power == n.one || power == n.sub(&[0; L], &n.one))
}

/// A private key: primes, the exponent modulo each less one, and 1/q modulo p.
struct Key<'a> {
    p: &'a [u8],
    q: &'a [u8],
    dp: &'a [u8],
    dq: &'a [u8],
    inverse: &'a [u8],
}

/// The root of c: m2 + q·((m1 − m2)/q mod p), with m1 and m2 the roots modulo p and q.
fn root<const L: usize>(out: &mut [u8], c: &[u8], key: &Key) -> Option<()> {
    let p = Modulus::<L>::new(words(key.p)?)?;
    let q = Modulus::<L>::new(words(key.q)?)?;
    let m1 = p.power(&p.enter(c), key.dp);
    let m2 = q.leave(&q.power(&q.enter(c), key.dq));
    let mut bytes = vec![0; 8 * L];
    write(&mut bytes, &m2);
    // Of the factors one is in Montgomery's form, so the product is not.
    let h = p.mul(&p.sub(&m1, &p.enter(&bytes)), &words(key.inverse)?);
    let mut m = vec![0; 2 * L];
    m[..L].copy_from_slice(&m2);
    for i in 0..L {
        let mut carry = 0;
        for j in 0..L {
            (m[i + j], carry) = h[i].carrying_mul_add(q.n[j], m[i + j], carry);
        }
        // Each row ends one word higher, where nothing is yet.
        m[i + L] = carry;
    }
    write(out, &m);
    Some(())
}

/// Work for the fence: products of words.
fn work(n: usize, exponent: usize) -> usize {
    n.saturating_mul(n).saturating_mul(exponent)
}

natives! {
    "exp" => fenced alters(out) |
        cx,
        out: Slice<u8>,
        x: Slice<u8>,
        exponent: Slice<u8>,
        n: Slice<u8>,
    | {
        let mut out = out;
        let (x, exponent, n) = (x.as_slice(), exponent.as_slice(), n.as_slice());
        fenced!(cx, work(n.len(), exponent.len()), || {
            sized!(len(n), exp(out.as_mut_slice(), x, exponent, n)).is_some()
        })
    }
    "expShort" => fenced alters(out) |
        cx,
        out: Slice<u8>,
        x: Slice<u8>,
        exponent: u64,
        n: Slice<u8>,
    | {
        let mut out = out;
        let (x, n) = (x.as_slice(), n.as_slice());
        fenced!(cx, work(n.len(), 8), || {
            sized!(len(n), exp_short(out.as_mut_slice(), x, exponent, n)).is_some()
        })
    }
    "strong" => fenced |cx, base: Slice<u8>, n: Slice<u8>| {
        let (base, n) = (base.as_slice(), n.as_slice());
        fenced!(cx, work(n.len(), n.len()), || {
            sized!(len(n), strong(base, n)).unwrap_or(false)
        })
    }
    "root" => fenced alters(out) |
        cx,
        out: Slice<u8>,
        c: Slice<u8>,
        p: Slice<u8>,
        q: Slice<u8>,
        dp: Slice<u8>,
        dq: Slice<u8>,
        inverse: Slice<u8>,
    | {
        let mut out = out;
        let c = c.as_slice();
        let key = Key {
            p: p.as_slice(),
            q: q.as_slice(),
            dp: dp.as_slice(),
            dq: dq.as_slice(),
            inverse: inverse.as_slice(),
        };
        let bytes = len(key.p).max(len(key.q));
        fenced!(cx, work(bytes, 2 * bytes), || {
            sized!(bytes, root(out.as_mut_slice(), c, &key)).is_some()
        })
    }
}

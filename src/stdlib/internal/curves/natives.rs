//! Package `internal/curves`: the arithmetic of the NIST curves, of X25519 and of Ed25519.
//!
//! Numbers and coordinates are bytes with the highest first, as many as the curve's coordinates
//! have. A point is 4 and its coordinates; infinity, which is no result, is said by a false one.
//!
//! What a curve computes once, the table of its base point's multiples, is made before a fence is
//! entered: a goroutine must not be suspended while others wait for the table.
//!
//! Go: crypto/internal/fips140/nistec, ecdsa, ed25519, edwards25519; crypto/ecdh.

use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::montgomery::MontgomeryPoint;
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use hmac::{Hmac, KeyInit, Mac};
use p256::elliptic_curve::group::{CurveAffine, Group};
use p256::elliptic_curve::ops::{Invert, Reduce};
use p256::elliptic_curve::point::{AffineCoordinates, DecompressPoint};
use p256::elliptic_curve::subtle::Choice;
use p256::elliptic_curve::{CurveArithmetic, FieldBytes};
use sha2::{Digest, Sha512};
use std::sync::{Once, OnceLock};
use vm::fenced;
use vm::native::{GoStr, Slice};

mod double;

use double::Verifier;

/// What an operation on a curve takes, for the fence: more than a signal's delay.
const WORK: usize = 1 << 16;

/// The operations of a curve. All say whether there is a result.
trait Curve: Send + Sync {
    /// Makes the table of the base point, the first time.
    fn warm(&self);
    /// A point as it is encoded, compressed or not, to `out`.
    fn point(&self, out: &mut [u8], encoded: &[u8]) -> bool;
    fn add(&self, out: &mut [u8], p: &[u8], q: &[u8]) -> bool;
    fn mul(&self, out: &mut [u8], p: &[u8], scalar: &[u8]) -> bool;
    fn base(&self, out: &mut [u8], scalar: &[u8]) -> bool;
    /// The signature, r and s, with private key `d` and nonce `k` of what was hashed to `e`.
    fn sign(&self, out: &mut [u8], d: &[u8], k: &[u8], e: &[u8]) -> bool;
    /// Signs with a nonce made of random bytes, the key and the hash.
    fn sign_hedged(&self, out: &mut [u8], d: &[u8], noise: &[u8], e: &[u8]) -> bool;
    /// Makes what verifying needs, the first time.
    fn warm_verifier(&self);
    fn verify(&self, q: &[u8], r: &[u8], s: &[u8], e: &[u8]) -> bool;
}

/// A curve of the crates, whether its table is there, and what verifies, if it has been made.
struct Nist<C: CurveArithmetic> {
    once: Once,
    verifier: OnceLock<Option<Box<dyn Verifier>>>,
    /// By how many bits the bytes of a number are more than those of the order.
    more: u32,
    curve: std::marker::PhantomData<fn() -> C>,
}

impl<C> Nist<C>
where
    C: CurveArithmetic,
    C::AffinePoint: DecompressPoint<C>,
{
    const fn new(more: u32) -> Nist<C> {
        Nist {
            once: Once::new(),
            verifier: OnceLock::new(),
            more,
            curve: std::marker::PhantomData,
        }
    }

    fn field(bytes: &[u8]) -> Option<FieldBytes<C>> {
        FieldBytes::<C>::try_from(bytes).ok()
    }

    /// The number modulo the order: it is less than twice that.
    fn scalar(bytes: &[u8]) -> Option<C::Scalar> {
        Some(<C::Scalar as Reduce<FieldBytes<C>>>::reduce(&Self::field(
            bytes,
        )?))
    }

    /// Is it a number from one to less than the order?
    fn is_scalar(&self, bytes: &[u8]) -> bool {
        let zero = C::Scalar::from(0);
        let same = |s: C::Scalar| {
            let back: FieldBytes<C> = s.into();
            s != zero && back[..] == *bytes
        };
        Self::scalar(bytes).is_some_and(same)
    }

    fn decode(bytes: &[u8]) -> Option<C::AffinePoint> {
        let (first, rest) = bytes.split_first()?;
        match first {
            4 => {
                let (x, y) = rest.split_at(rest.len() / 2);
                let (x, y) = (Self::field(x)?, Self::field(y)?);
                C::AffinePoint::from_coordinates(&x, &y).into_option()
            }
            2 | 3 => {
                let odd = Choice::from(first & 1);
                C::AffinePoint::decompress(&Self::field(rest)?, odd).into_option()
            }
            _ => None,
        }
    }

    fn encode(out: &mut [u8], p: C::ProjectivePoint) -> bool {
        let p: C::AffinePoint = p.into();
        Self::encode_affine(out, p)
    }

    fn encode_affine(out: &mut [u8], p: C::AffinePoint) -> bool {
        let (x, y) = (p.x(), p.y());
        if bool::from(CurveAffine::is_identity(&p)) || out.len() != 1 + x.len() + y.len() {
            return false;
        }
        out[0] = 4;
        out[1..=x.len()].copy_from_slice(&x);
        out[1 + x.len()..].copy_from_slice(&y);
        true
    }
}

impl<C> Curve for Nist<C>
where
    C: CurveArithmetic,
    C::AffinePoint: DecompressPoint<C>,
{
    fn warm(&self) {
        self.once.call_once(|| {
            std::hint::black_box(C::ProjectivePoint::mul_by_generator(&C::Scalar::from(1)));
        });
    }

    fn point(&self, out: &mut [u8], encoded: &[u8]) -> bool {
        Self::decode(encoded).is_some_and(|p| Self::encode_affine(out, p))
    }

    fn add(&self, out: &mut [u8], p: &[u8], q: &[u8]) -> bool {
        let (Some(p), Some(q)) = (Self::decode(p), Self::decode(q)) else {
            return false;
        };
        Self::encode(
            out,
            C::ProjectivePoint::from(p) + C::ProjectivePoint::from(q),
        )
    }

    fn mul(&self, out: &mut [u8], p: &[u8], scalar: &[u8]) -> bool {
        let (Some(p), Some(scalar)) = (Self::decode(p), Self::scalar(scalar)) else {
            return false;
        };
        Self::encode(out, C::ProjectivePoint::from(p) * scalar)
    }

    fn base(&self, out: &mut [u8], scalar: &[u8]) -> bool {
        let point = Self::scalar(scalar).map(|s| C::ProjectivePoint::mul_by_generator(&s));
        point.is_some_and(|p| Self::encode(out, p))
    }

    fn sign(&self, out: &mut [u8], d: &[u8], k: &[u8], e: &[u8]) -> bool {
        let sign = || {
            let (d, k, e) = (Self::scalar(d)?, Self::scalar(k)?, Self::scalar(e)?);
            let point: C::AffinePoint = C::ProjectivePoint::mul_by_generator(&k).into();
            let r = Self::scalar(&point.x())?;
            let inverse = Invert::invert(&k).into_option()?;
            let s = (r * d + e) * inverse;
            Some((r, s))
        };
        let Some((r, s)) = sign() else { return false };
        let zero = C::Scalar::from(0);
        let (r_bytes, s_bytes): (FieldBytes<C>, FieldBytes<C>) = (r.into(), s.into());
        if r == zero || s == zero || out.len() != r_bytes.len() + s_bytes.len() {
            return false;
        }
        out[..r_bytes.len()].copy_from_slice(&r_bytes);
        out[r_bytes.len()..].copy_from_slice(&s_bytes);
        true
    }

    fn sign_hedged(&self, out: &mut [u8], d: &[u8], noise: &[u8], e: &[u8]) -> bool {
        let Some(reduced) = Self::scalar(e) else {
            return false;
        };
        let reduced: FieldBytes<C> = reduced.into();
        // Each part of what the generator starts with begins with a block of the hash function.
        let zeros = [0; BLOCK];
        let after = |n: usize| &zeros[..n.next_multiple_of(BLOCK) - n];
        let seed = [
            noise,
            after(SUM + 1 + noise.len()),
            d,
            after(d.len()),
            &reduced,
        ];
        let mut generator = Generator::new(&seed);
        let mut k = vec![0; d.len()];
        loop {
            generator.fill(&mut k);
            shift(&mut k, self.more);
            if self.is_scalar(&k) {
                return self.sign(out, d, &k, e);
            }
        }
    }

    fn warm_verifier(&self) {
        self.verifier.get_or_init(|| {
            let base = C::AffinePoint::generator();
            let negative = -C::ProjectivePoint::from(base);
            let negative: C::AffinePoint = negative.into();
            let both = |p: C::AffinePoint| [&p.x()[..], &p.y()[..]].concat();
            let last: FieldBytes<C> = (-C::Scalar::from(1)).into();
            double::verifier(&both(base), &both(negative), &last)
        });
    }

    fn verify(&self, q: &[u8], r: &[u8], s: &[u8], e: &[u8]) -> bool {
        let verify = || {
            Self::decode(q)?;
            let (s, e) = (Self::scalar(s)?, Self::scalar(e)?);
            let inverse = Invert::invert_vartime(&s).into_option()?;
            let u1: FieldBytes<C> = (e * inverse).into();
            let u2: FieldBytes<C> = (Self::scalar(r)? * inverse).into();
            let verifier = self.verifier.get()?.as_ref()?;
            verifier.verify(&u1, &u2, &q[1..], r)
        };
        verify().unwrap_or(false)
    }
}

/// Bytes of a sum and of a block of SHA-512.
const SUM: usize = 64;
const BLOCK: usize = 128;

/// Random bytes of what it is given at first: HMAC_DRBG of NIST SP 800-90A with SHA-512. The Go
/// source of crypto/ecdsa has it for other hash functions.
struct Generator {
    key: [u8; SUM],
    value: [u8; SUM],
}

impl Generator {
    fn new(seed: &[&[u8]]) -> Generator {
        let mut generator = Generator {
            key: [0; SUM],
            value: [1; SUM],
        };
        generator.update(0, seed);
        generator.update(1, seed);
        generator
    }

    fn mac(&self, parts: &[&[u8]]) -> [u8; SUM] {
        let Ok(mut mac) = Hmac::<Sha512>::new_from_slice(&self.key) else {
            return [0; SUM];
        };
        parts.iter().for_each(|p| mac.update(p));
        mac.finalize().into_bytes().into()
    }

    fn update(&mut self, round: u8, more: &[&[u8]]) {
        let begun = [&self.value[..], &[round]];
        self.key = self.mac(&[&begun[..], more].concat());
        self.value = self.mac(&[&self.value]);
    }

    fn fill(&mut self, out: &mut [u8]) {
        for piece in out.chunks_mut(SUM) {
            self.value = self.mac(&[&self.value]);
            piece.copy_from_slice(&self.value[..piece.len()]);
        }
        self.update(0, &[]);
    }
}

/// Shifts a number right by less than eight bits.
fn shift(number: &mut [u8], bits: u32) {
    let mut above = 0u16;
    for b in number {
        let both = above << 8 | u16::from(*b);
        above = u16::from(*b);
        *b = (both >> bits) as u8;
    }
}

static P224: Nist<p224::NistP224> = Nist::new(0);
static P256: Nist<p256::NistP256> = Nist::new(0);
static P384: Nist<p384::NistP384> = Nist::new(0);
static P521: Nist<p521::NistP521> = Nist::new(7);

/// The curve of that number, as the Go source counts them, which is ready for use.
fn curve(i: i64) -> &'static dyn Curve {
    let curve: &dyn Curve = match i {
        0 => &P224,
        1 => &P256,
        2 => &P384,
        _ => &P521,
    };
    curve.warm();
    curve
}

/// What a seed is stretched to: the scalar, and the start of what is hashed for a nonce.
fn stretched(seed: &[u8]) -> (Scalar, [u8; 32]) {
    let hash: [u8; 64] = Sha512::digest(seed).into();
    let (mut scalar, mut prefix) = ([0; 32], [0; 32]);
    scalar.copy_from_slice(&hash[..32]);
    prefix.copy_from_slice(&hash[32..]);
    (Scalar::from_bytes_mod_order(clamp_integer(scalar)), prefix)
}

fn hashed(parts: &[&[u8]]) -> Scalar {
    let mut hash = Sha512::new();
    parts.iter().for_each(|p| hash.update(p));
    Scalar::from_bytes_mod_order_wide(&hash.finalize().into())
}

fn ed_sign(sig: &mut [u8], key: &[u8], message: &[u8], domain: &[u8]) {
    let (seed, public) = key.split_at(32);
    let (scalar, prefix) = stretched(seed);
    let nonce = hashed(&[domain, &prefix, message]);
    let point = EdwardsPoint::mul_base(&nonce).compress();
    let k = hashed(&[domain, point.as_bytes(), public, message]);
    sig[..32].copy_from_slice(point.as_bytes());
    sig[32..].copy_from_slice((k * scalar + nonce).as_bytes());
}

fn ed_verify(public: &[u8], message: &[u8], sig: &[u8], domain: &[u8]) -> bool {
    let verify = || {
        let a = CompressedEdwardsY::from_slice(public).ok()?.decompress()?;
        let s = <[u8; 32]>::try_from(&sig[32..]).ok()?;
        let s = Scalar::from_canonical_bytes(s).into_option()?;
        let k = hashed(&[domain, &sig[..32], public, message]);
        let r = EdwardsPoint::vartime_double_scalar_mul_basepoint(&k, &-a, &s);
        Some(r.compress().as_bytes() == &sig[..32])
    };
    verify().unwrap_or(false)
}

fn is_point(public: &[u8]) -> bool {
    let point = CompressedEdwardsY::from_slice(public);
    point.is_ok_and(|p| p.decompress().is_some())
}

natives! {
    "point" => fenced alters(out) |cx, i: i64, out: Slice<u8>, encoded: Slice<u8>| {
        let (c, mut out) = (curve(i), out);
        fenced!(cx, WORK, || c.point(out.as_mut_slice(), encoded.as_slice()))
    }
    "add" => fenced alters(out) |cx, i: i64, out: Slice<u8>, p: Slice<u8>, q: Slice<u8>| {
        let (c, mut out) = (curve(i), out);
        fenced!(cx, WORK, || c.add(out.as_mut_slice(), p.as_slice(), q.as_slice()))
    }
    "mul" => fenced alters(out) |cx, i: i64, out: Slice<u8>, p: Slice<u8>, scalar: Slice<u8>| {
        let (c, mut out) = (curve(i), out);
        fenced!(cx, WORK, || c.mul(out.as_mut_slice(), p.as_slice(), scalar.as_slice()))
    }
    "base" => fenced alters(out) |cx, i: i64, out: Slice<u8>, scalar: Slice<u8>| {
        let (c, mut out) = (curve(i), out);
        fenced!(cx, WORK, || c.base(out.as_mut_slice(), scalar.as_slice()))
    }
    "sign" => fenced alters(out) |
        cx,
        i: i64,
        out: Slice<u8>,
        d: Slice<u8>,
        k: Slice<u8>,
        e: Slice<u8>,
    | {
        let (c, mut out) = (curve(i), out);
        let (d, k, e) = (d.as_slice(), k.as_slice(), e.as_slice());
        fenced!(cx, WORK, || c.sign(out.as_mut_slice(), d, k, e))
    }
    "signHedged" => fenced alters(out) |
        cx,
        i: i64,
        out: Slice<u8>,
        d: Slice<u8>,
        noise: Slice<u8>,
        e: Slice<u8>,
    | {
        let (c, mut out) = (curve(i), out);
        let (d, noise, e) = (d.as_slice(), noise.as_slice(), e.as_slice());
        fenced!(cx, WORK, || c.sign_hedged(out.as_mut_slice(), d, noise, e))
    }
    "verify" => fenced |
        cx,
        i: i64,
        q: Slice<u8>,
        r: Slice<u8>,
        s: Slice<u8>,
        e: Slice<u8>,
    | {
        let c = curve(i);
        c.warm_verifier();
        let (q, r, s, e) = (q.as_slice(), r.as_slice(), s.as_slice(), e.as_slice());
        fenced!(cx, WORK, || c.verify(q, r, s, e))
    }
    "x25519" => fenced alters(out) |cx, out: Slice<u8>, scalar: Slice<u8>, point: Slice<u8>| {
        let mut out = out;
        let (Ok(scalar), Ok(point)) = (
            <[u8; 32]>::try_from(scalar.as_slice()),
            <[u8; 32]>::try_from(point.as_slice()),
        ) else {
            return;
        };
        let got = fenced!(cx, WORK, || MontgomeryPoint(point).mul_clamped(scalar).to_bytes());
        out.as_mut_slice().copy_from_slice(&got);
    }
    "x25519Base" => fenced alters(out) |cx, out: Slice<u8>, scalar: Slice<u8>| {
        let mut out = out;
        let Ok(scalar) = <[u8; 32]>::try_from(scalar.as_slice()) else {
            return;
        };
        let got = fenced!(cx, WORK, || MontgomeryPoint::mul_base_clamped(scalar).to_bytes());
        out.as_mut_slice().copy_from_slice(&got);
    }
    "edPublic" => fenced alters(out) |cx, out: Slice<u8>, seed: Slice<u8>| {
        let mut out = out;
        let seed = seed.as_slice();
        let got = fenced!(cx, WORK, || EdwardsPoint::mul_base(&stretched(seed).0).compress());
        out.as_mut_slice().copy_from_slice(got.as_bytes());
    }
    "edSign" => fenced alters(sig) |
        cx,
        sig: Slice<u8>,
        key: Slice<u8>,
        message: Slice<u8>,
        domain: GoStr,
    | {
        let mut sig = sig;
        let (key, message, domain) = (key.as_slice(), message.as_slice(), domain.as_bytes());
        let work = WORK + 2 * message.len();
        fenced!(cx, work, || ed_sign(sig.as_mut_slice(), key, message, domain))
    }
    "edVerify" => fenced |
        cx,
        public: Slice<u8>,
        message: Slice<u8>,
        sig: Slice<u8>,
        domain: GoStr,
    | {
        let (public, message) = (public.as_slice(), message.as_slice());
        let (sig, domain) = (sig.as_slice(), domain.as_bytes());
        fenced!(cx, WORK + message.len(), || ed_verify(public, message, sig, domain))
    }
    "edPoint" => fenced |cx, public: Slice<u8>| {
        let public = public.as_slice();
        fenced!(cx, WORK, || is_point(public))
    }
}

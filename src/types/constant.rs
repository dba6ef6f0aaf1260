//! Constants of arbitrary precision.
//!
//! Integers are exact, floats are exact fractions while numerator and denominator stay below some
//! thousand bits, and 512-bit floats beyond. The operations take operands that the checker has
//! matched in kind; what makes no sense (division by zero, mismatched kinds) gives
//! [`Value::Unknown`], never a panic.
//!
//! # Invariants
//!
//! - K1. `BigInt` never holds what fits an `Int`; so equal integers have equal representations.
//! - K2. A `BigFloat`'s mantissa has at most [`PRECISION`] bits and is odd or zero.
//!
//! Go: go/constant. Spec: Constants, Constant expressions.

use super::text::Text;
use super::typestring::quote;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use syntax::ast::{BinOp, LitKind, literal};

/// Bits of a [`BigFloat`].
const PRECISION: u64 = 512;
/// Fractions hold numbers up to about 2^±this.
const MAX_RAT_EXP: i64 = 4 << 10;

/// An exact constant. Integers are kept small where they fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub enum Value {
    Unknown,
    Bool(bool),
    Str(Text),
    Int(i64),
    /// Does not fit in an i64.
    BigInt(Rc<BigInt>),
    /// Not an integer unless produced by float arithmetic.
    Rat(Rc<BigRational>),
    /// Beyond what rationals can reasonably hold: mantissa × 2^exponent with 512 bits.
    Float(Rc<BigFloat>),
    Complex(Rc<(Value, Value)>),
}

/// A [`Value`] as it is written out.
#[derive(Serialize, Deserialize)]
enum Written {
    Unknown,
    Bool(bool),
    Str(Vec<u8>),
    Int(i64),
    BigInt(Vec<u8>),
    Rat(Vec<u8>, Vec<u8>),
    Float(Vec<u8>, i64),
    Complex(Box<(Value, Value)>),
}

impl From<Value> for Written {
    fn from(v: Value) -> Written {
        match v {
            Value::Unknown => Written::Unknown,
            Value::Bool(b) => Written::Bool(b),
            Value::Str(s) => Written::Str(s.to_vec()),
            Value::Int(i) => Written::Int(i),
            Value::BigInt(i) => Written::BigInt(i.to_signed_bytes_le()),
            Value::Rat(r) => Written::Rat(
                r.numer().to_signed_bytes_le(),
                r.denom().to_signed_bytes_le(),
            ),
            Value::Float(f) => Written::Float(f.mant.to_signed_bytes_le(), f.exp),
            Value::Complex(c) => Written::Complex(Box::new((*c).clone())),
        }
    }
}

impl From<Written> for Value {
    fn from(w: Written) -> Value {
        let int = |bytes: Vec<u8>| BigInt::from_signed_bytes_le(&bytes);
        match w {
            Written::Unknown => Value::Unknown,
            Written::Bool(b) => Value::Bool(b),
            Written::Str(s) => Value::Str(s.into()),
            Written::Int(i) => Value::Int(i),
            Written::BigInt(i) => Value::BigInt(Rc::new(int(i))),
            Written::Rat(n, d) => Value::Rat(Rc::new(BigRational::new_raw(int(n), int(d)))),
            Written::Float(mant, exp) => {
                let mant = int(mant);
                Value::Float(Rc::new(BigFloat { mant, exp }))
            }
            Written::Complex(c) => Value::Complex(Rc::new(*c)),
        }
    }
}

/// mant × 2^exp, mantissa rounded to 512 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct BigFloat {
    pub mant: BigInt,
    pub exp: i64,
}

/// Distinguishes constants by value: for duplicate cases and keys.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    Bool(bool),
    Str(Rc<[u8]>),
    Int(i64),
    Other(String),
}

impl BigFloat {
    fn new(mut mant: BigInt, mut exp: i64) -> BigFloat {
        let bits = mant.bits();
        if bits > PRECISION {
            let drop = bits - PRECISION;
            let half = BigInt::one() << (drop - 1);
            let negative = mant.is_negative();
            let mag = mant.abs();
            let low = &mag & ((BigInt::one() << drop) - 1);
            let mut q: BigInt = &mag >> drop;
            if low > half || low == half && q.is_odd() {
                q += 1;
            }
            mant = if negative { -q } else { q };
            exp += drop as i64;
        }
        if mant.is_zero() {
            return BigFloat { mant, exp: 0 };
        }
        let zeros = mant.trailing_zeros().unwrap_or(0);
        BigFloat {
            mant: mant >> zeros,
            exp: exp + zeros as i64,
        }
    }
    fn from_rat(r: &BigRational) -> BigFloat {
        let shift = (PRECISION + 64) as i64 + r.denom().bits() as i64 - r.numer().bits() as i64;
        let num = if shift >= 0 {
            r.numer() << shift
        } else {
            r.numer() >> -shift
        };
        let (mut q, rem) = num.abs().div_rem(r.denom());
        // A sticky bit keeps the rounding right.
        q <<= 1;
        if !rem.is_zero() {
            q += 1;
        }
        if r.is_negative() {
            q = -q;
        }
        BigFloat::new(q, -shift - 1)
    }
    fn add(&self, o: &BigFloat) -> BigFloat {
        let (hi, lo) = if self.exp >= o.exp {
            (self, o)
        } else {
            (o, self)
        };
        if lo.mant.is_zero() {
            return hi.clone();
        }
        if hi.mant.is_zero() {
            return lo.clone();
        }
        let gap = hi.exp - lo.exp;
        if gap > 2 * PRECISION as i64 + 64 {
            let top = |f: &BigFloat| f.exp + f.mant.bits() as i64;
            return if top(hi) >= top(lo) {
                hi.clone()
            } else {
                lo.clone()
            };
        }
        BigFloat::new((&hi.mant << gap) + &lo.mant, lo.exp)
    }
    fn mul(&self, o: &BigFloat) -> BigFloat {
        BigFloat::new(&self.mant * &o.mant, self.exp.saturating_add(o.exp))
    }
    fn div(&self, o: &BigFloat) -> BigFloat {
        let r = BigRational::new(self.mant.clone(), o.mant.clone());
        let mut q = BigFloat::from_rat(&r);
        q.exp += self.exp - o.exp;
        q
    }
    fn neg(&self) -> BigFloat {
        BigFloat {
            mant: -&self.mant,
            exp: self.exp,
        }
    }
    /// Binary exponent e with value in [2^(e-1), 2^e).
    fn magnitude(&self) -> i64 {
        self.exp + self.mant.bits() as i64
    }
    fn pow10(mut n: u64) -> BigFloat {
        let mut result = BigFloat::new(BigInt::one(), 0);
        let mut base = BigFloat::new(BigInt::from(10), 0);
        while n > 0 {
            if n & 1 == 1 {
                result = result.mul(&base);
            }
            base = base.mul(&base);
            n >>= 1;
        }
        result
    }
}

impl Value {
    pub fn str(s: &[u8]) -> Value {
        Value::Str(s.to_vec().into())
    }
    pub(crate) fn from_big(n: BigInt) -> Value {
        match n.to_i64() {
            Some(i) => Value::Int(i),
            None => Value::BigInt(Rc::new(n)),
        }
    }
    /// The float's exact value; `Unknown` for infinities and NaN.
    pub(crate) fn from_f64(f: f64) -> Value {
        match BigRational::from_float(f) {
            Some(r) => Value::from_rat(r),
            None => Value::Unknown,
        }
    }
    fn from_rat(r: BigRational) -> Value {
        if r.numer().bits() as i64 > MAX_RAT_EXP || r.denom().bits() as i64 > MAX_RAT_EXP {
            return Value::Float(Rc::new(BigFloat::from_rat(&r)));
        }
        Value::Rat(Rc::new(r))
    }
    fn from_float(f: BigFloat) -> Value {
        if f.mant.is_zero() {
            return Value::Rat(Rc::new(BigRational::zero()));
        }
        Value::Float(Rc::new(f))
    }
    /// Go's floats have 32-bit exponents: beyond are infinity and zero.
    fn bounded(f: BigFloat) -> Value {
        if f.magnitude() > i64::from(i32::MAX) {
            return Value::Unknown;
        }
        if f.magnitude() < i64::from(i32::MIN) {
            return Value::Rat(Rc::new(BigRational::zero()));
        }
        Value::from_float(f)
    }
    pub fn complex(re: Value, im: Value) -> Value {
        if re == Value::Unknown || im == Value::Unknown {
            return Value::Unknown;
        }
        Value::Complex(Rc::new((re, im)))
    }
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Value::Unknown)
    }
    pub fn is_numeric(&self) -> bool {
        matches!(
            self,
            Value::Int(_) | Value::BigInt(_) | Value::Rat(_) | Value::Float(_) | Value::Complex(_)
        )
    }

    /// The value of a literal; `Unknown` if malformed.
    pub(crate) fn from_literal(kind: LitKind, text: &str) -> Value {
        match kind {
            LitKind::Int => parse_int(text).map_or(Value::Unknown, Value::from_big),
            LitKind::Float => parse_float(text),
            LitKind::Imag => {
                let body = &text[..text.len() - 1];
                // For compatibility `0123i` is decimal.
                let digits = body.replace('_', "");
                let im = if digits.bytes().all(|b| b.is_ascii_digit()) {
                    digits
                        .parse::<BigInt>()
                        .map_or(Value::Unknown, Value::from_big)
                } else if let Some(n) = parse_int(body) {
                    Value::from_big(n)
                } else {
                    parse_float(body)
                };
                Value::complex(Value::Int(0), im)
            }
            LitKind::Char => {
                literal::unquote_rune(text).map_or(Value::Unknown, |c| Value::Int(c.into()))
            }
            LitKind::String => {
                literal::unquote(text).map_or(Value::Unknown, |b| Value::Str(b.to_vec().into()))
            }
        }
    }

    /// As an integer value, if it is one exactly.
    pub(crate) fn to_int(&self) -> Option<Value> {
        match self {
            Value::Int(_) | Value::BigInt(_) => Some(self.clone()),
            Value::Rat(r) if r.is_integer() => Some(Value::from_big(r.to_integer())),
            Value::Float(f) => {
                // 512-bit floats stand for rounded values:
                // accept those that are integers and not absurdly large.
                if f.exp >= 0 && f.exp < 1 << 20 {
                    return Some(Value::from_big(&f.mant << f.exp));
                }
                // Rounding errors of long computations are forgiven, as Go does.
                let m = f.magnitude();
                if f.exp < 0 && (0..=PRECISION as i64).contains(&m) {
                    let keep = PRECISION as i64 - 4 - m;
                    if keep >= 0 {
                        let scaled = BigFloat::new(f.mant.clone(), f.exp);
                        let half = BigInt::one() << (-f.exp - 1);
                        let rounded: BigInt = (&scaled.mant + half) >> -f.exp;
                        let diff = (&rounded << -f.exp) - &f.mant;
                        if (diff.bits() as i64 + f.exp) < -(keep - 4) && !rounded.is_zero() {
                            return Some(Value::from_big(rounded));
                        }
                    }
                }
                None
            }
            Value::Complex(c) if c.1.is_zero() => c.0.to_int(),
            _ => None,
        }
    }

    /// As a float value, if it has no imaginary part.
    pub(crate) fn to_float(&self) -> Option<Value> {
        match self {
            Value::Int(i) => Some(Value::Rat(Rc::new(BigRational::from_integer(
                BigInt::from(*i),
            )))),
            Value::BigInt(n) => Some(Value::from_rat(BigRational::from_integer((**n).clone()))),
            Value::Rat(_) | Value::Float(_) => Some(self.clone()),
            Value::Complex(c) if c.1.is_zero() => c.0.to_float(),
            _ => None,
        }
    }

    /// As a complex value.
    pub(crate) fn to_complex(&self) -> Option<Value> {
        match self {
            Value::Complex(_) => Some(self.clone()),
            v if v.is_numeric() => Some(Value::complex(v.clone(), Value::Int(0))),
            _ => None,
        }
    }

    pub fn real(&self) -> Value {
        match self {
            Value::Complex(c) => c.0.clone(),
            v => v.clone(),
        }
    }
    pub fn imag(&self) -> Value {
        match self {
            Value::Complex(c) => c.1.clone(),
            Value::Unknown => Value::Unknown,
            _ => Value::Int(0),
        }
    }

    pub fn is_zero(&self) -> bool {
        self.sign() == 0 && self.is_numeric()
    }

    /// -1, 0 or 1; of a complex number: 0 if it is zero, else 1.
    pub fn sign(&self) -> i32 {
        let of = |s: Sign| match s {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        };
        match self {
            Value::Int(i) => i.signum() as i32,
            Value::BigInt(n) => of(n.sign()),
            Value::Rat(r) => of(r.numer().sign()),
            Value::Float(f) => of(f.mant.sign()),
            Value::Complex(c) => c.0.sign() | c.1.sign(),
            _ => 1,
        }
    }

    /// How many bits the magnitude of an integer has.
    pub(crate) fn bit_len(&self) -> u64 {
        match self {
            Value::Int(i) => 64 - u64::from(i.unsigned_abs().leading_zeros()),
            Value::BigInt(n) => n.bits(),
            _ => 0,
        }
    }

    pub(crate) fn to_bigint(&self) -> Option<BigInt> {
        match self.to_int()? {
            Value::Int(i) => Some(BigInt::from(i)),
            Value::BigInt(n) => Some((*n).clone()),
            _ => None,
        }
    }
    /// The integer, if it is one and fits.
    pub(crate) fn as_i64(&self) -> Option<i64> {
        match self.to_int()? {
            Value::Int(i) => Some(i),
            _ => None,
        }
    }
    /// The integer, if it is one, not negative, and fits.
    pub(crate) fn as_u64(&self) -> Option<u64> {
        match self.to_int()? {
            Value::Int(i) => u64::try_from(i).ok(),
            Value::BigInt(n) => n.to_u64(),
            _ => None,
        }
    }
    /// The integer's 64 bits in two's complement, whichever sign: what a register holds.
    pub fn bits64(&self) -> Option<u64> {
        self.as_i64().map(|i| i as u64).or_else(|| self.as_u64())
    }
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::Str(s) => Some(s),
            _ => None,
        }
    }
    /// The number of bytes of a string.
    pub(crate) fn text_len(&self) -> Option<usize> {
        match self {
            Value::Str(s) => Some(s.len()),
            _ => None,
        }
    }
    /// The nearest float64; infinite if too large.
    pub fn as_f64(&self) -> Option<f64> {
        self.round_float(53, -1074, 1024)
    }
    /// The nearest float32; infinite if too large.
    pub fn as_f32(&self) -> Option<f32> {
        self.round_float(24, -149, 128).map(|f| f as f32)
    }
    /// Real and imaginary part as float64.
    pub fn as_complex(&self) -> Option<(f64, f64)> {
        Some((self.real().as_f64()?, self.imag().as_f64()?))
    }

    /// Rounds to `bits` of mantissa, smallest exponent `min`, infinite from 2^`max`; ties to even.
    fn round_float(&self, bits: i64, min: i64, max: i64) -> Option<f64> {
        let f = match self {
            Value::Int(i) if i.unsigned_abs() < 1 << 24 => return Some(*i as f64),
            Value::Int(i) => BigFloat {
                mant: BigInt::from(*i),
                exp: 0,
            },
            Value::BigInt(n) => BigFloat {
                mant: (**n).clone(),
                exp: 0,
            },
            Value::Rat(r) => {
                if r.is_zero() {
                    return Some(0.0);
                }
                // Enough bits and a sticky one; not rounded here, so that rounding happens once.
                let shift = 128 + r.denom().bits() as i64 - r.numer().bits() as i64;
                let (num, den) = if shift >= 0 {
                    (r.numer().abs() << shift, r.denom().clone())
                } else {
                    (r.numer().abs(), r.denom() << -shift)
                };
                let (q, rem) = num.div_rem(&den);
                let mut q: BigInt = q << 1;
                if !rem.is_zero() {
                    q += 1;
                }
                BigFloat {
                    mant: if r.is_negative() { -q } else { q },
                    exp: -shift - 1,
                }
            }
            Value::Float(f) => (**f).clone(),
            Value::Complex(c) if c.1.is_zero() => return c.0.round_float(bits, min, max),
            _ => return None,
        };
        if f.mant.is_zero() {
            return Some(0.0);
        }
        let negative = f.mant.is_negative();
        let mag = f.mant.abs();
        let top = f.exp.saturating_add(mag.bits() as i64);
        if top > max + 1 {
            return Some(if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            });
        }
        if top < min - 1 {
            return Some(0.0);
        }
        let unit = (top - bits).max(min);
        let drop = unit - f.exp;
        let (mut m, unit) = if drop <= 0 {
            (mag << -drop, unit)
        } else {
            let low = &mag & ((BigInt::one() << drop) - 1);
            let half: BigInt = BigInt::one() << (drop - 1);
            let mut q: BigInt = mag >> drop;
            if low > half || low == half && q.is_odd() {
                q += 1;
            }
            (q, unit)
        };
        if m.is_negative() {
            m = -m;
        }
        let m = m.to_u64().unwrap_or(u64::MAX) as f64;
        // Two steps keep subnormal results exact.
        let value = if unit < -1000 {
            m * 2f64.powi(-1000) * 2f64.powi((unit + 1000) as i32)
        } else {
            m * 2f64.powi(unit.min(1023) as i32) * if unit > 1023 { f64::INFINITY } else { 1.0 }
        };
        let value = if max < 1024 && value >= 2f64.powi(max as i32) {
            f64::INFINITY
        } else {
            value
        };
        Some(if negative { -value } else { value })
    }

    /// The value rounded to float64 or float32, as a constant again; `None` on overflow.
    pub fn rounded(&self, single: bool) -> Option<Value> {
        let f = if single {
            f64::from(self.as_f32()?)
        } else {
            self.as_f64()?
        };
        if f.is_infinite() {
            return None;
        }
        Some(Value::from_f64(f + 0.0))
    }

    /// `-x`, `+x`, `!x`; see [`complement`](Self::complement) for `^x`.
    pub fn neg(&self) -> Value {
        match self {
            Value::Int(i) => Value::from_big(-BigInt::from(*i)),
            Value::BigInt(n) => Value::from_big(-(**n).clone()),
            Value::Rat(r) => Value::Rat(Rc::new(-(**r).clone())),
            Value::Float(f) => Value::Float(Rc::new(f.neg())),
            Value::Complex(c) => Value::complex(c.0.neg(), c.1.neg()),
            _ => Value::Unknown,
        }
    }

    /// `^x`; for an unsigned type of `bits` bits the result is cut to them.
    pub(crate) fn complement(&self, unsigned_bits: Option<u32>) -> Value {
        let Some(n) = self.to_bigint() else {
            return Value::Unknown;
        };
        let mut r: BigInt = -n - 1;
        if let Some(bits) = unsigned_bits {
            r &= (BigInt::one() << bits) - 1;
        }
        Value::from_big(r)
    }

    /// Makes both operands the same kind, the larger of the two.
    fn matched(x: &Value, y: &Value) -> (Value, Value) {
        fn rank(v: &Value) -> u8 {
            match v {
                Value::Int(_) => 1,
                Value::BigInt(_) => 2,
                Value::Rat(_) => 3,
                Value::Float(_) => 4,
                Value::Complex(_) => 5,
                _ => 0,
            }
        }
        fn lift(v: &Value, to: u8) -> Value {
            match to {
                5 => v.to_complex().unwrap_or(Value::Unknown),
                4 => match v.to_float() {
                    Some(Value::Rat(r)) => Value::Float(Rc::new(BigFloat::from_rat(&r))),
                    Some(v) => v,
                    None => Value::Unknown,
                },
                3 => v.to_float().unwrap_or(Value::Unknown),
                _ => v.clone(),
            }
        }
        let to = rank(x).max(rank(y));
        let (a, b) = (lift(x, to), lift(y, to));
        // An integer beyond the range of fractions becomes a float.
        match (&a, &b) {
            (Value::Rat(_), Value::Float(_)) => (lift(&a, 4), b),
            (Value::Float(_), Value::Rat(_)) => {
                let b = lift(&b, 4);
                (a, b)
            }
            _ => (a, b),
        }
    }

    /// `x op y` for arithmetic and logical operators.
    /// `int_div`: `/` truncates. Division by zero gives `Unknown`.
    pub fn binary(x: &Value, op: BinOp, y: &Value, int_div: bool) -> Value {
        // The common case first.
        if let (Value::Int(a), Value::Int(b)) = (x, y) {
            let r = match op {
                BinOp::Add => a.checked_add(*b),
                BinOp::Sub => a.checked_sub(*b),
                BinOp::Mul => a.checked_mul(*b),
                BinOp::Div if int_div && *b != 0 => a.checked_div(*b),
                BinOp::Rem if *b != 0 => a.checked_rem(*b),
                BinOp::And => Some(a & b),
                BinOp::Or => Some(a | b),
                BinOp::Xor => Some(a ^ b),
                BinOp::AndNot => Some(a & !b),
                _ => None,
            };
            if let Some(r) = r {
                return Value::Int(r);
            }
        }
        match Value::matched(x, y) {
            (Value::Bool(a), Value::Bool(b)) => match op {
                BinOp::LAnd => Value::Bool(a && b),
                BinOp::LOr => Value::Bool(a || b),
                _ => Value::Unknown,
            },
            (Value::Str(a), Value::Str(b)) if op == BinOp::Add => Value::Str(a.join(&b)),
            (a @ (Value::Int(_) | Value::BigInt(_)), b @ (Value::Int(_) | Value::BigInt(_))) => {
                let (Some(a), Some(b)) = (a.to_bigint(), b.to_bigint()) else {
                    return Value::Unknown;
                };
                Value::from_big(match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a * b,
                    BinOp::Div | BinOp::Rem if b.is_zero() => return Value::Unknown,
                    BinOp::Div if int_div => a / b,
                    BinOp::Div => return Value::from_rat(BigRational::new(a, b)),
                    BinOp::Rem => a % b,
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    BinOp::AndNot => a & (-b - 1),
                    _ => return Value::Unknown,
                })
            }
            (Value::Rat(a), Value::Rat(b)) => Value::from_rat(match op {
                BinOp::Add => &*a + &*b,
                BinOp::Sub => &*a - &*b,
                BinOp::Mul => &*a * &*b,
                BinOp::Div if !b.is_zero() => &*a / &*b,
                _ => return Value::Unknown,
            }),
            (Value::Float(a), Value::Float(b)) => Value::bounded(match op {
                BinOp::Add => a.add(&b),
                BinOp::Sub => a.add(&b.neg()),
                BinOp::Mul => a.mul(&b),
                BinOp::Div if !b.mant.is_zero() => a.div(&b),
                _ => return Value::Unknown,
            }),
            (Value::Complex(a), Value::Complex(b)) => {
                let f = |x: &Value, op, y: &Value| Value::binary(x, op, y, false);
                let ((a, b), (c, d)) = (&*a, &*b);
                use BinOp::{Add, Div, Mul, Sub};
                match op {
                    Add | Sub => Value::complex(f(a, op, c), f(b, op, d)),
                    Mul => Value::complex(
                        f(&f(a, Mul, c), Sub, &f(b, Mul, d)),
                        f(&f(b, Mul, c), Add, &f(a, Mul, d)),
                    ),
                    Div => {
                        let s = f(&f(c, Mul, c), Add, &f(d, Mul, d));
                        Value::complex(
                            f(&f(&f(a, Mul, c), Add, &f(b, Mul, d)), Div, &s),
                            f(&f(&f(b, Mul, c), Sub, &f(a, Mul, d)), Div, &s),
                        )
                    }
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }

    /// `x << n` or `x >> n` of an integer.
    pub fn shift(&self, left: bool, n: u64) -> Value {
        let Some(x) = self.to_bigint() else {
            return Value::Unknown;
        };
        Value::from_big(if left { x << n } else { x >> n })
    }

    /// `x op y` for comparisons.
    pub fn compare(x: &Value, op: BinOp, y: &Value) -> bool {
        use std::cmp::Ordering;
        let by = |o: Ordering| match op {
            BinOp::Eq => o.is_eq(),
            BinOp::Ne => o.is_ne(),
            BinOp::Lt => o.is_lt(),
            BinOp::Le => o.is_le(),
            BinOp::Gt => o.is_gt(),
            BinOp::Ge => o.is_ge(),
            _ => false,
        };
        match Value::matched(x, y) {
            (Value::Bool(a), Value::Bool(b)) => by(a.cmp(&b)),
            (Value::Str(a), Value::Str(b)) => by((*a).cmp(&*b)),
            (Value::Int(a), Value::Int(b)) => by(a.cmp(&b)),
            (Value::Rat(a), Value::Rat(b)) => by(a.cmp(&b)),
            (Value::Complex(a), Value::Complex(b)) => {
                let same =
                    Value::compare(&a.0, BinOp::Eq, &b.0) && Value::compare(&a.1, BinOp::Eq, &b.1);
                if op == BinOp::Eq { same } else { !same }
            }
            (Value::Float(a), Value::Float(b)) => by(a.add(&b.neg()).mant.cmp(&BigInt::zero())),
            (Value::Unknown, _) | (_, Value::Unknown) => false,
            (a, b) => match (a.to_bigint(), b.to_bigint()) {
                (Some(a), Some(b)) => by(a.cmp(&b)),
                _ => false,
            },
        }
    }

    /// A key equal for equal constants of one type.
    pub fn key(&self) -> Key {
        match self {
            Value::Bool(b) => Key::Bool(*b),
            Value::Str(s) => Key::Str(Rc::from(&**s)),
            _ => match self.to_int() {
                Some(Value::Int(i)) => Key::Int(i),
                Some(v) => Key::Other(format!("{v:?}")),
                None => Key::Other(match self {
                    Value::Complex(c) => format!("{:?} {:?}", c.0.key(), c.1.key()),
                    v => format!("{v:?}"),
                }),
            },
        }
    }
}

/// As messages show constants: strings are quoted and cut at 72 characters, floats have six digits.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Unknown => f.write_str("unknown"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Str(s) => {
                let q = quote(&s.start(1000));
                if q.chars().count() > 72 {
                    let cut: String = q.chars().take(69).collect();
                    return write!(f, "{cut}...");
                }
                f.write_str(&q)
            }
            Value::Int(i) => write!(f, "{i}"),
            Value::BigInt(n) => write!(f, "{n}"),
            Value::Rat(_) | Value::Float(_) => f.write_str(&float_text(self)),
            Value::Complex(c) => write!(f, "({} + {}i)", c.0, c.1),
        }
    }
}

fn float_text(v: &Value) -> String {
    let x = v.as_f64().unwrap_or(0.0);
    if x.is_finite() && (x != 0.0 || v.is_zero()) {
        let short = format_g(x);
        // A fraction must not look like an integer.
        if !short.contains('.') && v.to_int().is_none() {
            return format_shortest(x);
        }
        return short;
    }
    // Out of the range of float64: mantissa and decimal exponent by logarithms.
    let (mant, exp) = match v {
        Value::Float(f) => (f.mant.clone(), f.exp),
        Value::Rat(r) => {
            let f = BigFloat::from_rat(r);
            (f.mant, f.exp)
        }
        _ => return String::new(),
    };
    let bits = mant.bits() as i64;
    let lead = Value::Float(Rc::new(BigFloat { mant, exp: -bits }))
        .as_f64()
        .unwrap_or(0.0);
    // value = lead × 2^(exp+bits), lead in [0.5, 1)
    let log = (exp + bits) as f64 * std::f64::consts::LOG10_2;
    let mut e = log.floor();
    let mut m = lead * libm::pow(10.0, log - e);
    while m.abs() < 1.0 {
        m *= 10.0;
        e -= 1.0;
    }
    while m.abs() >= 10.0 {
        m /= 10.0;
        e += 1.0;
    }
    let mut digits = format_g(m);
    if m.abs() > 9.0 && digits.trim_start_matches('-') == "10" {
        digits.truncate(digits.len() - 1);
        e += 1.0;
    }
    format!("{digits}e{:+}", e as i64)
}

/// C's `%.6g`.
pub(crate) fn format_g(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let sci = format!("{x:.5e}");
    let (m, e) = sci.split_once('e').unwrap_or((&sci, "0"));
    let e: i32 = e.parse().unwrap_or(0);
    let trim = |s: &str| -> String {
        if s.contains('.') {
            s.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            s.to_string()
        }
    };
    if (-4..6).contains(&e) {
        return trim(&format!("{x:.*}", (5 - e) as usize));
    }
    format!(
        "{}e{}{:02}",
        trim(m),
        if e < 0 { '-' } else { '+' },
        e.abs()
    )
}

/// C's `%g` with as many digits as tell the number from its neighbours.
fn format_shortest(x: f64) -> String {
    let sci = format!("{x:e}");
    let (m, e) = sci.split_once('e').unwrap_or((&sci, "0"));
    let e: i32 = e.parse().unwrap_or(0);
    if (-4..21).contains(&e) {
        return format!("{x}");
    }
    format!("{m}e{}{:02}", if e < 0 { '-' } else { '+' }, e.abs())
}

fn parse_int(text: &str) -> Option<BigInt> {
    let t = text.replace('_', "");
    let b = t.as_bytes();
    if b.len() < 19 && b.iter().all(u8::is_ascii_digit) && (b[0] != b'0' || b.len() == 1) {
        return t.parse::<i64>().ok().map(BigInt::from);
    }
    let (digits, radix) = match b {
        [b'0', b'x' | b'X', ..] => (&t[2..], 16),
        [b'0', b'b' | b'B', ..] => (&t[2..], 2),
        [b'0', b'o' | b'O', ..] => (&t[2..], 8),
        [b'0', _, ..] => (&t[1..], 8),
        _ => (&t[..], 10),
    };
    BigInt::parse_bytes(digits.as_bytes(), radix)
}

fn parse_float(text: &str) -> Value {
    let t = text.replace('_', "");
    let lower = t.to_ascii_lowercase();
    let (body, radix, exp_char) = match lower.strip_prefix("0x") {
        Some(b) => (b, 16u32, 'p'),
        None => (&lower[..], 10, 'e'),
    };
    let (mantissa, exp) = match body.split_once(exp_char) {
        Some((m, e)) => match e.parse::<i64>() {
            Ok(e) => (m, e),
            Err(_) => return Value::Unknown,
        },
        None => (body, 0),
    };
    let (int, frac) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{int}{frac}");
    let Some(m) = BigInt::parse_bytes(digits.as_bytes(), radix) else {
        return Value::Unknown;
    };
    if m.is_zero() {
        return Value::Rat(Rc::new(BigRational::zero()));
    }
    let places = frac.len() as i64 * if radix == 16 { 4 } else { 1 };
    let e = exp.saturating_sub(places);
    // Go's floats have 32-bit exponents, and take the power of ten for one of two first.
    if i32::try_from(e.saturating_add(m.bits() as i64)).is_err() {
        return Value::Unknown;
    }
    if radix == 16 {
        if e.abs() + m.bits() as i64 <= MAX_RAT_EXP {
            let two = |n: i64| BigInt::one() << n;
            return Value::from_rat(if e >= 0 {
                BigRational::from_integer(m * two(e))
            } else {
                BigRational::new(m, two(-e))
            });
        }
        return Value::from_float(BigFloat::new(m, e));
    }
    if e.abs() < 1500 && m.bits() < 5000 {
        let ten = num_traits::pow(BigInt::from(10), e.unsigned_abs() as usize);
        return Value::from_rat(if e >= 0 {
            BigRational::from_integer(m * ten)
        } else {
            BigRational::new(m, ten)
        });
    }
    let scale = BigFloat::pow10(e.unsigned_abs());
    let m = BigFloat::new(m, 0);
    let f = if e >= 0 { m.mul(&scale) } else { m.div(&scale) };
    Value::bounded(f)
}

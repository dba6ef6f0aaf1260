//! Constants of arbitrary precision. Go: go/constant.

use num_bigint::BigInt;
use num_rational::BigRational;
use std::rc::Rc;

/// An exact constant. Integers are kept small where they fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Unknown,
    Bool(bool),
    Str(Rc<[u8]>),
    Int(i64),
    /// Does not fit in an i64.
    BigInt(Rc<BigInt>),
    /// Not an integer unless produced by float arithmetic.
    Rat(Rc<BigRational>),
    /// Beyond what rationals can reasonably hold: mantissa × 2^exponent with 512 bits.
    Float(Rc<BigFloat>),
    Complex(Rc<(Value, Value)>),
}

/// mant × 2^exp, mantissa rounded to 512 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct BigFloat {
    pub mant: BigInt,
    pub exp: i64,
}

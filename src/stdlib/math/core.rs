//! The functions of package math, with the very bits that Go gives on amd64.
//!
//! Elementary functions are not rounded correctly by anybody, so programs that print them depend on
//! the method. Here are Go's: Cephes for the circular functions and gamma, the FreeBSD library's
//! for roots and logarithms, and a Taylor series of sixteenths for the exponential, which amd64
//! evaluates with fused multiply-add. The order of the operations is part of the result; do not
//! rearrange them.
//!
//! The error, Bessel and log-gamma functions are the C library's (crate libm):
//! they may differ from Go in the last digit.
//!
//! Go: math/*.go, exp_amd64.s, log_amd64.s, hypot_amd64.s.

mod circular;
mod exponential;
mod hyperbolic;
mod parts;
mod roots;
mod special;

pub use circular::*;
pub use exponential::*;
pub(crate) use hyperbolic::*;
pub use parts::*;
pub use roots::*;
pub(crate) use special::*;

/// Σ c[i]·x^(n−i), from the left: the first coefficient belongs to the highest power.
fn poly(x: f64, coefficients: &[f64]) -> f64 {
    coefficients[1..]
        .iter()
        .fold(coefficients[0], |sum, &c| sum * x + c)
}

/// As [`poly`], the highest power having coefficient 1.
fn poly1(x: f64, coefficients: &[f64]) -> f64 {
    coefficients[1..]
        .iter()
        .fold(x + coefficients[0], |sum, &c| sum * x + c)
}

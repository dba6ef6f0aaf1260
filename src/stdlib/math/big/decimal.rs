//! Binary floating-point numbers as decimal ones, exactly.
//!
//! Go: math/big/decimal.go.

use super::arith::{shifted_left, shifted_right, trailing_zeros};
use super::mul::product;
use super::{number, radix};

/// The digits of m·2^shift, without zeros at their end, and where the point stands from their
/// begin.
pub(super) fn digits(m: &[u64], shift: i64) -> (Vec<u8>, i64) {
    if m.is_empty() {
        return (Vec::new(), 0);
    }
    let below = shift.min(0).unsigned_abs() as usize;
    let common = below.min(trailing_zeros(m));
    let x = shifted_right(m, common);
    let x = shifted_left(&x, shift.max(0) as usize);
    // x / 2^n = x·5^n / 10^n
    let n = below - common;
    let x = match n {
        0 => x,
        _ => product(&x, &number::power(&[5], &[n as u64], &[])),
    };
    let mut digits = radix::text(&x, 10, false);
    let point = digits.len() as i64 - n as i64;
    let end = digits.iter().rposition(|d| *d != b'0');
    digits.truncate(end.map_or(0, |i| i + 1));
    (digits, point)
}

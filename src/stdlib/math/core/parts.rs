//! Taking floats apart, putting them together, neighbours, the larger and the smaller.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients stand as they were published"
)]

/// Fraction in ±[½, 1) and exponent of two.
pub(crate) fn frexp(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (x, extra) = if x.abs() < f64::MIN_POSITIVE {
        (x * (1u64 << 52) as f64, -52)
    } else {
        (x, 0)
    };
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7FF) as i64 - 1022;
    (
        f64::from_bits(bits & !(0x7FF << 52) | 1022 << 52),
        exponent + extra,
    )
}

/// frac · 2^exp, rounded once.
pub(crate) fn ldexp(frac: f64, exp: i64) -> f64 {
    if frac == 0.0 || !frac.is_finite() {
        return frac;
    }
    let (frac, e) = frexp(frac);
    let exponent = exp.saturating_add(e) - 1;
    let with = |exponent: i64| {
        f64::from_bits(frac.to_bits() & !(0x7FF << 52) | ((exponent + 1023) as u64) << 52)
    };
    match exponent {
        ..-1075 => 0f64.copysign(frac),
        1024.. => f64::INFINITY.copysign(frac),
        -1075..=-1023 => with(exponent + 53) * f64::from_bits((1023 - 53) << 52),
        _ => with(exponent),
    }
}

/// Whole part and fraction, both with x's sign.
pub(crate) fn modf(x: f64) -> (f64, f64) {
    if x.is_infinite() {
        return (x, f64::NAN);
    }
    let whole = x.trunc();
    (whole, (x - whole).copysign(x))
}

pub(crate) fn nextafter(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        x
    } else if x == 0.0 {
        f64::from_bits(1).copysign(y)
    } else if (y > x) == (x > 0.0) {
        f64::from_bits(x.to_bits() + 1)
    } else {
        f64::from_bits(x.to_bits() - 1)
    }
}

pub(crate) fn nextafter32(x: f32, y: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        f32::NAN
    } else if x == y {
        x
    } else if x == 0.0 {
        f32::from_bits(1).copysign(y)
    } else if (y > x) == (x > 0.0) {
        f32::from_bits(x.to_bits() + 1)
    } else {
        f32::from_bits(x.to_bits() - 1)
    }
}

pub(crate) fn dim(x: f64, y: f64) -> f64 {
    let d = x - y;
    if d <= 0.0 { 0.0 } else { d }
}

pub fn max(x: f64, y: f64) -> f64 {
    if x == f64::INFINITY || y == f64::INFINITY {
        f64::INFINITY
    } else if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == 0.0 && y == 0.0 {
        if x.is_sign_negative() { y } else { x }
    } else if x > y {
        x
    } else {
        y
    }
}

pub fn min(x: f64, y: f64) -> f64 {
    if x == f64::NEG_INFINITY || y == f64::NEG_INFINITY {
        f64::NEG_INFINITY
    } else if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == 0.0 && y == 0.0 {
        if x.is_sign_negative() { x } else { y }
    } else if x < y {
        x
    } else {
        y
    }
}

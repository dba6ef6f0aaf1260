//! The hyperbolic functions and their inverses.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients stand as they were published"
)]

use super::*;
use std::f64::consts::LN_2;

pub(crate) fn sinh(x: f64) -> f64 {
    const P: [f64; 4] = [
        -0.2630563213397497062819489e+2,
        -0.2894211355989563807284660366e+4,
        -0.8991272022039509355398013511e+5,
        -0.6307673640497716991184787251e+6,
    ];
    const Q: [f64; 3] = [
        -0.173678953558233699533450911e+3,
        0.1521517378790019070696485176e+5,
        -0.6307673640497716991212077277e+6,
    ];
    let a = if x < 0.0 { -x } else { x };
    let y = if a > 21.0 {
        exp(a) * 0.5
    } else if a > 0.5 {
        let e = exp(a);
        (e - 1.0 / e) * 0.5
    } else {
        let square = a * a;
        poly(square, &P) * a / poly1(square, &Q)
    };
    if x < 0.0 { -y } else { y }
}

pub(crate) fn cosh(x: f64) -> f64 {
    let x = x.abs();
    if x > 21.0 {
        return exp(x) * 0.5;
    }
    let e = exp(x);
    (e + 1.0 / e) * 0.5
}

pub(crate) fn tanh(x: f64) -> f64 {
    const P: [f64; 3] = [
        -9.64399179425052238628e-1,
        -9.92877231001918586564e1,
        -1.61468768441708447952e3,
    ];
    const Q: [f64; 3] = [
        1.12811678491631932401e2,
        2.23548839060100448583e3,
        4.84406305325125486048e3,
    ];
    let a = x.abs();
    if a > 0.5 * 8.8029691931113054295988e+01 {
        return 1f64.copysign(x);
    }
    if a >= 0.625 {
        let y = 1.0 - 2.0 / (exp(2.0 * a) + 1.0);
        return if x < 0.0 { -y } else { y };
    }
    if x == 0.0 {
        return x;
    }
    let square = x * x;
    x + x * square * poly(square, &P) / poly1(square, &Q)
}

pub(crate) fn asinh(x: f64) -> f64 {
    const LARGE: f64 = (1u64 << 28) as f64;
    if !x.is_finite() {
        return x;
    }
    let a = if x < 0.0 { -x } else { x };
    let y = if a > LARGE {
        log(a) + LN_2
    } else if a > 2.0 {
        log(2.0 * a + 1.0 / ((a * a + 1.0).sqrt() + a))
    } else if a < 1.0 / LARGE {
        a
    } else {
        log1p(a + a * a / (1.0 + (1.0 + a * a).sqrt()))
    };
    if x < 0.0 { -y } else { y }
}

pub(crate) fn acosh(x: f64) -> f64 {
    if x < 1.0 || x.is_nan() {
        f64::NAN
    } else if x == 1.0 {
        0.0
    } else if x >= (1u64 << 28) as f64 {
        log(x) + LN_2
    } else if x > 2.0 {
        log(2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt()))
    } else {
        let t = x - 1.0;
        log1p(t + (2.0 * t + t * t).sqrt())
    }
}

pub(crate) fn atanh(x: f64) -> f64 {
    libm::atanh(x)
}

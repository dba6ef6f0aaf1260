//! Roots and remainders.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients stand as they were published"
)]

pub(crate) fn cbrt(x: f64) -> f64 {
    const NORMAL: u64 = 715_094_163 << 32;
    const DENORMAL: u64 = 696_219_795 << 32;
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let a = x.abs();
    let guess = |of: f64, offset: u64| f64::from_bits(of.to_bits() / 3 + offset);
    let mut t = if a < f64::MIN_POSITIVE {
        guess((1u64 << 54) as f64 * a, DENORMAL)
    } else {
        guess(a, NORMAL)
    };
    let r = t * t / a;
    let s = 5.42857142857142815906e-01 + r * t;
    t *= 3.57142857142857150787e-01
        + 1.60714285714285720630e+00
            / (s + 1.41428571428571436819e+00 + -7.05306122448979611050e-01 / s);
    // Twenty bits are enough for one step of Newton's; fewer bits make t·t exact.
    t = f64::from_bits((t.to_bits() & (0xF_FFFF_FFFC << 28)) + (1 << 30));
    let s = t * t;
    let r = a / s;
    let w = t + t;
    let r = (r - t) / (w + r);
    t += t * r;
    if x < 0.0 { -t } else { t }
}

pub(crate) fn hypot(p: f64, q: f64) -> f64 {
    if p.is_infinite() || q.is_infinite() {
        return f64::INFINITY;
    }
    if p.is_nan() || q.is_nan() {
        return f64::NAN;
    }
    let (large, small) = if p.abs() > q.abs() {
        (p.abs(), q.abs())
    } else {
        (q.abs(), p.abs())
    };
    if large == 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    large * (ratio * ratio + 1.0).sqrt()
}

pub(crate) fn fmod(x: f64, y: f64) -> f64 {
    libm::fmod(x, y)
}

pub fn remainder(x: f64, y: f64) -> f64 {
    libm::remainder(x, y)
}

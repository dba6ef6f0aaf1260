//! Exponentials, logarithms and powers.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients stand as they were published"
)]

use super::*;

pub fn exp(x: f64) -> f64 {
    const LN2_UPPER: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
    const LN2_LOWER: f64 = 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
    const TAYLOR: [f64; 8] = [
        2.4801587301587301587e-5,
        1.9841269841269841270e-4,
        1.3888888888888888889e-3,
        8.3333333333333333333e-3,
        4.1666666666666666667e-2,
        1.6666666666666666667e-1,
        0.5,
        1.0,
    ];
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x == f64::NEG_INFINITY {
        return 0.0;
    }
    if x > 7.09782712893384e+02 {
        return f64::INFINITY;
    }
    // The conversion to 32 bits rounds to even, and gives the smallest number when it does not fit.
    let scaled = (x * std::f64::consts::LOG2_E).round_ties_even();
    let exponent = if scaled >= f64::from(i32::MIN) {
        scaled as i32
    } else {
        i32::MIN
    };
    let k = f64::from(exponent);
    let reduced = (-k).mul_add(LN2_LOWER, (-k).mul_add(LN2_UPPER, x)) * 0.0625;
    let series = TAYLOR[1..]
        .iter()
        .fold(TAYLOR[0], |sum, &c| sum.mul_add(reduced, c));
    // e^r − 1 is squared up four times: (1+y)² − 1 = y(y+2).
    let mut y = reduced * series;
    for _ in 0..3 {
        y *= y + 2.0;
    }
    let result = (y + 2.0).mul_add(y, 1.0);
    let biased = exponent.wrapping_add(1023);
    if biased > 0 {
        return if biased >= 2047 {
            f64::INFINITY
        } else {
            result * f64::from_bits((biased as u64) << 52)
        };
    }
    if biased < -52 {
        return 0.0;
    }
    result * f64::from_bits(((biased + 1022) as u64) << 52) * f64::from_bits(1 << 52)
}

pub(crate) fn exp2(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 1.0239999999999999e+03 {
        return f64::INFINITY;
    }
    if x < -1.0740e+03 {
        return 0.0;
    }
    let k = if x > 0.0 {
        (x + 0.5) as i64
    } else if x < 0.0 {
        (x - 0.5) as i64
    } else {
        0
    };
    let t = x - k as f64;
    exp_of_parts(t * LN2_HI, -t * LN2_LO, k)
}

const LN2_HI: f64 = 6.93147180369123816490e-01;
const LN2_LO: f64 = 1.90821492927058770002e-10;

/// e^(hi−lo) · 2^k.
fn exp_of_parts(hi: f64, lo: f64, k: i64) -> f64 {
    const P: [f64; 5] = [
        4.13813679705723846039e-08,
        -1.65339022054652515390e-06,
        6.61375632143793436117e-05,
        -2.77777777770155933842e-03,
        1.66666666666666657415e-01,
    ];
    let r = hi - lo;
    let t = r * r;
    let c = r - t * poly(t, &P);
    ldexp(1.0 - ((lo - (r * c) / (2.0 - c)) - hi), k)
}

pub(crate) fn expm1(x: f64) -> f64 {
    libm::expm1(x)
}

pub fn log(x: f64) -> f64 {
    const ODD: [f64; 4] = [
        1.479819860511658591e-01,
        1.818357216161805012e-01,
        2.857142874366239149e-01,
        6.666666666666735130e-01,
    ];
    const EVEN: [f64; 3] = [
        1.531383769920937332e-01,
        2.222219843214978396e-01,
        3.999999999940941908e-01,
    ];
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    // As amd64 takes it apart: a denormal keeps the exponent of the smallest normal number.
    let bits = x.to_bits();
    let mut fraction = f64::from_bits(bits & ((1 << 52) - 1) | 0.5f64.to_bits());
    let mut k = ((bits >> 52) as i32 - 1022) as f64;
    if fraction <= std::f64::consts::FRAC_1_SQRT_2 {
        k -= 1.0;
        fraction *= 2.0;
    }
    let f = fraction - 1.0;
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let r = s2 * poly(s4, &ODD) + s4 * poly(s4, &EVEN);
    let half_square = 0.5 * f * f;
    k * LN2_HI - ((half_square - (s * (r + half_square) + k * LN2_LO)) - f)
}

pub(crate) fn log1p(x: f64) -> f64 {
    libm::log1p(x)
}

pub(crate) fn log10(x: f64) -> f64 {
    log(x) * std::f64::consts::LOG10_E
}

pub(crate) fn log2(x: f64) -> f64 {
    let (fraction, exponent) = frexp(x);
    if fraction == 0.5 {
        (exponent - 1) as f64
    } else {
        log(fraction) * std::f64::consts::LOG2_E + exponent as f64
    }
}

pub(crate) fn logb(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_infinite() {
        f64::INFINITY
    } else if x.is_nan() {
        x
    } else {
        ilogb(x) as f64
    }
}

pub(crate) fn ilogb(x: f64) -> i64 {
    if x == 0.0 {
        i64::from(i32::MIN)
    } else if x.is_nan() || x.is_infinite() {
        i64::from(i32::MAX)
    } else {
        frexp(x).1 - 1
    }
}

pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if y == 1.0 {
        return x;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let grows = |base: f64| {
        if (base.abs() < 1.0) == (y > 0.0) {
            0.0
        } else {
            f64::INFINITY
        }
    };
    if x == 0.0 {
        let negative = x.is_sign_negative() && is_odd(y);
        return match (y < 0.0, negative) {
            (true, true) => f64::NEG_INFINITY,
            (true, false) => f64::INFINITY,
            (false, true) => x,
            (false, false) => 0.0,
        };
    }
    if y.is_infinite() {
        return if x == -1.0 { 1.0 } else { grows(x) };
    }
    if x.is_infinite() {
        if x < 0.0 {
            return pow(1.0 / x, -y);
        }
        return if y < 0.0 { 0.0 } else { f64::INFINITY };
    }
    if y == 0.5 {
        return x.sqrt();
    }
    if y == -0.5 {
        return 1.0 / x.sqrt();
    }
    let (mut whole, mut fraction) = modf(y.abs());
    if fraction != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if whole >= 9.223_372_036_854_775_808e18 {
        return if x == -1.0 { 1.0 } else { grows(x) };
    }
    // The result is mantissa · 2^exponent: the fraction of y by exp and log, the rest by squaring.
    let (mut mantissa, mut exponent) = (1.0, 0i64);
    if fraction != 0.0 {
        if fraction > 0.5 {
            fraction -= 1.0;
            whole += 1.0;
        }
        mantissa = exp(fraction * log(x));
    }
    let (mut square, mut square_exponent) = frexp(x);
    let mut n = whole as i64;
    while n != 0 {
        if !(-4096..=4096).contains(&square_exponent) {
            exponent += square_exponent; // over- or underflows for certain
            break;
        }
        if n & 1 == 1 {
            mantissa *= square;
            exponent += square_exponent;
        }
        square *= square;
        square_exponent <<= 1;
        if square < 0.5 {
            square += square;
            square_exponent -= 1;
        }
        n >>= 1;
    }
    if y < 0.0 {
        mantissa = 1.0 / mantissa;
        exponent = -exponent;
    }
    ldexp(mantissa, exponent)
}

fn is_odd(x: f64) -> bool {
    if x.abs() >= 9_007_199_254_740_992.0 {
        return false;
    }
    let (whole, fraction) = modf(x);
    fraction == 0.0 && whole as i64 & 1 == 1
}

pub fn pow10(n: i64) -> f64 {
    match n {
        ..-323 => 0.0,
        309.. => f64::INFINITY,
        // The nearest double: parsing rounds correctly.
        _ => format!("1e{n}").parse().unwrap_or(0.0),
    }
}

//! The functions of package math, with the very bits that Go gives on amd64.
//!
//! Elementary functions are not rounded correctly by anybody, so programs that print them depend on the method. Here
//! are Go's: Cephes for the circular functions and gamma, the FreeBSD library's for roots and logarithms, and a
//! Taylor series of sixteenths for the exponential, which amd64 evaluates with fused multiply-add.
//! The order of the operations is part of the result; do not rearrange them.
//!
//! The error, Bessel and log-gamma functions are the C library's (crate libm): they may differ from Go in the last digit.
//!
//! Go: math/*.go, exp_amd64.s, log_amd64.s, hypot_amd64.s.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients stand as they were published"
)]

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

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

// ---- the circular functions

/// From here on the argument is reduced with as many digits of 4/π as it needs.
const REDUCE_EXACTLY: f64 = (1u64 << 29) as f64;

/// π/4 in three parts.
const QUARTERS: [f64; 3] = [
    7.85398125648498535156e-1,
    3.77489470793079817668e-8,
    2.69515142907905952645e-15,
];

/// The bits of 4/π: one before the binary point, then fraction, 64 to a word.
const FOUR_OVER_PI: [u64; 20] = [
    0x0000000000000001,
    0x45f306dc9c882a53,
    0xf84eafa3ea69bb81,
    0xb6c52b3278872083,
    0xfca2c757bd778ac3,
    0x6e48dc74849ba5c0,
    0x0c925dd413a32439,
    0xfc3bd63962534e7d,
    0xd1046bea5d768909,
    0xd338e04d68befc82,
    0x7323ac7306a673e9,
    0x3908bf177bf25076,
    0x3ff12fffbc0b301f,
    0xde5e2316b414da3e,
    0xda6cfd9e4f96136e,
    0x9e8c7ecd3cbfd45a,
    0xea4f758fd7cbe2f6,
    0x7a0e73ef14a525d4,
    0xd7f6bf623f1aba10,
    0xac06608df8f6d757,
];

/// The octant of x ≥ 0 (even, 0 to 7) and what is left, in −π/4..π/4.
fn reduce(x: f64) -> (u64, f64) {
    if x >= REDUCE_EXACTLY {
        return reduce_exactly(x);
    }
    let mut octant = (x * (4.0 / PI)) as u64;
    let mut y = octant as f64;
    if octant & 1 == 1 {
        octant += 1;
        y += 1.0;
    }
    (
        octant & 7,
        ((x - y * QUARTERS[0]) - y * QUARTERS[1]) - y * QUARTERS[2],
    )
}

/// Payne and Hanek: multiplies the mantissa with the 192 bits of 4/π that matter.
fn reduce_exactly(x: f64) -> (u64, f64) {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7FF) as i64 - 1023 - 52;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let (digit, shift) = ((exponent + 61) as usize / 64, (exponent + 61) as u32 % 64);
    let word = |i: usize| {
        let low = if shift == 0 {
            0
        } else {
            FOUR_OVER_PI[digit + i + 1] >> (64 - shift)
        };
        FOUR_OVER_PI[digit + i] << shift | low
    };
    let wide = |w: u64| u128::from(w) * u128::from(mantissa);
    let product = (u128::from(word(0).wrapping_mul(mantissa)) << 64)
        .wrapping_add(wide(word(1)))
        .wrapping_add(wide(word(2)) >> 64);
    let (hi, lo) = ((product >> 64) as u64, product as u64);
    let octant = hi >> 61;
    let fraction = hi << 3 | lo >> 61;
    let zeros = fraction.leading_zeros();
    let shifted = |n: u32| {
        let upper = if n >= 64 { 0 } else { fraction << n };
        let lower = if n == 0 { 0 } else { lo >> (64 - n) };
        upper | lower
    };
    let mantissa = shifted(zeros + 1) >> 12;
    let z = f64::from_bits(mantissa | (1023 - (u64::from(zeros) + 1)) << 52);
    if octant & 1 == 1 {
        ((octant + 1) & 7, (z - 1.0) * FRAC_PI_4)
    } else {
        (octant, z * FRAC_PI_4)
    }
}

const SIN: [f64; 6] = [
    1.58962301576546568060e-10,
    -2.50507477628578072866e-8,
    2.75573136213857245213e-6,
    -1.98412698295895385996e-4,
    8.33333333332211858878e-3,
    -1.66666666666666307295e-1,
];
const COS: [f64; 6] = [
    -1.13585365213876817300e-11,
    2.08757008419747316778e-9,
    -2.75573141792967388112e-7,
    2.48015872888517045348e-5,
    -1.38888888888730564116e-3,
    4.16666666666665929218e-2,
];

fn sin_in_octant(z: f64) -> f64 {
    let zz = z * z;
    z + z * zz * poly(zz, &SIN)
}

fn cos_in_octant(z: f64) -> f64 {
    let zz = z * z;
    1.0 - 0.5 * zz + zz * zz * poly(zz, &COS)
}

pub fn sin(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        return x;
    }
    if x.is_infinite() {
        return f64::NAN;
    }
    let (octant, z) = reduce(x.abs());
    let y = if matches!(octant & 3, 1 | 2) {
        cos_in_octant(z)
    } else {
        sin_in_octant(z)
    };
    if (x < 0.0) ^ (octant > 3) { -y } else { y }
}

pub fn cos(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (octant, z) = reduce(x.abs());
    let y = if matches!(octant & 3, 1 | 2) {
        sin_in_octant(z)
    } else {
        cos_in_octant(z)
    };
    if (octant > 3) ^ (octant & 3 > 1) {
        -y
    } else {
        y
    }
}

pub fn tan(x: f64) -> f64 {
    const P: [f64; 3] = [
        -1.30936939181383777646e4,
        1.15351664838587416140e6,
        -1.79565251976484877988e7,
    ];
    const Q: [f64; 4] = [
        1.36812963470692954678e4,
        -1.32089234440210967447e6,
        2.50083801823357915839e7,
        -5.38695755929454629881e7,
    ];
    if x == 0.0 || x.is_nan() {
        return x;
    }
    if x.is_infinite() {
        return f64::NAN;
    }
    let (octant, z) = reduce(x.abs());
    let zz = z * z;
    let mut y = if zz > 1e-14 {
        z + z * (zz * poly(zz, &P) / poly1(zz, &Q))
    } else {
        z
    };
    if octant & 2 == 2 {
        y = -1.0 / y;
    }
    if x < 0.0 { -y } else { y }
}

/// atan for 0 ≤ x ≤ 0.66.
fn atan_small(x: f64) -> f64 {
    const P: [f64; 5] = [
        -8.750608600031904122785e-01,
        -1.615753718733365076637e+01,
        -7.500855792314704667340e+01,
        -1.228866684490136173410e+02,
        -6.485021904942025371773e+01,
    ];
    const Q: [f64; 5] = [
        2.485846490142306297962e+01,
        1.650270098316988542046e+02,
        4.328810604912902668951e+02,
        4.853903996359136964868e+02,
        1.945506571482613964425e+02,
    ];
    let z = x * x;
    x * (z * poly(z, &P) / poly1(z, &Q)) + x
}

/// atan for x ≥ 0.
fn atan_positive(x: f64) -> f64 {
    /// What π/2 has beyond a double.
    const MORE: f64 = 6.123233995736765886130e-17;
    const TAN_3PI_8: f64 = 2.41421356237309504880;
    if x <= 0.66 {
        atan_small(x)
    } else if x > TAN_3PI_8 {
        FRAC_PI_2 - atan_small(1.0 / x) + MORE
    } else {
        FRAC_PI_4 + atan_small((x - 1.0) / (x + 1.0)) + 0.5 * MORE
    }
}

pub fn atan(x: f64) -> f64 {
    if x == 0.0 {
        x
    } else if x > 0.0 {
        atan_positive(x)
    } else {
        -atan_positive(-x)
    }
}

pub fn asin(x: f64) -> f64 {
    if x == 0.0 {
        return x;
    }
    let a = x.abs();
    if a > 1.0 {
        return f64::NAN;
    }
    let other = (1.0 - a * a).sqrt();
    let y = if a > 0.7 {
        FRAC_PI_2 - atan_positive(other / a)
    } else {
        atan_positive(a / other)
    };
    if x < 0.0 { -y } else { y }
}

pub fn acos(x: f64) -> f64 {
    FRAC_PI_2 - asin(x)
}

pub fn atan2(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if y == 0.0 {
        return if x.is_sign_negative() {
            PI.copysign(y)
        } else {
            0f64.copysign(y)
        };
    }
    if x == 0.0 {
        return FRAC_PI_2.copysign(y);
    }
    match (x.is_infinite(), y.is_infinite()) {
        (true, true) => return (if x > 0.0 { FRAC_PI_4 } else { 3.0 * PI / 4.0 }).copysign(y),
        (true, false) => return (if x > 0.0 { 0.0 } else { PI }).copysign(y),
        (false, true) => return FRAC_PI_2.copysign(y),
        (false, false) => {}
    }
    let q = atan(y / x);
    if x >= 0.0 {
        q
    } else if q <= 0.0 {
        q + PI
    } else {
        q - PI
    }
}

// ---- exponentials and logarithms

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

pub fn exp2(x: f64) -> f64 {
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

pub fn expm1(x: f64) -> f64 {
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

pub fn log1p(x: f64) -> f64 {
    libm::log1p(x)
}

pub fn log10(x: f64) -> f64 {
    log(x) * std::f64::consts::LOG10_E
}

pub fn log2(x: f64) -> f64 {
    let (fraction, exponent) = frexp(x);
    if fraction == 0.5 {
        (exponent - 1) as f64
    } else {
        log(fraction) * std::f64::consts::LOG2_E + exponent as f64
    }
}

pub fn logb(x: f64) -> f64 {
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

pub fn ilogb(x: f64) -> i64 {
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

// ---- the hyperbolic functions

pub fn sinh(x: f64) -> f64 {
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

pub fn cosh(x: f64) -> f64 {
    let x = x.abs();
    if x > 21.0 {
        return exp(x) * 0.5;
    }
    let e = exp(x);
    (e + 1.0 / e) * 0.5
}

pub fn tanh(x: f64) -> f64 {
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

pub fn asinh(x: f64) -> f64 {
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

pub fn acosh(x: f64) -> f64 {
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

pub fn atanh(x: f64) -> f64 {
    libm::atanh(x)
}

// ---- roots and remainders

pub fn cbrt(x: f64) -> f64 {
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

pub fn hypot(p: f64, q: f64) -> f64 {
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

pub fn fmod(x: f64, y: f64) -> f64 {
    libm::fmod(x, y)
}

pub fn remainder(x: f64, y: f64) -> f64 {
    libm::remainder(x, y)
}

// ---- taking apart and putting together

/// Fraction in ±[½, 1) and exponent of two.
pub fn frexp(x: f64) -> (f64, i64) {
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
pub fn ldexp(frac: f64, exp: i64) -> f64 {
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
pub fn modf(x: f64) -> (f64, f64) {
    if x.is_infinite() {
        return (x, f64::NAN);
    }
    let whole = x.trunc();
    (whole, (x - whole).copysign(x))
}

pub fn nextafter(x: f64, y: f64) -> f64 {
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

pub fn nextafter32(x: f32, y: f32) -> f32 {
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

pub fn dim(x: f64, y: f64) -> f64 {
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

// ---- gamma, error and Bessel functions

/// Stirling's formula for x > 33, as two factors that do not overflow before their product does.
fn stirling(x: f64) -> (f64, f64) {
    const S: [f64; 5] = [
        7.87311395793093628397e-04,
        -2.29549961613378126380e-04,
        -2.68132617805781232825e-03,
        3.47222221605458667310e-03,
        8.33333333333482257126e-02,
    ];
    if x > 200.0 {
        return (f64::INFINITY, 1.0);
    }
    let w = 1.0 / x;
    let w = 1.0 + w * poly(w, &S);
    let e = exp(x);
    let (y1, y2) = if x > 143.01608 {
        let v = pow(x, 0.5 * x - 0.25);
        (v, v / e)
    } else {
        (pow(x, x - 0.5) / e, 1.0)
    };
    (y1, 2.506628274631000502417 * w * y2)
}

pub fn gamma(x: f64) -> f64 {
    const P: [f64; 7] = [
        1.60119522476751861407e-04,
        1.19135147006586384913e-03,
        1.04213797561761569935e-02,
        4.76367800457137231464e-02,
        2.07448227648435975150e-01,
        4.94214826801497100753e-01,
        9.99999999999999996796e-01,
    ];
    const Q: [f64; 8] = [
        -2.31581873324120129819e-05,
        5.39605580493303397842e-04,
        -4.45641913851797240494e-03,
        1.18139785222060435552e-02,
        3.58236398605498653373e-02,
        -2.34591795718243348568e-01,
        7.14304917030273074085e-02,
        1.00000000000000000320e+00,
    ];
    if x == f64::NEG_INFINITY || x.is_nan() || x < 0.0 && modf(x).1 == 0.0 {
        return f64::NAN;
    }
    if x == f64::INFINITY {
        return x;
    }
    if x == 0.0 {
        return f64::INFINITY.copysign(x);
    }
    let q = x.abs();
    if q > 33.0 {
        if x >= 0.0 {
            let (a, b) = stirling(x);
            return a * b;
        }
        let mut p = q.floor();
        let sign = if p as i64 & 1 == 0 { -1.0 } else { 1.0 };
        let mut z = q - p;
        if z > 0.5 {
            p += 1.0;
            z = q - p;
        }
        z = q * sin(PI * z);
        if z == 0.0 {
            return f64::INFINITY * sign;
        }
        let (a, b) = stirling(q);
        let d = z.abs() * a * b;
        return sign
            * if d.is_infinite() {
                PI / z.abs() / a / b
            } else {
                PI / d
            };
    }
    // Steps to 2 ≤ x < 3 by the recurrence.
    let small = |x: f64, z: f64| {
        if x == 0.0 {
            f64::INFINITY
        } else {
            z / ((1.0 + 0.577_215_664_901_532_9 * x) * x)
        }
    };
    let (mut x, mut z) = (x, 1.0);
    while x >= 3.0 {
        x -= 1.0;
        z *= x;
    }
    while x < 0.0 {
        if x > -1e-09 {
            return small(x, z);
        }
        z /= x;
        x += 1.0;
    }
    while x < 2.0 {
        if x < 1e-09 {
            return small(x, z);
        }
        z /= x;
        x += 1.0;
    }
    if x == 2.0 {
        return z;
    }
    x -= 2.0;
    z * poly(x, &P) / poly(x, &Q)
}

pub fn lgamma(x: f64) -> (f64, i64) {
    if x == 0.0 {
        return (f64::INFINITY, if x.is_sign_negative() { -1 } else { 1 });
    }
    if x == f64::NEG_INFINITY {
        return (x, 1);
    }
    let (value, sign) = libm::lgamma_r(x);
    (
        value,
        if x < 0.0 && x == x.trunc() {
            1
        } else {
            i64::from(sign)
        },
    )
}

pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The inverse of erf by Wichura's rational approximations (AS 241).
pub fn erfinv(x: f64) -> f64 {
    const CENTRAL: ([f64; 8], [f64; 8]) = (
        [
            8.8709406962545514830200e2,
            1.1819493347062294404278e4,
            2.3782041382114385731252e4,
            1.6235862515167575384252e4,
            4.8548868893843886794648e3,
            6.9706266534389598238465e2,
            4.7072688112383978012285e1,
            1.1975323115670912564578e0,
        ],
        [
            5.2264952788528545610e3,
            2.8729085735721942674e4,
            3.9307895800092710610e4,
            2.1213794301586595867e4,
            5.3941960214247511077e3,
            6.8718700749205790830e2,
            4.2313330701600911252e1,
            1.0000000000000000000e0,
        ],
    );
    const MIDDLE: ([f64; 8], [f64; 8]) = (
        [
            7.74545014278341407640e-4,
            2.27238449892691845833e-2,
            2.41780725177450611770e-1,
            1.27045825245236838258e0,
            3.64784832476320460504e0,
            5.76949722146069140550e0,
            4.63033784615654529590e0,
            1.42343711074968357734e0,
        ],
        [
            1.4859850019840355905497876e-9,
            7.7441459065157709165577218e-4,
            2.1494160384252876777097297e-2,
            2.0945065210512749128288442e-1,
            9.7547832001787427186894837e-1,
            2.3707661626024532365971225e0,
            2.9036514445419946173133295e0,
            1.4142135623730950488016887e0,
        ],
    );
    const TAIL: ([f64; 8], [f64; 8]) = (
        [
            2.01033439929228813265e-7,
            2.71155556874348757815e-5,
            1.24266094738807843860e-3,
            2.65321895265761230930e-2,
            2.96560571828504891230e-1,
            1.78482653991729133580e0,
            5.46378491116411436990e0,
            6.65790464350110377720e0,
        ],
        [
            2.891024605872965461538222e-15,
            2.010321207683943062279931e-7,
            2.611088405080593625138020e-5,
            1.112800997078859844711555e-3,
            2.103693768272068968719679e-2,
            1.936480946950659106176712e-1,
            8.482908416595164588112026e-1,
            1.414213562373095048801689e0,
        ],
    );
    if x.is_nan() || !(-1.0..=1.0).contains(&x) {
        return f64::NAN;
    }
    if x.abs() == 1.0 {
        return f64::INFINITY.copysign(x);
    }
    let a = if x < 0.0 { -x } else { x };
    let y = if a <= 0.85 {
        let r = 0.180625 - 0.25 * a * a;
        a * poly(r, &CENTRAL.0) / poly(r, &CENTRAL.1)
    } else {
        let r = (LN_2 - log(1.0 - a)).sqrt();
        let (r, (p, q)) = if r <= 5.0 {
            (r - 1.6, MIDDLE)
        } else {
            (r - 5.0, TAIL)
        };
        poly(r, &p) / poly(r, &q)
    };
    if x < 0.0 { -y } else { y }
}

pub fn erfcinv(x: f64) -> f64 {
    erfinv(1.0 - x)
}

pub fn j0(x: f64) -> f64 {
    libm::j0(x)
}

pub fn j1(x: f64) -> f64 {
    libm::j1(x)
}

pub fn y0(x: f64) -> f64 {
    libm::y0(x)
}

pub fn y1(x: f64) -> f64 {
    libm::y1(x)
}

pub fn jn(n: i64, x: f64) -> f64 {
    // Never the negative zero.
    if x.is_infinite() || n != 0 && x == 0.0 {
        return 0.0;
    }
    libm::jn(n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32, x)
}

pub fn yn(n: i64, x: f64) -> f64 {
    libm::yn(n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32, x)
}

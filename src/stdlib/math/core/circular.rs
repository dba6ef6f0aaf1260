//! Sine, cosine, tangent and their inverses: Cephes, with an exact reduction of large arguments.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients stand as they were published"
)]

use super::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

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

pub(crate) fn cos(x: f64) -> f64 {
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

pub(crate) fn tan(x: f64) -> f64 {
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

pub(crate) fn atan(x: f64) -> f64 {
    if x == 0.0 {
        x
    } else if x > 0.0 {
        atan_positive(x)
    } else {
        -atan_positive(-x)
    }
}

pub(crate) fn asin(x: f64) -> f64 {
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

pub(crate) fn acos(x: f64) -> f64 {
    FRAC_PI_2 - asin(x)
}

pub(crate) fn atan2(y: f64, x: f64) -> f64 {
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

#![allow(unsafe_code)]
//! Division of complex numbers.
//!
//! Go: runtime/complex.go, complex128div.

use super::*;

halves! {
    fn div_c128(g, s, i: DivC128) {
        let (a, b) = (s.c128(i.a), s.c128(i.b));
        s.set_c128(i.dst, quotient(a, b));
        DONE
    }
    fn div_c64(g, s, i: DivC64) {
        let (a, b) = (s.c64(i.a).map(f64::from), s.c64(i.b).map(f64::from));
        s.set_c64(i.dst, quotient(a, b).map(|x| x as f32));
        DONE
    }
}

/// x · conj(y), for the directions of which only signs matter in the end.
fn turned_back(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    [x[0] * y[0] + x[1] * y[1], x[1] * y[0] - x[0] * y[1]]
}

/// What has the directions of an infinite number: its infinite parts become 1, the others 0.
fn corner(x: [f64; 2]) -> [f64; 2] {
    x.map(|part| f64::from(u8::from(part.is_infinite())).copysign(part))
}

/// x / y by R. Smith: the divisor is divided by its larger part, to keep clear of overflow.
fn smith(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    if y[0].abs() >= y[1].abs() {
        let slope = y[1] / y[0];
        let length = y[0] + slope * y[1];
        [x[0] + x[1] * slope, x[1] - x[0] * slope].map(|part| part / length)
    } else {
        let slope = y[0] / y[1];
        let length = y[1] + slope * y[0];
        [x[0] * slope + x[1], x[1] * slope - x[0]].map(|part| part / length)
    }
}

/// x / y, with infinities and NaN as annex G of C has them.
fn quotient(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    let z = smith(x, y);
    if z.iter().any(|part| !part.is_nan()) {
        return z;
    }
    let is_infinite = |x: [f64; 2]| x.iter().any(|part| part.is_infinite());
    let is_finite = |x: [f64; 2]| x.iter().all(|part| part.is_finite());
    if y == [0.0; 2] {
        return x.map(|part| f64::INFINITY.copysign(y[0]) * part);
    }
    if is_infinite(x) && is_finite(y) {
        return turned_back(corner(x), y).map(|part| f64::INFINITY * part);
    }
    if is_finite(x) && is_infinite(y) {
        return turned_back(x, corner(y)).map(|part| 0.0 * part);
    }
    z
}

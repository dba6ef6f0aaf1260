#![allow(unsafe_code)]
//! Division of complex numbers.
//!
//! Go: runtime/complex.go, complex128div.

use super::*;

halves! {
    fn div_c128(g, s, i: DivC128) {
        let (a, b) = (s.c128(i.a), s.c128(i.b));
        s.set_c128(i.dst, quotient(a[0], a[1], b[0], b[1]));
        DONE
    }
    fn div_c64(g, s, i: DivC64) {
        let (a, b) = (s.c64(i.a).map(f64::from), s.c64(i.b).map(f64::from));
        s.set_c64(i.dst, quotient(a[0], a[1], b[0], b[1]).map(|x| x as f32));
        DONE
    }
}

/// Go's complex128 division: infinities and NaN as annex G of C has them.
fn quotient(nr: f64, ni: f64, mr: f64, mi: f64) -> [f64; 2] {
    let inf1 = |f: f64| f64::copysign(if f.is_infinite() { 1.0 } else { 0.0 }, f);
    // Scaled by the larger part of the divisor, to keep clear of overflow.
    let (mut e, mut f) = if mr.abs() >= mi.abs() {
        let ratio = mi / mr;
        let denom = mr + ratio * mi;
        ((nr + ni * ratio) / denom, (ni - nr * ratio) / denom)
    } else {
        let ratio = mr / mi;
        let denom = mi + ratio * mr;
        ((nr * ratio + ni) / denom, (ni * ratio - nr) / denom)
    };
    if e.is_nan() && f.is_nan() {
        let (mut a, mut b, mut c, mut d) = (nr, ni, mr, mi);
        if mr == 0.0 && mi == 0.0 && (!a.is_nan() || !b.is_nan()) {
            e = f64::INFINITY.copysign(c) * a;
            f = f64::INFINITY.copysign(c) * b;
        } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
            (a, b) = (inf1(a), inf1(b));
            e = f64::INFINITY * (a * c + b * d);
            f = f64::INFINITY * (b * c - a * d);
        } else if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
            (c, d) = (inf1(c), inf1(d));
            e = 0.0 * (a * c + b * d);
            f = 0.0 * (b * c - a * d);
        }
    }
    [e, f]
}

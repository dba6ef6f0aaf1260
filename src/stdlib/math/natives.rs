//! Package `math`.
//!
//! Go: math.

pub mod core;

natives! {
    "Float64bits" => |cx, f: f64| { f.to_bits() }
    "Float64frombits" => |cx, b: u64| { f64::from_bits(b) }
    "Float32bits" => |cx, f: f32| { f.to_bits() }
    "Float32frombits" => |cx, b: u32| { f32::from_bits(b) }
    "Copysign" => |cx, f: f64, sign: f64| { f.copysign(sign) }
    "FMA" => |cx, x: f64, y: f64, z: f64| { x.mul_add(y, z) }
    "Sqrt" => |cx, x: f64| { x.sqrt() }
    "Abs" => |cx, x: f64| { x.abs() }
    "Floor" => |cx, x: f64| { x.floor() }
    "Ceil" => |cx, x: f64| { x.ceil() }
    "Trunc" => |cx, x: f64| { x.trunc() }
    "Round" => |cx, x: f64| { x.round() }
    "RoundToEven" => |cx, x: f64| { x.round_ties_even() }
    "Acos" => |cx, x: f64| { core::acos(x) }
    "Acosh" => |cx, x: f64| { core::acosh(x) }
    "Asin" => |cx, x: f64| { core::asin(x) }
    "Asinh" => |cx, x: f64| { core::asinh(x) }
    "Atan" => |cx, x: f64| { core::atan(x) }
    "Atanh" => |cx, x: f64| { core::atanh(x) }
    "Cbrt" => |cx, x: f64| { core::cbrt(x) }
    "Cos" => |cx, x: f64| { core::cos(x) }
    "Cosh" => |cx, x: f64| { core::cosh(x) }
    "Erf" => |cx, x: f64| { core::erf(x) }
    "Erfc" => |cx, x: f64| { core::erfc(x) }
    "Erfcinv" => |cx, x: f64| { core::erfcinv(x) }
    "Erfinv" => |cx, x: f64| { core::erfinv(x) }
    "Exp" => |cx, x: f64| { core::exp(x) }
    "Exp2" => |cx, x: f64| { core::exp2(x) }
    "Expm1" => |cx, x: f64| { core::expm1(x) }
    "Gamma" => |cx, x: f64| { core::gamma(x) }
    "J0" => |cx, x: f64| { core::j0(x) }
    "J1" => |cx, x: f64| { core::j1(x) }
    "Log" => |cx, x: f64| { core::log(x) }
    "Log10" => |cx, x: f64| { core::log10(x) }
    "Log1p" => |cx, x: f64| { core::log1p(x) }
    "Log2" => |cx, x: f64| { core::log2(x) }
    "Logb" => |cx, x: f64| { core::logb(x) }
    "Sin" => |cx, x: f64| { core::sin(x) }
    "Sinh" => |cx, x: f64| { core::sinh(x) }
    "Tan" => |cx, x: f64| { core::tan(x) }
    "Tanh" => |cx, x: f64| { core::tanh(x) }
    "Y0" => |cx, x: f64| { core::y0(x) }
    "Y1" => |cx, x: f64| { core::y1(x) }
    "Atan2" => |cx, y: f64, x: f64| { core::atan2(y, x) }
    "Dim" => |cx, x: f64, y: f64| { core::dim(x, y) }
    "Hypot" => |cx, p: f64, q: f64| { core::hypot(p, q) }
    "Max" => |cx, x: f64, y: f64| { core::max(x, y) }
    "Min" => |cx, x: f64, y: f64| { core::min(x, y) }
    "Mod" => |cx, x: f64, y: f64| { core::fmod(x, y) }
    "Pow" => |cx, x: f64, y: f64| { core::pow(x, y) }
    "Remainder" => |cx, x: f64, y: f64| { core::remainder(x, y) }
    "Nextafter" => |cx, x: f64, y: f64| { core::nextafter(x, y) }
    "Nextafter32" => |cx, x: f32, y: f32| { core::nextafter32(x, y) }
    "Frexp" => |cx, f: f64| { core::frexp(f) }
    "Ldexp" => |cx, frac: f64, exp: i64| { core::ldexp(frac, exp) }
    "Modf" => |cx, f: f64| { core::modf(f) }
    "Ilogb" => |cx, x: f64| { core::ilogb(x) }
    "Jn" => |cx, n: i64, x: f64| { core::jn(n, x) }
    "Yn" => |cx, n: i64, x: f64| { core::yn(n, x) }
    "Lgamma" => |cx, x: f64| { core::lgamma(x) }
    "Pow10" => |cx, n: i64| { core::pow10(n) }
    "Sincos" => |cx, x: f64| { (core::sin(x), core::cos(x)) }
}

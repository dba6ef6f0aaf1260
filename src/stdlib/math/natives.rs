//! Package `math`.
//!
//! Go: math.

pub mod core;

natives! {
    "func Float64bits(f float64) uint64" => |cx, f: f64| { f.to_bits() }
    "func Float64frombits(b uint64) float64" => |cx, b: u64| { f64::from_bits(b) }
    "func Float32bits(f float32) uint32" => |cx, f: f32| { f.to_bits() }
    "func Float32frombits(b uint32) float32" => |cx, b: u32| { f32::from_bits(b) }
    "func Copysign(f, sign float64) float64" => |cx, f: f64, sign: f64| { f.copysign(sign) }
    "func FMA(x, y, z float64) float64" => |cx, x: f64, y: f64, z: f64| { x.mul_add(y, z) }
    "func Sqrt(x float64) float64" => |cx, x: f64| { x.sqrt() }
    "func Abs(x float64) float64" => |cx, x: f64| { x.abs() }
    "func Floor(x float64) float64" => |cx, x: f64| { x.floor() }
    "func Ceil(x float64) float64" => |cx, x: f64| { x.ceil() }
    "func Trunc(x float64) float64" => |cx, x: f64| { x.trunc() }
    "func Round(x float64) float64" => |cx, x: f64| { x.round() }
    "func RoundToEven(x float64) float64" => |cx, x: f64| { x.round_ties_even() }
    "func Acos(x float64) float64" => |cx, x: f64| { core::acos(x) }
    "func Acosh(x float64) float64" => |cx, x: f64| { core::acosh(x) }
    "func Asin(x float64) float64" => |cx, x: f64| { core::asin(x) }
    "func Asinh(x float64) float64" => |cx, x: f64| { core::asinh(x) }
    "func Atan(x float64) float64" => |cx, x: f64| { core::atan(x) }
    "func Atanh(x float64) float64" => |cx, x: f64| { core::atanh(x) }
    "func Cbrt(x float64) float64" => |cx, x: f64| { core::cbrt(x) }
    "func Cos(x float64) float64" => |cx, x: f64| { core::cos(x) }
    "func Cosh(x float64) float64" => |cx, x: f64| { core::cosh(x) }
    "func Erf(x float64) float64" => |cx, x: f64| { core::erf(x) }
    "func Erfc(x float64) float64" => |cx, x: f64| { core::erfc(x) }
    "func Erfcinv(x float64) float64" => |cx, x: f64| { core::erfcinv(x) }
    "func Erfinv(x float64) float64" => |cx, x: f64| { core::erfinv(x) }
    "func Exp(x float64) float64" => |cx, x: f64| { core::exp(x) }
    "func Exp2(x float64) float64" => |cx, x: f64| { core::exp2(x) }
    "func Expm1(x float64) float64" => |cx, x: f64| { core::expm1(x) }
    "func Gamma(x float64) float64" => |cx, x: f64| { core::gamma(x) }
    "func J0(x float64) float64" => |cx, x: f64| { core::j0(x) }
    "func J1(x float64) float64" => |cx, x: f64| { core::j1(x) }
    "func Log(x float64) float64" => |cx, x: f64| { core::log(x) }
    "func Log10(x float64) float64" => |cx, x: f64| { core::log10(x) }
    "func Log1p(x float64) float64" => |cx, x: f64| { core::log1p(x) }
    "func Log2(x float64) float64" => |cx, x: f64| { core::log2(x) }
    "func Logb(x float64) float64" => |cx, x: f64| { core::logb(x) }
    "func Sin(x float64) float64" => |cx, x: f64| { core::sin(x) }
    "func Sinh(x float64) float64" => |cx, x: f64| { core::sinh(x) }
    "func Tan(x float64) float64" => |cx, x: f64| { core::tan(x) }
    "func Tanh(x float64) float64" => |cx, x: f64| { core::tanh(x) }
    "func Y0(x float64) float64" => |cx, x: f64| { core::y0(x) }
    "func Y1(x float64) float64" => |cx, x: f64| { core::y1(x) }
    "func Atan2(y, x float64) float64" => |cx, y: f64, x: f64| { core::atan2(y, x) }
    "func Dim(x, y float64) float64" => |cx, x: f64, y: f64| { core::dim(x, y) }
    "func Hypot(p, q float64) float64" => |cx, p: f64, q: f64| { core::hypot(p, q) }
    "func Max(x, y float64) float64" => |cx, x: f64, y: f64| { core::max(x, y) }
    "func Min(x, y float64) float64" => |cx, x: f64, y: f64| { core::min(x, y) }
    "func Mod(x, y float64) float64" => |cx, x: f64, y: f64| { core::fmod(x, y) }
    "func Pow(x, y float64) float64" => |cx, x: f64, y: f64| { core::pow(x, y) }
    "func Remainder(x, y float64) float64" => |cx, x: f64, y: f64| { core::remainder(x, y) }
    "func Nextafter(x, y float64) (r float64)" => |cx, x: f64, y: f64| { core::nextafter(x, y) }
    "func Nextafter32(x, y float32) (r float32)" => |cx, x: f32, y: f32| { core::nextafter32(x, y) }
    "func Frexp(f float64) (frac float64, exp int)" => |cx, f: f64| { core::frexp(f) }
    "func Ldexp(frac float64, exp int) float64" => |cx, frac: f64, exp: i64| {
        core::ldexp(frac, exp)
    }
    "func Modf(f float64) (integer float64, fractional float64)" => |cx, f: f64| { core::modf(f) }
    "func Ilogb(x float64) int" => |cx, x: f64| { core::ilogb(x) }
    "func Jn(n int, x float64) float64" => |cx, n: i64, x: f64| { core::jn(n, x) }
    "func Yn(n int, x float64) float64" => |cx, n: i64, x: f64| { core::yn(n, x) }
    "func Lgamma(x float64) (lgamma float64, sign int)" => |cx, x: f64| { core::lgamma(x) }
    "func Pow10(n int) float64" => |cx, n: i64| { core::pow10(n) }
    "func Sincos(x float64) (sin, cos float64)" => |cx, x: f64| { (core::sin(x), core::cos(x)) }
}

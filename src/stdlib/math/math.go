// Package math: constants and functions of floating point.
package math

const (
	E       = 2.71828182845904523536028747135266249775724709369995957496696763
	Pi      = 3.14159265358979323846264338327950288419716939937510582097494459
	Phi     = 1.61803398874989484820458683436563811772030917980576286213544862
	Sqrt2   = 1.41421356237309504880168872420969807856967187537694807317667974
	SqrtE   = 1.64872127070012814684865078781416357165377610071014801157507931
	SqrtPi  = 1.77245385090551602729816748334114518279754945612238712821380779
	SqrtPhi = 1.27201964951406896425242246173749149171560804184009624861664038
	Ln2     = 0.693147180559945309417232121458176568075500134360255254120680009
	Log2E   = 1 / Ln2
	Ln10    = 2.30258509299404568401799145468436420760110148862877297603332790
	Log10E  = 1 / Ln10
)

const (
	MaxFloat32             = 0x1p127 * (1 + (1 - 0x1p-23))
	SmallestNonzeroFloat32 = 0x1p-126 * 0x1p-23
	MaxFloat64             = 0x1p1023 * (1 + (1 - 0x1p-52))
	SmallestNonzeroFloat64 = 0x1p-1022 * 0x1p-52
)

const (
	MaxInt    = 1<<63 - 1
	MinInt    = -1 << 63
	MaxInt8   = 1<<7 - 1
	MinInt8   = -1 << 7
	MaxInt16  = 1<<15 - 1
	MinInt16  = -1 << 15
	MaxInt32  = 1<<31 - 1
	MinInt32  = -1 << 31
	MaxInt64  = 1<<63 - 1
	MinInt64  = -1 << 63
	MaxUint   = 1<<64 - 1
	MaxUint8  = 1<<8 - 1
	MaxUint16 = 1<<16 - 1
	MaxUint32 = 1<<32 - 1
	MaxUint64 = 1<<64 - 1
)

// Float64bits is the bits of f.
func Float64bits(f float64) uint64

// Float64frombits is the number with these bits.
func Float64frombits(b uint64) float64

// Float32bits is the bits of f.
func Float32bits(f float32) uint32

// Float32frombits is the number with these bits.
func Float32frombits(b uint32) float32

func Inf(sign int) float64 {
	if sign >= 0 {
		return Float64frombits(0x7FF0000000000000)
	}
	return Float64frombits(0xFFF0000000000000)
}

func NaN() float64              { return Float64frombits(0x7FF8000000000001) }
func IsNaN(f float64) (is bool) { return f != f }
func IsInf(f float64, sign int) bool {
	return sign >= 0 && f > MaxFloat64 || sign <= 0 && f < -MaxFloat64
}
func Signbit(x float64) bool { return Float64bits(x)>>63 != 0 }

// Abs is x without its sign.
func Abs(x float64) float64

// Copysign is f with the sign of sign.
func Copysign(f, sign float64) float64

// Dim is x - y, or 0 if that is negative.
func Dim(x, y float64) float64

// Max is the larger number.
func Max(x, y float64) float64

// Min is the smaller number.
func Min(x, y float64) float64

// Floor is the greatest integer that is not above x.
func Floor(x float64) float64

// Ceil is the least integer that is not below x.
func Ceil(x float64) float64

// Trunc is x without its fraction.
func Trunc(x float64) float64

// Round is the nearest integer; halves go away from zero.
func Round(x float64) float64

// RoundToEven is the nearest integer; halves go to the even one.
func RoundToEven(x float64) float64

// Modf is f's integer and fraction, both with its sign.
func Modf(f float64) (integer float64, fractional float64)

// Mod is the remainder of x / y, with the sign of x.
func Mod(x, y float64) float64

// Remainder is x - n·y, where n is the integer nearest to x / y, the even one of two.
func Remainder(x, y float64) float64

// FMA is x·y + z, rounded once.
func FMA(x, y, z float64) float64

// Frexp is f as frac × 2**exp, with frac from ½ to below 1.
func Frexp(f float64) (frac float64, exp int)

// Ldexp is frac × 2**exp.
func Ldexp(frac float64, exp int) float64

// Ilogb is the binary exponent of x.
func Ilogb(x float64) int

// Logb is the binary exponent of x.
func Logb(x float64) float64

// Nextafter is the number that follows x on the way to y.
func Nextafter(x, y float64) (r float64)

// Nextafter32 is the number that follows x on the way to y.
func Nextafter32(x, y float32) (r float32)

// Sqrt is the square root of x.
func Sqrt(x float64) float64

// Cbrt is the cube root of x.
func Cbrt(x float64) float64

// Hypot is the square root of p² + q², without needless overflow.
func Hypot(p, q float64) float64

// Pow is x**y.
func Pow(x, y float64) float64

// Pow10 is 10**n.
func Pow10(n int) float64

// Exp is e**x.
func Exp(x float64) float64

// Exp2 is 2**x.
func Exp2(x float64) float64

// Expm1 is e**x - 1, exact near 0.
func Expm1(x float64) float64

// Log is the natural logarithm of x.
func Log(x float64) float64

// Log10 is the decimal logarithm of x.
func Log10(x float64) float64

// Log1p is the natural logarithm of 1 + x, exact near 0.
func Log1p(x float64) float64

// Log2 is the binary logarithm of x.
func Log2(x float64) float64

// Sin is the sine of x.
func Sin(x float64) float64

// Cos is the cosine of x.
func Cos(x float64) float64

// Sincos is the sine and the cosine of x.
func Sincos(x float64) (sin, cos float64)

// Tan is the tangent of x.
func Tan(x float64) float64

// Asin is the arcsine of x.
func Asin(x float64) float64

// Acos is the arccosine of x.
func Acos(x float64) float64

// Atan is the arctangent of x.
func Atan(x float64) float64

// Atan2 is the angle of the point (x, y).
func Atan2(y, x float64) float64

// Sinh is the hyperbolic sine of x.
func Sinh(x float64) float64

// Cosh is the hyperbolic cosine of x.
func Cosh(x float64) float64

// Tanh is the hyperbolic tangent of x.
func Tanh(x float64) float64

// Asinh is the inverse hyperbolic sine of x.
func Asinh(x float64) float64

// Acosh is the inverse hyperbolic cosine of x.
func Acosh(x float64) float64

// Atanh is the inverse hyperbolic tangent of x.
func Atanh(x float64) float64

// Erf is the error function of x.
func Erf(x float64) float64

// Erfc is 1 - Erf(x).
func Erfc(x float64) float64

// Erfinv is the inverse of Erf.
func Erfinv(x float64) float64

// Erfcinv is the inverse of Erfc.
func Erfcinv(x float64) float64

// Gamma is the Gamma function of x.
func Gamma(x float64) float64

// Lgamma is the natural logarithm of Gamma(x) without its sign, and the sign.
func Lgamma(x float64) (lgamma float64, sign int)

// J0 is the Bessel function of the first kind, of order 0.
func J0(x float64) float64

// J1 is the Bessel function of the first kind, of order 1.
func J1(x float64) float64

// Jn is the Bessel function of the first kind, of order n.
func Jn(n int, x float64) float64

// Y0 is the Bessel function of the second kind, of order 0.
func Y0(x float64) float64

// Y1 is the Bessel function of the second kind, of order 1.
func Y1(x float64) float64

// Yn is the Bessel function of the second kind, of order n.
func Yn(n int, x float64) float64

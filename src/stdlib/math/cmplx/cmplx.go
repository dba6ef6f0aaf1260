// Package cmplx: functions of complex numbers, and what they give for those without bounds.
//
// Functions of circles are those of hyperbolas with the parts of numbers exchanged or turned, so that
// each is computed once: sine, cosine, tangent and arc sine stand on the hyperbolic ones. What infinities
// and NaNs should give, and products do not, is put right afterwards.
package cmplx

import (
	"math"
	"math/bits"
)

func Abs(z complex128) float64          { return math.Hypot(real(z), imag(z)) }
func Phase(z complex128) float64        { return math.Atan2(imag(z), real(z)) }
func Polar(z complex128) (r, θ float64) { return Abs(z), Phase(z) }
func Conj(z complex128) complex128      { return complex(real(z), -imag(z)) }

// polar is the number with that absolute value and phase.
func polar(r, phase float64) complex128 {
	s, c := math.Sincos(phase)
	return complex(r*c, r*s)
}

func Rect(r, θ float64) complex128 { return polar(r, θ) }

func isInf(f float64) bool { return math.IsInf(f, 0) }

func IsInf(x complex128) bool { return isInf(real(x)) || isInf(imag(x)) }
func IsNaN(x complex128) bool { return !IsInf(x) && (math.IsNaN(real(x)) || math.IsNaN(imag(x))) }
func Inf() complex128         { return complex(math.Inf(1), math.Inf(1)) }
func NaN() complex128         { return complex(math.NaN(), math.NaN()) }

// zero has the sign of f.
func zero(f float64) float64 { return math.Copysign(0, f) }

func Log(x complex128) complex128 { return complex(math.Log(Abs(x)), Phase(x)) }

func Log10(x complex128) complex128 {
	l := Log(x)
	return complex(math.Log10E*real(l), math.Log10E*imag(l))
}

// timesI and overI turn x by a right angle.
func timesI(x complex128) complex128 { return complex(-imag(x), real(x)) }
func overI(x complex128) complex128  { return complex(imag(x), -real(x)) }

func Exp(x complex128) complex128 {
	re, im := real(x), imag(x)
	switch isWild := isInf(im) || math.IsNaN(im); {
	case math.IsInf(re, 1) && im == 0:
		return x
	case math.IsInf(re, 1) && isWild:
		return complex(re, math.NaN())
	case math.IsInf(re, -1) && isWild:
		return complex(0, zero(im))
	case math.IsNaN(re) && im == 0:
		return complex(math.NaN(), im)
	}
	return polar(math.Exp(re), im)
}

func Pow(x, y complex128) complex128 {
	abs, phase := Abs(x), Phase(x)
	if abs == 0 {
		return powOfZero(y)
	}
	n, turn := real(y), imag(y)
	length, angle := math.Pow(abs, n), n*phase
	if turn != 0 {
		length *= math.Exp(-turn * phase)
		angle += turn * math.Log(abs)
	}
	return polar(length, angle)
}

func powOfZero(y complex128) complex128 {
	switch n := real(y); {
	case IsNaN(y):
		return NaN()
	case n == 0:
		return 1
	case !(n < 0):
		return 0
	case imag(y) != 0:
		return Inf()
	}
	return complex(math.Inf(1), 0)
}

// Sqrt has a part that is the root of half of what the absolute value and the real part's are together,
// and another that goes with it.
func Sqrt(x complex128) complex128 {
	re, im := real(x), imag(x)
	var large, small float64
	switch {
	case isInf(im):
		return complex(math.Inf(1), im)
	case im == 0:
		large = math.Sqrt(math.Abs(re))
	case re == 0:
		large = math.Sqrt(0.5 * math.Abs(im))
		small = large
	default:
		// By a power of two, so that the squares neither overflow nor vanish.
		in, out := 0x1p54, 0x1p-27
		if math.Abs(re) > 4 || math.Abs(im) > 4 {
			in, out = 0.25, 2
		}
		re, im = re*in, im*in
		large = math.Sqrt(0.5*math.Hypot(re, im) + 0.5*math.Abs(re))
		small = out * math.Abs(0.5*im/large)
		large *= out
		// What was too small for that power has no sign any more; -0 + 0 is 0.
		if re == 0 {
			re = -1
		}
		im += 0
	}
	if re < 0 {
		large, small = small, large
	}
	return complex(large, math.Copysign(small, im))
}

// swapped exchanges the parts of x.
func swapped(x complex128) complex128 { return complex(imag(x), real(x)) }

// isWild says that f is infinite or NaN.
func isWild(f float64) bool { return f-f != 0 }

func Sinh(x complex128) complex128 {
	re, im := real(x), imag(x)
	s, c := math.Sincos(im)
	sh, ch := sinhcosh(re)
	a, b := c*sh, s*ch
	if isWild(im) && (re == 0 || isInf(re)) {
		a = re
	}
	if isWild(re) && im == 0 {
		b = im
	}
	return complex(a, b)
}

func Cosh(x complex128) complex128 {
	re, im := real(x), imag(x)
	s, c := math.Sincos(im)
	sh, ch := sinhcosh(re)
	a, b := c*ch, s*sh
	switch {
	case isInf(re) && isWild(im):
		a = math.Inf(1)
	case re == 0 && isWild(im), isInf(re) && im == 0:
		b = zero(re) * zero(im)
	case isWild(re) && im == 0:
		b = im
	}
	return complex(a, b)
}

func Sin(x complex128) complex128 { return swapped(Sinh(swapped(x))) }

func Cos(x complex128) complex128 {
	c := Conj(Cosh(swapped(x)))
	if real(x) == 0 && math.IsNaN(imag(x)) {
		return complex(real(c), 0)
	}
	return c
}

// sinhcosh needs one exponential for both, unless that would cancel.
func sinhcosh(x float64) (sh, ch float64) {
	if math.Abs(x) > 0.5 {
		e := math.Exp(x)
		inverse := 0.5 / e
		e *= 0.5
		return e - inverse, e + inverse
	}
	return math.Sinh(x), math.Cosh(x)
}

// over divides both parts by d.
func over(re, im, d float64) complex128 {
	if d == 0 {
		return Inf()
	}
	return complex(re/d, im/d)
}

// tanh needs a better divisor where cosines cancel, which is not looked at for Tanh.
func tanh(x complex128, isCareful bool) complex128 {
	re, im := real(x), imag(x)
	switch {
	case isInf(re):
		side := im
		if !isWild(im) {
			side = math.Sin(2 * im)
		}
		return complex(math.Copysign(1, re), zero(side))
	case math.IsNaN(re) && im == 0:
		return x
	}
	d := math.Cosh(2*re) + math.Cos(2*im)
	if isCareful && math.Abs(d) < 0.25 {
		d = series(swapped(x))
	}
	return over(math.Sinh(2*re), math.Sin(2*im), d)
}

func Tanh(x complex128) complex128 { return tanh(x, false) }
func Tan(x complex128) complex128  { return swapped(tanh(swapped(x), true)) }

func Cot(x complex128) complex128 {
	re, im := 2*real(x), 2*imag(x)
	d := math.Cosh(im) - math.Cos(re)
	if math.Abs(d) < 0.25 {
		d = series(x)
	}
	return over(math.Sin(re), -math.Sinh(im), d)
}

// series is cosh(2y) − cos(2x) by a series, for where that nearly cancels.
func series(z complex128) float64 {
	const enough = 0x1p-53
	x, y := math.Abs(2*real(z)), math.Abs(2*imag(z))
	x = modPi(x)
	x, y = x*x, y*y
	xn, yn, factorial, n, sum := 1.0, 1.0, 1.0, 0.0, 0.0
	next := func() {
		for range 2 {
			n++
			factorial *= n
		}
		xn *= x
		yn *= y
	}
	for {
		next()
		sum += (yn + xn) / factorial
		next()
		t := (yn - xn) / factorial
		sum += t
		if !(math.Abs(t/sum) > enough) {
			return sum
		}
	}
}

// modPi is what is left of x after whole multiples of π, the nearest.
func modPi(x float64) float64 {
	if math.Abs(x) >= 1<<30 {
		return modPiOfLarge(x)
	}
	// π in three parts, of which the first two have few digits.
	const high, middle, low = 0x1.921fb4p+01, 0x1.4442dp-23, 0x1.8469898cc517p-47
	n := float64(int64(x/math.Pi + 0.5))
	return ((x - n*high) - n*middle) - n*low
}

// inversePi has 64 binary places of 1/π in each word, from the second on.
var inversePi = [...]uint64{
	0x0000000000000000, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820,
	0xff28b1d5ef5de2b0, 0xdb92371d2126e970, 0x0324977504e8c90e, 0x7f0ef58e5894d39f,
	0x74411afa975da242, 0x74ce38135a2fbf20, 0x9cc8eb1cc1a99cfa, 0x4e422fc5defc941d,
	0x8ffc4bffef02cc07, 0xf79788c5ad05368f, 0xb69b3f6793e584db, 0xa7a31fb34f2ff516,
	0xba93dd63f5f2f8bd, 0x9e839cfbc5294975, 0x35fdafd88fc6ae84, 0x2b0198237e3db5d5,
}

// modPiOfLarge multiplies by those places of 1/π that matter. Payne and Hanek.
func modPiOfLarge(x float64) float64 {
	const bias, places = 1023, 52
	b := math.Float64bits(x)
	exp := int(b>>places&0x7ff) - bias - places
	b = b&(1<<places-1) | 1<<places
	word, shift := uint(exp+64)/64, uint(exp+64)%64
	at := func(i uint) uint64 {
		return inversePi[word+i]<<shift | inversePi[word+i+1]>>(64-shift)
	}
	low, _ := bits.Mul64(at(2), b)
	high, middle := bits.Mul64(at(1), b)
	low, carry := bits.Add64(middle, low, 0)
	high, _ = bits.Add64(at(0)*b, high, carry)
	// The places behind the point, as a number from 0 to 1.
	zeros := uint(bits.LeadingZeros64(high)) + 1
	high = high<<zeros | low>>(64-zeros)
	part := math.Float64frombits(high>>(64-places) | uint64(bias-zeros)<<places)
	if part > 0.5 {
		part--
	}
	return math.Pi * part
}

func Asin(x complex128) complex128 {
	if isInf(real(x)) && math.IsNaN(imag(x)) {
		return complex(imag(x), real(x))
	}
	return overI(Asinh(timesI(x)))
}

func Asinh(x complex128) complex128 {
	re, im := real(x), imag(x)
	isReal, isTurned := im == 0, re == 0
	switch {
	case isReal && math.Abs(re) <= 1:
		return complex(math.Asinh(re), im)
	case isTurned && math.Abs(im) <= 1:
		return complex(re, math.Asin(im))
	case isReal && re != re:
		return x
	case isWild(re) || isInf(im):
		return asinhOfWild(re, im)
	}
	xx := x * x
	return Log(x + Sqrt(complex(1+real(xx), imag(xx))))
}

// asinhOfWild is for numbers without bounds, whose phase is what matters.
func asinhOfWild(re, im float64) complex128 {
	phase := 0.0
	switch {
	case re != re && isInf(im):
		return complex(im, re)
	case re != re:
		return NaN()
	case !isInf(re):
		re, phase = math.Copysign(im, re), math.Pi/2
	case isInf(im):
		phase = math.Pi / 4
	case im != im:
		phase = im
	}
	return complex(re, math.Copysign(phase, im))
}

func Acosh(x complex128) complex128 {
	switch c := Acos(x); {
	case x == 0:
		return complex(0, math.Copysign(math.Pi/2, imag(x)))
	case imag(c) <= 0:
		return timesI(c)
	default:
		return overI(c)
	}
}

func Acos(x complex128) complex128 {
	s := Asin(x)
	return complex(math.Pi/2-real(s), -imag(s))
}

func Atan(x complex128) complex128 {
	re, im := real(x), imag(x)
	if im == 0 {
		return complex(math.Atan(re), im)
	} else if re == 0 && math.Abs(im) <= 1 {
		return complex(re, math.Atanh(im))
	}
	if IsInf(x) {
		angle := re
		if re == re {
			angle = math.Copysign(math.Pi/2, re)
		}
		return complex(angle, zero(im))
	}
	// The squares of the distances from i and -i.
	square, less, more := re*re, im-1, im+1
	from, to := square+less*less, square+more*more
	d := 1 - square - im*im
	if d == 0 || from == 0 || IsNaN(x) {
		return NaN()
	}
	angle := modPi(0.5 * math.Atan2(2*re, d))
	return complex(angle, 0.25*math.Log(to/from))
}

func Atanh(x complex128) complex128 { return overI(Atan(timesI(x))) }

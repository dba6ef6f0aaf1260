// run
//
// Package cmplx: every function at special points, near them, and at many others, to the last bit.
package main

import (
	"fmt"
	"hash/crc32"
	"math"
	"math/cmplx"
	"math/rand"
)

var functions = []struct {
	name string
	f    func(complex128) complex128
}{
	{"Acos", cmplx.Acos}, {"Acosh", cmplx.Acosh}, {"Asin", cmplx.Asin}, {"Asinh", cmplx.Asinh}, {"Atan", cmplx.Atan},
	{"Atanh", cmplx.Atanh}, {"Conj", cmplx.Conj}, {"Cos", cmplx.Cos}, {"Cosh", cmplx.Cosh}, {"Cot", cmplx.Cot},
	{"Exp", cmplx.Exp}, {"Log", cmplx.Log}, {"Log10", cmplx.Log10}, {"Sin", cmplx.Sin}, {"Sinh", cmplx.Sinh},
	{"Sqrt", cmplx.Sqrt}, {"Tan", cmplx.Tan}, {"Tanh", cmplx.Tanh},
}

func main() {
	inf, nan := math.Inf(1), math.NaN()
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2, 3, 1e300, -1e-300, math.Pi / 2, inf, -inf, nan, 1 << 40, 0.1}
	rng := rand.New(rand.NewSource(1))
	for _, f := range functions {
		fmt.Print(f.name)
		for _, re := range special {
			for _, im := range special {
				fmt.Print(" ", f.f(complex(re, im)))
			}
		}
		sum := crc32.NewIEEE()
		for i := range 2000 {
			scale := math.Pow(10, float64(i%40-20))
			x := complex(rng.NormFloat64()*scale, rng.NormFloat64()*2)
			fmt.Fprint(sum, f.f(x), f.f(complex(imag(x), real(x))))
		}
		fmt.Printf("\n%s %x\n", f.name, sum.Sum32())
	}
	sum := crc32.NewIEEE()
	for _, a := range special {
		for _, b := range special {
			x := complex(a, b)
			r, phase := cmplx.Polar(x)
			fmt.Fprint(sum, cmplx.Abs(x), cmplx.Phase(x), r, phase, cmplx.Rect(a, b), cmplx.IsInf(x), cmplx.IsNaN(x))
			for _, c := range special {
				fmt.Fprint(sum, cmplx.Pow(x, complex(c, 0)), cmplx.Pow(x, complex(0.5, c)), cmplx.Pow(x, complex(c, -1)))
			}
		}
	}
	fmt.Println(sum.Sum32(), cmplx.Inf(), cmplx.NaN(), cmplx.Pow(0, -1), cmplx.Pow(0, complex(-1, 2)), cmplx.Pow(0, complex(nan, 0)))
	fmt.Println(cmplx.Exp(1i*math.Pi)+1, cmplx.Sqrt(-1), cmplx.Tan(complex(math.Pi/2, 1e-9)), cmplx.Cot(1e-9))
}

package main

import (
	"fmt"
	"math"
	"math/cmplx"
)

// The fast Fourier transform on complex128: recursive and in place, back again, and
// used to find the tones in a signal and to multiply polynomials.

func recursive(x []complex128) []complex128 {
	n := len(x)
	if n == 1 {
		return []complex128{x[0]}
	}
	even, odd := make([]complex128, n/2), make([]complex128, n/2)
	for i := range even {
		even[i], odd[i] = x[2*i], x[2*i+1]
	}
	even, odd = recursive(even), recursive(odd)
	out := make([]complex128, n)
	for k := range even {
		t := cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n)) * odd[k]
		out[k], out[k+n/2] = even[k]+t, even[k]-t
	}
	return out
}

// inPlace transforms x, whose length is a power of two; with sign +1 it goes back.
func inPlace(x []complex128, sign float64) {
	n := len(x)
	for i, j := 1, 0; i < n; i++ {
		bit := n >> 1
		for ; j&bit != 0; bit >>= 1 {
			j ^= bit
		}
		j ^= bit
		if i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	for size := 2; size <= n; size *= 2 {
		angle := sign * 2 * math.Pi / float64(size)
		root := complex(math.Cos(angle), math.Sin(angle))
		for start := 0; start < n; start += size {
			w := complex(1, 0)
			for k := start; k < start+size/2; k++ {
				t := w * x[k+size/2]
				x[k], x[k+size/2] = x[k]+t, x[k]-t
				w *= root
			}
		}
	}
	if sign > 0 {
		for i := range x {
			x[i] /= complex(float64(n), 0)
		}
	}
}

// multiply is for factors of the same length.
func multiply(a, b []int) []int {
	n := 1
	for n < len(a)+len(b) {
		n *= 2
	}
	x, y := make([]complex128, n), make([]complex128, n)
	for i := range a {
		x[i], y[i] = complex(float64(a[i]), 0), complex(float64(b[i]), 0)
	}
	inPlace(x, -1)
	inPlace(y, -1)
	for i := range x {
		x[i] *= y[i]
	}
	inPlace(x, 1)
	out := make([]int, len(a)+len(b)-1)
	for i := range out {
		out[i] = int(math.Round(real(x[i])))
	}
	return out
}

func main() {
	const n = 1 << 14
	signal := make([]complex128, n)
	for i := range signal {
		t := float64(i) / n
		v := 3*math.Sin(2*math.Pi*440*t) + math.Cos(2*math.Pi*1000*t) + 0.5*math.Sin(2*math.Pi*6000*t)
		signal[i] = complex(v, 0)
	}
	spectrum := recursive(signal)
	same := append([]complex128(nil), signal...)
	for round := 0; round < 30; round++ {
		inPlace(same, -1)
		if round == 0 {
			worst := 0.0
			for i := range same {
				worst = max(worst, cmplx.Abs(same[i]-spectrum[i]))
			}
			fmt.Println("agree", worst < 1e-6)
		}
		inPlace(same, 1)
	}
	for k, c := range spectrum[:n/2] {
		if cmplx.Abs(c) > n/10 {
			fmt.Printf("tone %d %.3f %.3f\n", k, 2*cmplx.Abs(c)/n, real(same[k]))
		}
	}
	var a, b []int
	for i := 0; i < 4000; i++ {
		a, b = append(a, i*7%19-9), append(b, i*5%23-11)
	}
	c, digest := multiply(a, b), 0
	for i, v := range c {
		digest = (digest*31 + v*(i+1)) % 1000003
	}
	fmt.Println("product", len(c), digest, c[3500])
}

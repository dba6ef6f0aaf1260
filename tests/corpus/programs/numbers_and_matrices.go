// run exit=2

// Matrices, primes, integers that overflow, floats as they print.
package main

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand"
	"os"
)

type Matrix [][]float64

func New(r, c int) Matrix {
	m := make(Matrix, r)
	backing := make([]float64, r*c)
	for i := range m {
		m[i] = backing[i*c : (i+1)*c : (i+1)*c]
	}
	return m
}

func (m Matrix) Mul(o Matrix) (Matrix, error) {
	if len(m[0]) != len(o) {
		return nil, errors.New("shape")
	}
	out := New(len(m), len(o[0]))
	for i := range out {
		for j := range out[i] {
			for k := range o {
				out[i][j] += m[i][k] * o[k][j]
			}
		}
	}
	return out, nil
}

func (m Matrix) Det() float64 {
	n := len(m)
	a := New(n, n)
	for i := range m {
		copy(a[i], m[i])
	}
	det := 1.0
	for c := 0; c < n; c++ {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		if a[p][c] == 0 {
			return 0
		}
		if p != c {
			a[p], a[c] = a[c], a[p]
			det = -det
		}
		det *= a[c][c]
		for r := c + 1; r < n; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < n; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	return det
}

func primes(n int) (out []int) {
	sieve := make([]bool, n+1)
	for i := 2; i <= n; i++ {
		if !sieve[i] {
			out = append(out, i)
			for j := i * i; j <= n; j += i {
				sieve[j] = true
			}
		}
	}
	return
}

func collatz(n uint64) (steps int) {
	for ; n != 1; steps++ {
		if n&1 == 0 {
			n >>= uint(bits.TrailingZeros64(n))
		} else {
			n = 3*n + 1
		}
	}
	return
}

func main() {
	r := rand.New(rand.NewSource(42))
	a, b := New(3, 4), New(4, 3)
	for i := range a {
		for j := range a[i] {
			a[i][j] = float64(r.Intn(10))
			b[j][i] = math.Round(r.Float64()*100) / 100
		}
	}
	c, err := a.Mul(b)
	fmt.Println(c, err, c.Det())
	_, err = a.Mul(a)
	fmt.Println(err)
	fmt.Println(len(primes(10000)), primes(30), collatz(27), r.Perm(5))
	fmt.Println(math.Sqrt(2), math.Pi, math.Inf(1), math.NaN(), -math.MaxFloat64, math.MaxInt64, math.Hypot(3, 4), math.Mod(7, -3), math.Trunc(-2.7))
	fmt.Println(7/2, -7/2, 7%3, -7%3, 1<<10, 0xff&^0x0f, ^5, 5^3, 3.0/2)
	var x uint32 = 1 << 31
	fmt.Println(x<<1, int32(x), bits.OnesCount(255), bits.Reverse8(3), bits.Len(1000))
	h, l := bits.Mul64(math.MaxUint64, math.MaxUint64)
	fmt.Println(h, l, float32(0.1), float64(float32(0.1)), 1e100, 1e-5, 123456789.0, 1e20, 1e21)
	cplx := complex(3, 4)
	fmt.Println(cplx*cplx, real(cplx), imag(cplx), cplx == 3+4i, fmt.Sprintf("%.1f", cplx))
	z := 0
	defer func() {
		fmt.Println("recovered:", recover())
		var arr [5]int
		idx := 5
		if len(os.Args) > 100 {
			idx = 1
		}
		fmt.Println(arr[idx%len(arr)], int64(math.Float64bits(1.5)>>52))
		fmt.Println(arr[idx])
	}()
	fmt.Println(1 / z)
}

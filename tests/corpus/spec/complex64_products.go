// run
package main

import "fmt"

// Products of complex64 are computed in double precision and rounded once; so are quotients.

//go:noinline
func mul(a, b complex64) complex64 { return a * b }

//go:noinline
func div(a, b complex64) complex64 { return a / b }

func main() {
	big := complex64(complex(1e20, 1e20))
	fmt.Println(mul(big, big), div(big, big))
	big *= big
	fmt.Println(big)
	var seed uint32 = 1
	part := func() float32 {
		seed = seed*1664525 + 1013904223
		return float32(int32(seed)) / 65537
	}
	sum := uint64(0)
	for i := 0; i < 1000; i++ {
		a, b := complex(part(), part()), complex(part(), part())
		c, d := mul(a, b), div(a, b)
		if i < 5 {
			fmt.Println(c, d)
		}
		for _, f := range []float32{real(c), imag(c), real(d), imag(d)} {
			sum = sum*31 + uint64(float64(f)*1e6)
		}
	}
	fmt.Println(sum)
	near := complex(float32(1)+1.0/(1<<23), float32(1))
	fmt.Println(mul(near, near), mul(near, complex(real(near), -1)))
}

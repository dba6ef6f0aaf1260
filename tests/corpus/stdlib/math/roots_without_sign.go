// run

// A square root scales its number; what is too small for that loses its sign.
package main

import (
	"fmt"
	"math/cmplx"
)

func main() {
	for _, re := range []float64{5, -5, 1000, -1e22, 3} {
		fmt.Println(cmplx.Sqrt(complex(re, -5e-324)), cmplx.Sqrt(complex(re, 5e-324)))
	}
}

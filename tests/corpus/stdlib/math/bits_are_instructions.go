// run

// What counts, finds and turns bits, of numbers of each width, with constants and without, in place and as values of functions.
package main

import (
	"fmt"
	"math"
	"math/bits"
)

var numbers = []uint64{0, 1, 2, 3, 127, 128, 255, 256, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1<<63 - 1,
	1 << 63, math.MaxUint64, 0x123456789abcdef0, 0x0f1e2d3c4b5a6978}

var turned = 0

func turn() int {
	turned += 7
	return turned
}

func main() {
	for _, x := range numbers {
		a, b, c := uint8(x), uint16(x), uint32(x)
		fmt.Println(x, bits.TrailingZeros(uint(x)), bits.TrailingZeros8(a), bits.TrailingZeros16(b), bits.TrailingZeros32(c), bits.TrailingZeros64(x),
			bits.LeadingZeros(uint(x)), bits.LeadingZeros8(a), bits.LeadingZeros16(b), bits.LeadingZeros32(c), bits.LeadingZeros64(x),
			bits.Len(uint(x)), bits.Len8(a), bits.Len16(b), bits.Len32(c), bits.Len64(x),
			bits.OnesCount(uint(x)), bits.OnesCount8(a), bits.OnesCount16(b), bits.OnesCount32(c), bits.OnesCount64(x))
		fmt.Println(bits.RotateLeft(uint(x), 3), bits.RotateLeft8(a, 3), bits.RotateLeft16(b, -3), bits.RotateLeft32(c, 7), bits.RotateLeft32(c, -7),
			bits.RotateLeft64(x, 70), bits.RotateLeft64(x, -1), bits.ReverseBytes64(x), bits.ReverseBytes32(c), bits.ReverseBytes(uint(x)))
		for _, k := range []int{0, 1, 31, 32, 33, 63, 64, 65, -1, -40, 1 << 40} {
			fmt.Print(bits.RotateLeft32(c, k), " ", bits.RotateLeft64(x, k), " ", bits.RotateLeft(uint(x), k+1), " ")
		}
		fmt.Println()
		x = bits.RotateLeft64(x, turn()) ^ bits.RotateLeft64(x, turn())
		c = bits.RotateLeft32(bits.ReverseBytes32(c), bits.OnesCount64(x))
		fmt.Println(x, c, 64-bits.LeadingZeros64(x^1)+bits.TrailingZeros32(c|1<<9))
	}
	for _, f := range []func(uint32) int{bits.Len32, bits.OnesCount32, bits.TrailingZeros32, bits.LeadingZeros32} {
		fmt.Print(f(0x00ff00), " ")
	}
	fmt.Println()
	for _, f := range []float64{0, -0.5, math.Pi, math.Inf(-1)} {
		x := math.Float64bits(f)
		y := math.Float32bits(float32(f))
		fmt.Println(x, y, math.Float64frombits(x+1), math.Float32frombits(y^1), math.Float64frombits(math.Float64bits(f)&^(1<<63)))
	}
	s := uint32(1)
	for i := range 5000 {
		s = bits.RotateLeft32(s*0x9e3779b1+uint32(i), i) ^ uint32(bits.OnesCount32(s)+bits.TrailingZeros64(uint64(s)<<3)+bits.Len(uint(s)))
	}
	z := complex(1, 0)
	for i := range 1000 {
		z = z*complex(0.6, 0.8) + complex(float64(i), -1) - z
	}
	fmt.Println(s, z)
}

// run
// Conversions of floats that are out of the range of the integer: what Go's compiler for amd64 makes of them.
package main

import (
	"fmt"
	"math"
)

var vals = []float64{
	0,
	1.5,
	-1.5,
	127.9,
	128,
	-128.9,
	-129,
	255.9,
	256,
	300,
	-0.5,
	32767.5,
	32768,
	65535.5,
	65536,
	-32769,
	70000,
	2147483647.5,
	2147483648,
	-2147483649,
	4294967295.5,
	4294967296,
	4294967297,
	-4294967297,
	9007199254740993,
	1<<62,
	9223372036854774784,
	1<<63,
	(1<<63)*1.5,
	18446744073709549568,
	1<<64,
	1e20,
	-1<<63,
	-(1<<63)*1.5,
	-1e20,
	1e300,
	-1e300,
	2147483649,
	3e9,
	-3e9,
	5e9,
	-1,
	-2.7,
	6442450945.0,
	1099511627776.5,
	-1099511627776.5,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1),
}

//go:noinline
func all(f float64) {
	fmt.Println(f, int8(f), int16(f), int32(f), int64(f), int(f))
	fmt.Println(uint8(f), uint16(f), uint32(f), uint64(f), uint(f), uintptr(f))
	g := float32(f)
	fmt.Println(g, int8(g), int16(g), int32(g), int64(g), int(g))
	fmt.Println(uint8(g), uint16(g), uint32(g), uint64(g), uint(g), uintptr(g))
}

func conv[T ~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64, F ~float32 | ~float64](f F) T {
	return T(f)
}

type small uint8

func main() {
	for _, f := range vals {
		all(f)
		fmt.Println(conv[int8](f), conv[uint8](f), conv[int16](f), conv[uint16](f), conv[int32](f), conv[uint32](f), conv[int64](f), conv[uint64](f), conv[small](f))
		fmt.Println(conv[uint8](float32(f)), conv[uint32](float32(f)), conv[uint64](float32(f)))
	}
	// Often enough to become code of the machine.
	var sum [12]int64
	for k := range 3000 {
		f := vals[k%len(vals)]
		sum[0] += int64(int8(f))
		sum[1] += int64(int16(f))
		sum[2] += int64(int32(f))
		sum[3] ^= int64(f)
		sum[4] += int64(uint8(f))
		sum[5] += int64(uint16(f))
		sum[6] += int64(uint32(f))
		sum[7] ^= int64(uint64(f))
		g := float32(f)
		sum[8] += int64(uint8(g))
		sum[9] += int64(uint16(g))
		sum[10] += int64(uint32(g))
		sum[11] ^= int64(uint64(g))
	}
	fmt.Println(sum)
	// A variable whose value is known.
	f := 3e9
	h := 1e20
	n := math.NaN()
	fmt.Println(uint8(f), int8(f), uint16(f), int16(f), int32(f), uint32(f), int64(h), uint64(h), uint32(h), int32(h), uint8(h), uint64(-f), uint32(-f))
	fmt.Println(uint8(n), int8(n), uint16(n), int16(n), int32(n), uint32(n), int64(n), uint64(n))
	var arr [4]int
	i := 2.9
	fmt.Println(arr[int(i)], arr[uint8(i)])
}


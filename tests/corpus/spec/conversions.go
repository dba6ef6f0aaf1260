// run
package main

import (
	"fmt"
	"math"
)

type Celsius float64
type ID int
type Name string
type Bytes []byte

func main() {
	f := 3.99
	fmt.Println(int(f), int(-f), uint8(f), int64(1e18), float32(f), float64(float32(0.1)))
	big := 300
	fmt.Println(uint8(big), int8(big), int16(70000+big), uint16(-big), uint32(-big), int32(int64(big)<<33+5))
	fmt.Println(string(rune(65)), string(rune(0x4e16)), string(rune(-1)), []byte("héllo"), []rune("héllo世"))
	fmt.Println(string([]byte{104, 105}), string([]rune{0x4e16, 0x754c}), string(Bytes("abc")), Name("n")+"x")
	fmt.Println(Celsius(36.6)+1, ID(7)*2, float64(Celsius(1.5)))
	fmt.Println(float32(16777217), float32(1<<24+1), float64(math.MaxInt64), uint64(float64(1<<63)))
	var u64 uint64 = 1<<63 + 12345
	fmt.Println(float64(u64), float32(u64), uint64(float64(u64)))
	var i interface{} = ID(3)
	fmt.Println(i.(ID), fmt.Sprintf("%T", i))
	var arr = [4]int{1, 2, 3, 4}
	sl := arr[:]
	p := (*[4]int)(sl)
	p[0] = 100
	fmt.Println(arr, [2]int(sl[1:3]), *(*[2]int)(sl[2:]))
	type T struct{ A, B int }
	type U struct{ A, B int }
	fmt.Println(U(T{1, 2}), struct{ A, B int }(T{3, 4}))
	var c64 complex64 = complex64(complex(1.1, 2.2))
	fmt.Println(c64, complex128(c64) == complex(1.1, 2.2))
	fmt.Println(math.Float64bits(-0.0), math.Float64bits(math.Copysign(0, -1)), int64(math.Float32bits(1.5)))
	for i, r := range "a\xffé\xe4\xb8世" {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println()
}

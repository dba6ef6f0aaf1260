// run

// Addresses made through unsafe need no alignment on this machine.
package main

import (
	"fmt"
	"unsafe"
)

type pair struct {
	a uint32
	b uint64
	c [3]int16
	f float64
	g float32
	d complex128
}

var buf [256]byte

func at[T any](off int) *T { return (*T)(unsafe.Pointer(&buf[off])) }

func try[T comparable](v T) {
	for off := range 9 {
		p := at[T](off + 16)
		*p = v
		w := *p
		a := [2]T{w, *p}
		s := []T{*p}
		copy(s, a[:])
		m := map[T]int{*p: off}
		var i any = *p
		fmt.Print(w == v, a[1] == v, s[0] == v, m[v] == off, i == any(v), " ")
	}
	fmt.Println()
}

func main() {
	try(int8(-5))
	try(int16(-300))
	try(uint16(65000))
	try(int32(-70000))
	try(uint32(1 << 31))
	try(int64(-1 << 40))
	try(uint64(1 << 63))
	try(float32(1.5))
	try(2.25)
	try(complex64(1 + 2i))
	try(3 - 4i)
	try([3]int16{1, 2, 3})
	try(pair{1, 2, [3]int16{3, 4, 5}, 6, 7, 8i})
	try(struct{ x, y int32 }{1, 2})
	p := at[int64](33)
	*p = 41
	*p++
	*p += 3
	*p ^= 1
	fmt.Println(*p, *at[pair](1))
	q := (*[4]float64)(unsafe.Pointer(&buf[65]))
	for i := range q {
		q[i] = float64(i) / 2
	}
	sum := 0.0
	for _, x := range q {
		sum += x
	}
	fmt.Println(sum, unsafe.Slice((*uint32)(unsafe.Pointer(&buf[67])), 3))
}

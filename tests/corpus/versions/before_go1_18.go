// errorcheck lang=go1.16
package main

import (
	"cmp"
	"unsafe"
)

type G[T int] struct{ x T }

type O cmp.Ordered

func f[T int](x T) T { return x }

func main() {
	var y any
	_ = y
	var sl []int
	_ = (*[2]int)(sl)
	_ = unsafe.Add(unsafe.Pointer(&sl), 0)
	f(1)
	f[int](1)
	_ = f[int]
	_ = G[int]{}
}

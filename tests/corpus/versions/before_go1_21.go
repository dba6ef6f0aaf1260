// errorcheck lang=go1.18
package main

import "unsafe"

type GA[T any] = []T

func f[T any](x T) T { return x }
func g[T comparable](x T) {}
func apply(h func(int) int) {}

func main() {
	var sl []int
	_ = [2]int(sl)
	_ = (*[2]int)(sl)
	_ = min(1, 2)
	clear(sl)
	_ = unsafe.String(nil, 0)
	_ = unsafe.StringData("")
	_ = unsafe.SliceData(sl)
	apply(f)
	var h func(int) int = f
	_ = h
	g[interface{ m() }](nil)
}

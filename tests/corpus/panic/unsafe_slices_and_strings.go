// run
package main

import (
	"fmt"
	"unsafe"
)

func try(name string, f func()) {
	defer func() {
		fmt.Println(name, recover())
	}()
	f()
}

func slices[T any](name string, some *T, lens ...int) {
	for _, n := range lens {
		try(fmt.Sprint(name, " nil ", n), func() {
			s := unsafe.Slice((*T)(nil), n)
			fmt.Print(s == nil, len(s), cap(s), " ")
		})
		if n != 1 && unsafe.Sizeof(*some) > 0 && n < 1<<40 && n > 0 {
			continue
		}
		try(fmt.Sprint(name, " some ", n), func() {
			s := unsafe.Slice(some, n)
			fmt.Print(s == nil, len(s), cap(s), " ")
		})
	}
}

func main() {
	lens := []int{-1 << 63, -1, 0, 1, 3, 1 << 60, 1<<63 - 1}
	var i int
	var b byte
	var z struct{}
	var l [1000]byte
	slices("int", &i, lens...)
	slices("byte", &b, lens...)
	slices("struct{}", &z, lens...)
	slices("[1000]byte", &l, lens...)
	for _, n := range []uint64{0, 1, 1 << 63, 1<<64 - 1} {
		try(fmt.Sprint("uint64 ", n), func() { _ = unsafe.Slice((*int)(nil), n) })
		try(fmt.Sprint("uint64 ", n), func() { _ = unsafe.String((*byte)(nil), n) })
	}
	for _, n := range lens {
		try(fmt.Sprint("string nil ", n), func() { fmt.Print(len(unsafe.String((*byte)(nil), n)), " ") })
		if n <= 1 || n > 1<<61 {
			try(fmt.Sprint("string some ", n), func() { fmt.Print(len(unsafe.String(&b, n)), " ") })
		}
	}
	try("int8", func() { _ = unsafe.Slice(&b, int8(b)-1) })
}

// run
// What go1.20 added: conversions of slices to arrays, functions of unsafe, interfaces that satisfy
// comparable; comparison goes in order and stops at what differs.
package main

import (
	"fmt"
	"unsafe"
)

func same[T comparable](a, b T) (r string) {
	defer func() {
		if e := recover(); e != nil {
			r = fmt.Sprint("panic: ", e)
		}
	}()
	return fmt.Sprint(a == b)
}

type part struct {
	n int
	x any
	f any
}

func count[K comparable](ks ...K) int {
	m := map[K]int{}
	for _, k := range ks {
		m[k]++
	}
	return len(m)
}

func main() {
	s := []int{1, 2, 3}
	a := [2]int(s)
	a[0] = 9
	p := (*[3]int)(s)
	p[1] = 8
	fmt.Println(a, s, [0]int([]int(nil)), [3]int(s) == *p)
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = [4]int(s)
	}()

	b := []byte("bytes")
	text := unsafe.String(unsafe.SliceData(b), 3)
	fmt.Println(text, *unsafe.StringData("x"), unsafe.SliceData([]int(nil)) == nil)

	fmt.Println(same[any](1, 1), same[any]([]int{}, []int{}), same[error](nil, nil))
	bad := any(func() {})
	fmt.Println(same(part{n: 1, x: bad}, part{n: 2, x: bad}), same(part{1, 2, bad}, part{1, 3, bad}), same(part{x: bad}, part{x: bad}))
	fmt.Println(same([2]any{1, bad}, [2]any{2, bad}), count[any](1, "1", 1, nil, nil), count[fmt.Stringer](nil))
}

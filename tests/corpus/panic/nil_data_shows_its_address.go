// run exit=2

// An element of a slice with nil data, as a torn read makes it: the signal's line names the element's address.
package main

import "unsafe"

type header struct {
	data     uintptr
	len, cap int
}

//go:noinline
func third(s []int) int {
	return s[3]
}

func main() {
	h := header{0, 10, 10}
	println(third(*(*[]int)(unsafe.Pointer(&h))))
}

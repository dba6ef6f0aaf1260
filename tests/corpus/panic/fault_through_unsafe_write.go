// run exit=2
package main

import "unsafe"

//go:noinline
func write(p *int) { *p = 1 }

func main() {
	word := uintptr(0x123456789000)
	write(*(**int)(unsafe.Pointer(&word)))
}

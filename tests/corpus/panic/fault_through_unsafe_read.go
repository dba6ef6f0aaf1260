// run exit=2
package main

import "unsafe"

//go:noinline
func read(p *int) int { return *p }

func main() {
	defer func() { println("deferred, not recovered") }()
	word := uintptr(0x123456789000)
	println(read(*(**int)(unsafe.Pointer(&word))))
}

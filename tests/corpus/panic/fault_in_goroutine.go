// run exit=2
package main

import "unsafe"

//go:noinline
func read(p *byte) byte { return *p }

func worker() {
	word := uintptr(0x4000000000)
	println(read(*(**byte)(unsafe.Pointer(&word))))
}

func main() {
	go worker()
	select {}
}

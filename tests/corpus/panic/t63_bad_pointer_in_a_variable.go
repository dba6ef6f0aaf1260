// run exit=2
package main

import (
	"runtime"
	"unsafe"
)

var kept *[1 << 20]byte

// address is that of a block which nobody holds.
var address uintptr

func forget(done chan<- bool) {
	block := new([1 << 20]byte)
	block[5] = 1
	address = uintptr(unsafe.Pointer(block))
	done <- true
}

func main() {
	defer func() { println("not recoverable", recover()) }()
	done := make(chan bool)
	go forget(done)
	<-done
	runtime.GC()
	runtime.GC()
	*(*uintptr)(unsafe.Pointer(&kept)) = address
	runtime.GC()
	println("goes on", kept[5])
}

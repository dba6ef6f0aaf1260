// run exit=2
package main

import (
	"runtime"
	"unsafe"
)

type record struct {
	name  string
	block *[1 << 20]byte
	rest  [5000]int
}

var kept = new(record)

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
	*(*uintptr)(unsafe.Pointer(&kept.block)) = address
	runtime.GC()
	println("goes on", kept.name)
}

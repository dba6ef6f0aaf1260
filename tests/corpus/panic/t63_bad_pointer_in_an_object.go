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

// address is within a block which nobody holds.
var address uintptr

func forget(done chan<- bool) {
	block := new([1 << 20]byte)
	block[5] = 1
	// Its middle, since stacks may be made where it begins.
	address = uintptr(unsafe.Pointer(&block[1<<19]))
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

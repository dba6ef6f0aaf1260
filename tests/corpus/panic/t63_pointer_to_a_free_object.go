// run exit=2
package main

import (
	"runtime"
	"unsafe"
)

type record [100]*int

// kept are some of the records of spans.
var kept [200]*record
var addresses [200]uintptr
var spoiled *record

func fill(done chan<- bool) {
	for i := range kept {
		kept[i] = new(record)
		addresses[i] = uintptr(unsafe.Pointer(kept[i]))
	}
	for i := range kept {
		if i%2 == 1 {
			kept[i] = nil
		}
	}
	done <- true
}

func main() {
	defer func() { println("not recoverable", recover()) }()
	done := make(chan bool)
	go fill(done)
	<-done
	runtime.GC()
	runtime.GC()
	*(*uintptr)(unsafe.Pointer(&spoiled)) = addresses[101]
	runtime.GC()
	println("goes on", spoiled == nil)
}

// run exit=2
package main

import "unsafe"

//go:noinline
func deep(n int) int {
	var block [100]int
	block[n%100] = n
	if n == 0 {
		return 1
	}
	return deep(n-1) + block[n%100]
}

//go:noinline
func number() *int {
	seven := uintptr(7)
	return *(**int)(unsafe.Pointer(&seven))
}

//go:noinline
func hold() {
	p := number()
	println(deep(1000))
	println("goes on", p == nil)
}

func main() {
	done := make(chan bool)
	go func() {
		defer func() { println("not recoverable", recover()) }()
		hold()
		done <- true
	}()
	<-done
}

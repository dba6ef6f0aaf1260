// run exit=2
package main

import "runtime"

// Each waits with its thread: the threads are not idle, and yet nothing can ever run.
func main() {
	runtime.LockOSThread()
	block, ready := make(chan int), make(chan int)
	go func() {
		runtime.LockOSThread()
		ready <- 1
		<-block
	}()
	<-ready
	<-block
}

// run exit=2

package main

import "runtime/debug"

func wait(c chan int) { <-c }

func main() {
	debug.SetTraceback("all")
	ready := make(chan bool)
	go func() {
		ready <- true
		wait(nil)
	}()
	<-ready
	for range 1000 {
		select {
		case <-ready:
		default:
		}
	}
	panic("all of them")
}

// How many goroutines there are depends on who has ended.
package main

import "runtime"

func main() {
	c := make(chan bool, 1)
	go func() {
		go func() {}()
		c <- true
	}()
	<-c
	if runtime.NumGoroutine() == 2 {
		panic("one has ended")
	}
}

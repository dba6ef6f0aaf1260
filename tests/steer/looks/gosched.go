// Who lets others run does so before the store, or behind it.
package main

import (
	"runtime"
	"sync/atomic"
)

func main() {
	var n atomic.Int32
	done := make(chan bool)
	go func() {
		runtime.Gosched()
		n.Store(1)
		runtime.Gosched()
		n.Store(2)
		done <- true
	}()
	if n.Load() == 1 {
		panic("between both")
	}
	<-done
}

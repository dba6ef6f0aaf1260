// What two timers start that are due together runs in any order.
package main

import (
	"sync/atomic"
	"time"
)

func main() {
	var n atomic.Int32
	done := make(chan bool, 2)
	for i := range int32(2) {
		time.AfterFunc(time.Second, func() {
			if n.Add(1) == 1 && i == 0 {
				panic("the first is first")
			}
			done <- true
		})
	}
	<-done
	<-done
}

// F4: six goroutines compute without end on two Ps, one reads from a pipe, and main writes to it every 50 ms. A P always finds one
// that computes in a queue, so nobody asks the poller but sysmon. Prints how many of ten messages have come a second after the last.
package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	var came atomic.Int32
	go func() {
		var b [1]byte
		for {
			if _, err := r.Read(b[:]); err != nil {
				return
			}
			came.Add(1)
		}
	}()
	time.Sleep(10 * time.Millisecond)
	for range 6 {
		go func() {
			for {
			}
		}()
	}
	for range 10 {
		time.Sleep(50 * time.Millisecond)
		w.Write([]byte{1})
	}
	for deadline := time.Now().Add(time.Second); came.Load() < 10 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println(came.Load())
}

// F4: two goroutines compute without end, one on each P, and a third reads from a pipe what a fourth writes every 50 ms. No P is
// ever idle, so nobody asks the poller but sysmon. Prints how many of ten messages have come within a second after the last.
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
	for range 2 {
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

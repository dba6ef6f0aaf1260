// Forty goroutines pass twenty tokens round a ring, so that the local queue never empties; main goes to the global queue.
package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

func main() {
	var cs [40]chan int
	for i := range cs {
		cs[i] = make(chan int, 1)
	}
	end := time.Now().Add(2 * time.Second)
	for i := range cs {
		from, to := cs[i], cs[(i+1)%len(cs)]
		go func() {
			for n := 0; ; n++ {
				to <- <-from
				if n%1000 == 0 && time.Now().After(end) {
					fmt.Println(-1)
					os.Exit(0)
				}
			}
		}()
	}
	for i := 0; i < 20; i++ {
		cs[2*i] <- i
	}
	worst := time.Duration(0)
	for range 100 {
		t := time.Now()
		runtime.Gosched()
		worst = max(worst, time.Since(t))
	}
	fmt.Println(worst.Microseconds())
}

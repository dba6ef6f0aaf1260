// Two goroutines that always wake one another, and a third that notes when it ran.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	ping, pong := make(chan int), make(chan int)
	go func() {
		for {
			ping <- 1
			<-pong
		}
	}()
	go func() {
		for {
			<-ping
			pong <- 1
		}
	}()
	start := time.Now()
	runs, worst, last := 0, time.Duration(0), time.Duration(0)
	go func() {
		for {
			now := time.Since(start)
			if runs > 0 {
				worst = max(worst, now-last)
			}
			last = now
			runs++
			runtime.Gosched()
		}
	}()
	time.Sleep(300 * time.Millisecond)
	fmt.Println(runs, worst.Microseconds())
}

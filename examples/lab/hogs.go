// Jobs beside two hogs: main starts one, waits for it, and gives way.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	for range 2 {
		go func() {
			for {
			}
		}()
	}
	runtime.Gosched()
	worst, sum := time.Duration(0), time.Duration(0)
	for range 10 {
		t := time.Now()
		done := make(chan int)
		go func() { done <- 1 }()
		<-done
		runtime.Gosched()
		d := time.Since(t)
		worst, sum = max(worst, d), sum+d
		if sum > 4*time.Second {
			break
		}
	}
	fmt.Println(worst.Microseconds())
}

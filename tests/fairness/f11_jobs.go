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
	sum, jobs := time.Duration(0), 0
	for range 10 {
		t := time.Now()
		done := make(chan int)
		go func() { done <- 1 }()
		<-done
		runtime.Gosched()
		sum, jobs = sum+time.Since(t), jobs+1
		if sum > 4*time.Second {
			break
		}
	}
	fmt.Println(sum.Microseconds() / int64(jobs))
}

// F8: a goroutine computes by calls, on the only P, and nothing but calls can stop it. Main gives way while it does. Prints how
// many milliseconds main has waited at most until it ran again.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	done := make(chan int, 1)
	go func() {
		for began := time.Now(); time.Since(began) < time.Second; {
			fib(20)
		}
		done <- 1
	}()
	var longest time.Duration
	for len(done) == 0 {
		began := time.Now()
		runtime.Gosched()
		longest = max(longest, time.Since(began))
	}
	fmt.Println(longest.Milliseconds())
}

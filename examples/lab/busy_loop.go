// F7: a goroutine computes in a loop without calls, on the only P. Main gives way five times. Prints how many milliseconds it has
// waited at most until it ran again.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	go func() {
		for {
		}
	}()
	var longest time.Duration
	for range 5 {
		began := time.Now()
		runtime.Gosched()
		longest = max(longest, time.Since(began))
	}
	fmt.Println(longest.Milliseconds())
}

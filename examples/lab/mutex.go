// One goroutine takes a mutex again as soon as it has given it up, 100 µs later; main wants it thirty times.
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	var mu sync.Mutex
	go func() {
		for {
			mu.Lock()
			for begin := time.Now(); time.Since(begin) < 100*time.Microsecond; {
			}
			mu.Unlock()
		}
	}()
	time.Sleep(time.Millisecond)
	var worst time.Duration
	for range 30 {
		begin := time.Now()
		mu.Lock()
		worst = max(worst, time.Since(begin))
		mu.Unlock()
		if worst > 200*time.Millisecond {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(worst.Microseconds())
}

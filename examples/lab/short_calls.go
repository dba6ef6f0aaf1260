// Short kernel calls of one goroutine beside three that are busy.
package main

import (
	"fmt"
	"syscall"
	"time"
)

func main() {
	stop := false
	for range 3 {
		go func() {
			for !stop {
			}
		}()
	}
	n := 0
	start := time.Now()
	for n < 1000000 && time.Since(start) < time.Second {
		for range 10 {
			syscall.Read(-1, nil)
		}
		n += 10
	}
	fmt.Println(int(float64(n) / time.Since(start).Seconds()))
	stop = true
}

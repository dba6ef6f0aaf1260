// A goroutine queued first, then others that each start a successor and end: when does the first run?
package main

import (
	"fmt"
	"time"
)

var end time.Time

func successor(done chan int) {
	if time.Now().After(end) {
		done <- -1
		return
	}
	go successor(done)
}

func main() {
	done := make(chan int, 8)
	start := time.Now()
	end = start.Add(time.Second)
	go func() { done <- int(time.Since(start).Microseconds()) }()
	for range 4 {
		go successor(done)
	}
	fmt.Println(<-done)
}

// A goroutine that computes wakes a receiver and computes on, beside two loops: how long until the receiver runs, the median in
// microseconds of 20 times.
package main

import (
	"fmt"
	"sort"
	"time"
)

func main() {
	for i := 0; i < 2; i++ {
		go func() {
			for {
			}
		}()
	}
	sent := make(chan time.Time)
	done := make(chan bool)
	var took []time.Duration
	go func() {
		for i := 0; i < 20; i++ {
			start := <-sent
			took = append(took, time.Since(start))
		}
		done <- true
	}()
	go func() {
		for {
			select {
			case sent <- time.Now():
			default:
			}
			for x := 0; x < 3000000; x++ {
			}
		}
	}()
	<-done
	sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
	fmt.Println(took[10].Microseconds())
}

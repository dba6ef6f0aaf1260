// How late a sleeper is beside four loops that call a function: the median in microseconds, of 40 sleeps of two milliseconds.
package main

import (
	"fmt"
	"sort"
	"sync/atomic"
	"time"
)

func main() {
	var stop atomic.Bool
	for i := 0; i < 4; i++ {
		go func() {
			x := 0
			for !stop.Load() {
				x++
			}
		}()
	}
	var late []time.Duration
	for i := 0; i < 40; i++ {
		start := time.Now()
		time.Sleep(2 * time.Millisecond)
		late = append(late, time.Since(start)-2*time.Millisecond)
	}
	sort.Slice(late, func(i, j int) bool { return late[i] < late[j] })
	fmt.Println(late[20].Microseconds())
}

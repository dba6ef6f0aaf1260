// Main sleeps in the kernel; a sibling notes when it begins.
package main

import (
	"fmt"
	"sort"
	"syscall"
	"time"
)

func main() {
	var delays []int
	for range 15 {
		var at time.Time
		go func() { at = time.Now() }()
		begin := time.Now()
		ts := syscall.NsecToTimespec(30e6)
		syscall.Nanosleep(&ts, nil)
		for at.IsZero() {
			time.Sleep(time.Millisecond)
		}
		delays = append(delays, int(at.Sub(begin).Microseconds()))
	}
	sort.Ints(delays)
	fmt.Println(delays[len(delays)/2], delays[len(delays)-1])
}

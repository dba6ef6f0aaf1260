// run

// Strings are put in order while the marker looks at them; none is lost.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"strconv"
	"sync/atomic"
)

var garbage string

func main() {
	const n = 30_000
	var done atomic.Bool
	collected := make(chan int)
	go func() {
		for range 30 {
			runtime.GC()
		}
		done.Store(true)
		collected <- 1
	}()
	names := make([]string, n)
	for i := range names {
		names[i] = "name " + strconv.Itoa(i*7919%n+n)
	}
	for !done.Load() {
		sort.Strings(names)
		for i := range n / 2 {
			names[i], names[n-1-i] = names[n-1-i], names[i]
		}
		for i := range 1000 {
			garbage = "junk " + strconv.Itoa(i+n)
		}
	}
	<-collected
	sort.Strings(names)
	for i, name := range names {
		if name != "name "+strconv.Itoa(i+n) {
			fmt.Printf("lost: %q at %d\n", name, i)
			return
		}
	}
	fmt.Println("all there")
}

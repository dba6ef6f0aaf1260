// How long collections stop the world with so many megabytes of live heap (10, 100 and 1000 if none are given): median, 99th
// percentile and longest of 40, as runtime.MemStats books them.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"time"
)

type node struct {
	next, other *node
	value       [4]int
}

var roots []*node

func main() {
	sizes := []int{10, 100, 1000}
	if len(os.Args) > 1 {
		sizes = nil
		for _, a := range os.Args[1:] {
			n, _ := strconv.Atoi(a)
			sizes = append(sizes, n)
		}
	}
	debug.SetGCPercent(-1)
	for _, mb := range sizes {
		roots = nil
		for range mb {
			// A megabyte of lists that point across.
			var list *node
			for i := range (1 << 20) / 48 {
				list = &node{next: list, other: list}
				if len(roots) > 0 && i%16 == 0 {
					list.other = roots[i%len(roots)]
				}
			}
			roots = append(roots, list)
		}
		var s runtime.MemStats
		runtime.GC()
		var pauses []uint64
		for range 40 {
			runtime.GC()
			runtime.ReadMemStats(&s)
			pauses = append(pauses, s.PauseNs[(s.NumGC+255)%256])
		}
		sort.Slice(pauses, func(i, j int) bool { return pauses[i] < pauses[j] })
		show := func(i int) time.Duration { return time.Duration(pauses[i]).Round(time.Microsecond) }
		fmt.Printf("%5d MB live: median %v, p99 %v, longest %v\n", s.HeapAlloc>>20, show(20), show(39*99/100), show(39))
	}
}

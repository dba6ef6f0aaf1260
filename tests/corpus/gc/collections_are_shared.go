// run gcstress=0

// Goroutines that ask for a collection at the same time share it, however many they are, and need no more memory for their wait than any other.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

func collections(ask func()) uint32 {
	const n = 2000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var wg sync.WaitGroup
	for range n {
		wg.Go(ask)
	}
	wg.Wait()
	runtime.ReadMemStats(&after)
	return after.NumGC - before.NumGC
}

func main() {
	for _, procs := range []int{1, 4} {
		runtime.GOMAXPROCS(procs)
		for _, ask := range []func(){runtime.GC, debug.FreeOSMemory} {
			if n := collections(ask); n < 1 || n > 100 {
				fmt.Println(procs, n)
			}
		}
	}
	fmt.Println("shared")
}

// run procs=1 gcstress=0

// Of goroutines that begin to run about one in eight is in the histogram of package runtime/metrics.
package main

import (
	"fmt"
	"runtime/metrics"
	"sync"
)

func delays() (n uint64) {
	s := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(s)
	for _, count := range s[0].Value.Float64Histogram().Counts {
		n += count
	}
	return n
}

func main() {
	const rounds, each = 100, 1000
	before := delays()
	for range rounds {
		var wg sync.WaitGroup
		for range each {
			wg.Go(func() {})
		}
		wg.Wait()
	}
	share := float64(delays()-before) / (rounds * each)
	fmt.Println(0.1 <= share && share <= 0.3)
}

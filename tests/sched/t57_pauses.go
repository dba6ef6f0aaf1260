// run gcstress=0

// Each collection is booked with its pause.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

func main() {
	debug.SetGCPercent(-1)
	var a, b runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&a)
	const n = 20
	begin := time.Now()
	for range n {
		runtime.GC()
	}
	took := time.Since(begin)
	runtime.ReadMemStats(&b)
	fmt.Println(b.NumGC-a.NumGC == n, b.NumForcedGC-a.NumForcedGC == n)
	sum := uint64(0)
	for i := range uint32(n) {
		k := (b.NumGC - 1 - i) % 256
		if b.PauseNs[k] == 0 || b.PauseEnd[k] < uint64(begin.UnixNano()) {
			fmt.Println("collection", i, "has no pause")
		}
		sum += b.PauseNs[k]
	}
	fmt.Println(sum == b.PauseTotalNs-a.PauseTotalNs, sum > 0, sum <= uint64(took))
	var s debug.GCStats
	debug.ReadGCStats(&s)
	fmt.Println(s.NumGC == int64(b.NumGC), uint64(s.PauseTotal) == b.PauseTotalNs, len(s.Pause) > 0 && s.Pause[0] == time.Duration(b.PauseNs[(b.NumGC+255)%256]))
}

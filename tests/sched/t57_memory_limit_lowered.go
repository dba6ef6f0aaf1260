// run

// Of 300 MB that a heap has had, what is above a lower limit goes back to the system within a moment; each time.
package main

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"
)

var kept [][]byte

func used() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.Sys - s.HeapReleased
}

func main() {
	debug.SetGCPercent(-1)
	for range 4 {
		debug.SetMemoryLimit(math.MaxInt64)
		kept = nil
		for range 300 {
			kept = append(kept, make([]byte, 1<<20))
		}
		kept = nil
		runtime.GC()
		debug.SetMemoryLimit(40 << 20)
		began := time.Now()
		for used() > 42<<20 && time.Since(began) < 5*time.Second {
			kept = append(kept[:0], make([]byte, 1<<20))
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(began); took > time.Second {
			fmt.Println(took, used()>>20)
		}
	}
	fmt.Println(used() <= 42<<20)
}

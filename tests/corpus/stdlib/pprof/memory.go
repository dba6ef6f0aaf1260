// run
package main

import (
	"fmt"
	"runtime"
)

type big [1 << 16]byte

var kept []*big

//go:noinline
func keep() {
	for range 100 {
		kept = append(kept, new(big))
	}
}

//go:noinline
func drop() {
	for range 100 {
		sink = new(big)
	}
	sink = nil
}

var sink *big

// of is what the function has allocated, and what lives of it.
func of(name string) (allocated, lives int64) {
	records := make([]runtime.MemProfileRecord, 1000)
	n, ok := runtime.MemProfile(records, true)
	if !ok {
		fmt.Println("more than", n)
	}
	for _, r := range records[:n] {
		frames := runtime.CallersFrames(r.Stack())
		for {
			frame, more := frames.Next()
			if frame.Function == name {
				allocated += r.AllocObjects
				lives += r.InUseObjects()
				break
			}
			if !more {
				break
			}
		}
	}
	return allocated, lives
}

func init() { runtime.MemProfileRate = 1 }

func main() {
	keep()
	drop()
	runtime.GC()
	runtime.GC()
	runtime.GC()
	kept, keptLives := of("main.keep")
	dropped, droppedLives := of("main.drop")
	fmt.Println(kept >= 100, keptLives >= 100, dropped >= 100, droppedLives)
	runtime.KeepAlive(kept)
}

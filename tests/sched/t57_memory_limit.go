// run

// A memory limit holds, and collections see to that.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

func resident() (kb int) {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			fmt.Sscan(rest, &kb)
		}
	}
	return kb >> 10
}

var keep [][]byte

//go:noinline
func fill(mb int) {
	for range mb {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		keep = append(keep, b)
	}
}

func main() {
	debug.SetGCPercent(-1)
	base := resident()
	limit := int64(base+60) << 20
	old := debug.SetMemoryLimit(limit)
	fmt.Println(debug.SetMemoryLimit(-1) == limit, old > limit)
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	before := s.NumGC
	most := 0
	for range 100 {
		keep = nil
		fill(10)
		most = max(most, resident()-base)
	}
	runtime.ReadMemStats(&s)
	fmt.Println("collected:", s.NumGC-before >= 10, "limited:", most <= 80)
	if most > 80 {
		fmt.Println(most, "MB")
	}
}

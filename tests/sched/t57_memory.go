// run

// Free memory goes back to the system.
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
	base := resident()
	fill(200)
	if r := resident() - base; r < 190 {
		fmt.Println("only", r, "MB in use")
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	released := s.HeapReleased
	keep = nil
	debug.FreeOSMemory()
	if r := resident() - base; r > 40 {
		fmt.Println(r, "MB kept")
	}
	runtime.ReadMemStats(&s)
	fmt.Println("released:", s.HeapReleased-released >= 180<<20 || s.HeapReleased >= 180<<20)
}

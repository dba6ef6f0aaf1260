// F22: a goroutine makes garbage as fast as it can beside 60 MB that live, which take long to mark. Who allocates helps the
// collector, so the heap stays near its goal of twice that. Prints the most that was allocated, in percent of what lives.
package main

import (
	"fmt"
	"runtime"
)

type node struct {
	next, other *node
	value       [4]int
}

var sink []byte

func main() {
	var list *node
	for range 60 << 20 / 48 {
		list = &node{next: list, other: list}
	}
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	live, most := s.HeapAlloc, uint64(0)
	for i := 0; s.NumGC < 6 && most < 10*live; i++ {
		sink = make([]byte, 64<<10)
		if i%16 == 0 {
			runtime.ReadMemStats(&s)
			most = max(most, s.HeapAlloc)
		}
	}
	fmt.Println(most * 100 / live)
	runtime.KeepAlive(list)
}

package main

// Counts the collections of a thousand prologues and of a thousand turns of a loop.

import (
	"fmt"
	"runtime"
)

//go:noinline
func down(n int) int {
	if n == 0 {
		return 0
	}
	return down(n-1) + 1
}

func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

func main() {
	before := collections()
	down(999)
	fmt.Println(collections() - before)

	before = collections()
	sum := 0
	for i := range 1000 {
		sum ^= i
	}
	fmt.Println(collections() - before)
	runtime.KeepAlive(sum)
}

// run

// Goroutines that have deferred, recovered and ended leave no memory behind.
package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

func resident() (mb int) {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			fmt.Sscan(rest, &mb)
		}
	}
	return mb >> 10
}

func work(n int) {
	for range n {
		var wg sync.WaitGroup
		for range 100 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer func() { recover() }()
				panic("as usual")
			}()
		}
		wg.Wait()
	}
}

func main() {
	work(100)
	before := resident()
	work(1500)
	if grown := resident() - before; grown > 16 {
		fmt.Println(grown, "MB more")
	}
	fmt.Println("done")
}

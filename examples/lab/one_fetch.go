// F13: a thousand goroutines wait in the global queue when eight Ps begin to look for work. Each takes its share, and leaves the
// others theirs.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var all sync.WaitGroup
	work := func() {
		defer all.Done()
		for i := 0; i < 2000; i++ {
		}
	}
	for range 20 {
		runtime.GOMAXPROCS(1)
		all.Add(1400)
		for range 1400 {
			go work()
		}
		runtime.GOMAXPROCS(8)
		all.Wait()
	}
	fmt.Println("done")
}

// GOMAXPROCS is set before another asks for it.
package main

import (
	"runtime"
	"sync"
)

func main() {
	n := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	wg.Go(func() { runtime.GOMAXPROCS(n + 1) })
	if runtime.GOMAXPROCS(0) != n {
		panic("set")
	}
	wg.Wait()
}

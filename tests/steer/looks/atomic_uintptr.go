// A word is swapped between a load and an exchange.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var n uintptr
	var wg sync.WaitGroup
	wg.Go(func() { atomic.SwapUintptr(&n, 7) })
	old := atomic.LoadUintptr(&n)
	if !atomic.CompareAndSwapUintptr(&n, old, 9) {
		panic("swapped meanwhile")
	}
	wg.Wait()
}

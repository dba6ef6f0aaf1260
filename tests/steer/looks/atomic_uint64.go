// A word is swapped between a load and an exchange.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var n uint64
	var wg sync.WaitGroup
	wg.Go(func() { atomic.SwapUint64(&n, 7) })
	old := atomic.LoadUint64(&n)
	if !atomic.CompareAndSwapUint64(&n, old, 9) {
		panic("swapped meanwhile")
	}
	wg.Wait()
}

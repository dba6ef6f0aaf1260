// A word is swapped between a load and an exchange.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var n uint32
	var wg sync.WaitGroup
	wg.Go(func() { atomic.SwapUint32(&n, 7) })
	old := atomic.LoadUint32(&n)
	if !atomic.CompareAndSwapUint32(&n, old, 9) {
		panic("swapped meanwhile")
	}
	wg.Wait()
}

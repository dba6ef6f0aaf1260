// A word is swapped between a load and an exchange.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var n int32
	var wg sync.WaitGroup
	wg.Go(func() { atomic.SwapInt32(&n, 7) })
	old := atomic.LoadInt32(&n)
	if !atomic.CompareAndSwapInt32(&n, old, 9) {
		panic("swapped meanwhile")
	}
	wg.Wait()
}

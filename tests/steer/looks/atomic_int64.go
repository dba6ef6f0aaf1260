// A word is swapped between a load and an exchange.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var n int64
	var wg sync.WaitGroup
	wg.Go(func() { atomic.SwapInt64(&n, 7) })
	old := atomic.LoadInt64(&n)
	if !atomic.CompareAndSwapInt64(&n, old, 9) {
		panic("swapped meanwhile")
	}
	wg.Wait()
}

// And, Or, and a bool.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var n atomic.Uint32
	var b atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		n.Or(1)
		n.And(0)
		b.Store(true)
	})
	if n.Load() == 1 && b.Load() {
		panic("both")
	}
	wg.Wait()
}

// A value is stored between two loads.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var v atomic.Value
	var p atomic.Pointer[int]
	var wg sync.WaitGroup
	wg.Go(func() {
		v.Store(1)
		p.Store(new(int))
	})
	if v.Load() != nil && p.Load() == nil {
		panic("half")
	}
	wg.Wait()
}

// A key is stored between two looks.
package main

import "sync"

func main() {
	var m sync.Map
	var wg sync.WaitGroup
	wg.Go(func() { m.Store(1, 1) })
	_, before := m.Load(1)
	_, after := m.LoadOrStore(1, 2)
	if !before && after {
		panic("stored meanwhile")
	}
	wg.Wait()
}

// A lock is tried for reading while another writes.
package main

import "sync"

func main() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
	})
	if !mu.TryRLock() {
		panic("held")
	}
	mu.RUnlock()
	wg.Wait()
}

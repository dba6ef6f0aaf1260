// One reader's lock is given back by another, perhaps too early.
package main

import "sync"

func main() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() { mu.RUnlock() })
	mu.RLock()
	wg.Wait()
}

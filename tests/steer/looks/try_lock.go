// A lock is tried while another has it.
package main

import "sync"

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
	})
	if !mu.TryLock() {
		panic("held")
	}
	mu.Unlock()
	wg.Wait()
}

// run exit=2
package main

import "sync"

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	var mu sync.Mutex
	mu.Lock()
	go func() { mu.Lock() }()
	go func() {
		var rw sync.RWMutex
		rw.Lock()
		rw.RLock()
	}()
	wg.Wait()
}

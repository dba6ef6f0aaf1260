// A signal comes before anybody waits.
package main

import "sync"

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go c.Signal()
	mu.Lock()
	c.Wait()
	mu.Unlock()
}

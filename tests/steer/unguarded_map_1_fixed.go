package main

import (
	"fmt"
	"sync"
)

// A cache that fills its misses with its lock.
type cache struct {
	mu sync.Mutex
	m  map[int]int
}

func (c *cache) get(n int) int {
	c.mu.Lock()
	v, ok := c.m[n]
	c.mu.Unlock()
	if !ok {
		v = n * n
		c.mu.Lock()
		c.m[n] = v
		c.mu.Unlock()
	}
	return v
}

func main() {
	c := &cache{m: map[int]int{}}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { c.get(i % 2) })
	}
	wg.Wait()
	fmt.Println(len(c.m))
}

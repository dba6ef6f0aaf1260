package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Counters that are added up by whoever comes by, unless somebody is at it.
type stats struct {
	fresh atomic.Int64
	mu    sync.Mutex
	total int64
}

func (s *stats) collect() {
	s.total += s.fresh.Swap(0)
}

func (s *stats) hit(wg *sync.WaitGroup) {
	defer wg.Done()
	s.fresh.Add(1)
	if !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	s.collect()
}

func main() {
	var s stats
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go s.hit(&wg)
	}
	wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.collect()
	fmt.Println(s.total, "hits")
}

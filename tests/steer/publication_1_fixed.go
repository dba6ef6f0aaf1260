package main

import (
	"sync"
	"sync/atomic"
)

// Settings that are made once, and read by many.
type settings struct{ limit int }

var current atomic.Pointer[settings]

func load() {
	s := new(settings)
	mu.Lock()
	s.limit = 10
	mu.Unlock()
	current.Store(s)
}

func main() {
	var wg sync.WaitGroup
	wg.Go(load)
	wg.Go(func() {
		if s := current.Load(); s != nil && limit(s) == 0 {
			panic("not ready")
		}
	})
	wg.Wait()
}

var mu sync.Mutex

func limit(s *settings) int {
	mu.Lock()
	defer mu.Unlock()
	return s.limit
}

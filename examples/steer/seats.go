package main

import (
	"sync"
	"sync/atomic"
)

// Seats, of which each is sold once.
type hall struct {
	mu   sync.Mutex
	free int
}

func (h *hall) left() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.free
}

func (h *hall) take() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.free--
}

func (h *hall) sell() bool {
	if h.left() == 0 {
		return false
	}
	h.take()
	return true
}

func main() {
	h := &hall{free: 2}
	var wg sync.WaitGroup
	var sold atomic.Int32
	for range 3 {
		wg.Go(func() {
			if h.sell() {
				sold.Add(1)
			}
		})
	}
	wg.Wait()
	if sold.Load() != 2 {
		panic("sold too many")
	}
}

package main

import (
	"fmt"
	"sync"
	"time"
)

// Walkers who wait for each other at the end of each stage.
type stage struct {
	mu      sync.Mutex
	cond    *sync.Cond
	walkers int
	there   int
	done    int
}

func (s *stage) arrive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.there++
	if s.there == s.walkers {
		s.there = 0
		s.done++
		s.cond.Broadcast()
		return
	}
	for before := s.done; s.done == before; {
		s.cond.Wait()
	}
}

func main() {
	s := &stage{walkers: 4}
	s.cond = sync.NewCond(&s.mu)
	paths := []time.Duration{2, 3, 3, 5}
	var wg sync.WaitGroup
	for _, path := range paths {
		wg.Go(func() {
			for range 6 {
				time.Sleep(path * time.Millisecond)
				s.arrive()
			}
		})
	}
	wg.Wait()
	fmt.Println(s.done, "stages")
}

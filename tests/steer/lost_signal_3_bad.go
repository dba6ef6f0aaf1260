package main

import (
	"fmt"
	"sync"
)

// A shelf with room for one loaf, between bakers and customers.
type shelf struct {
	mu      sync.Mutex
	changed sync.Cond
	loaf    string
}

func (s *shelf) put(loaf string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.loaf != "" {
		s.changed.Wait()
	}
	s.loaf = loaf
	s.changed.Signal()
}

func (s *shelf) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.loaf == "" {
		s.changed.Wait()
	}
	loaf := s.loaf
	s.loaf = ""
	s.changed.Signal()
	return loaf
}

func main() {
	s := new(shelf)
	s.changed.L = &s.mu
	var wg sync.WaitGroup
	sold := make(chan string, 4)
	for _, kind := range []string{"rye", "wheat"} {
		wg.Go(func() {
			for range 2 {
				s.put(kind)
			}
		})
		wg.Go(func() {
			for range 2 {
				sold <- s.take()
			}
		})
	}
	wg.Wait()
	close(sold)
	count := map[string]int{}
	for kind := range sold {
		count[kind]++
	}
	fmt.Println(count)
}

package main

import (
	"fmt"
	"hash/fnv"
	"sync"
)

// A map with several locks, so that those who want different keys need not wait.
const stripes = 4

type striped struct {
	locks [stripes]sync.Mutex
	parts [stripes]map[string]int
}

func newStriped() *striped {
	s := new(striped)
	for i := range s.parts {
		s.parts[i] = map[string]int{}
	}
	return s
}

func (s *striped) stripe(key string) (*sync.Mutex, map[string]int) {
	h := fnv.New32a()
	h.Write([]byte(key))
	i := h.Sum32() % stripes
	return &s.locks[i], s.parts[i]
}

func (s *striped) add(key string, n int) {
	mu, m := s.stripe(key)
	mu.Lock()
	defer mu.Unlock()
	m[key] += n
}

func (s *striped) get(key string) int {
	mu, m := s.stripe(key)
	mu.Lock()
	defer mu.Unlock()
	return m[key]
}

func main() {
	s := newStriped()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for _, key := range []string{"red", "green", "blue"} {
				s.add(key, i)
			}
		})
	}
	wg.Wait()
	fmt.Println(s.get("red"), s.get("green"), s.get("blue"))
}

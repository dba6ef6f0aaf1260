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
	m     map[string]int
}

func newStriped() *striped {
	return &striped{m: map[string]int{}}
}

func (s *striped) lock(key string) *sync.Mutex {
	h := fnv.New32a()
	h.Write([]byte(key))
	return &s.locks[h.Sum32()%stripes]
}

func (s *striped) add(key string, n int) {
	mu := s.lock(key)
	mu.Lock()
	defer mu.Unlock()
	s.m[key] += n
}

func (s *striped) get(key string) int {
	mu := s.lock(key)
	mu.Lock()
	defer mu.Unlock()
	return s.m[key]
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

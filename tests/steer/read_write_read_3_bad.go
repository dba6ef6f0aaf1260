package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

// A set of words that can be walked while others add to it.
type set struct {
	mu    sync.RWMutex
	words map[string]bool
}

func (s *set) reading() sync.Locker { return s.mu.RLocker() }

func (s *set) add(word string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words[word] = true
}

func (s *set) has(word string) bool {
	lock := s.reading()
	lock.Lock()
	defer lock.Unlock()
	return s.words[word]
}

func (s *set) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		lock := s.reading()
		lock.Lock()
		defer lock.Unlock()
		for _, word := range slices.Sorted(maps.Keys(s.words)) {
			if !yield(word) {
				return
			}
		}
	}
}

func main() {
	s := &set{words: map[string]bool{"warm": true, "cold": true, "snow": true, "now": true}}
	added := make(chan bool)
	go func() {
		for _, word := range []string{"ice", "rain"} {
			s.add(word)
		}
		added <- true
	}()
	for word := range s.all() {
		if s.has(word[1:]) {
			fmt.Println(word, "hides", word[1:])
			break
		}
	}
	<-added
}

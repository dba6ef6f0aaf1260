package main

import (
	"fmt"
	"slices"
	"sync"
)

// A radio station and its listeners, who go or are sent away at the end.
type station struct {
	mu        sync.Mutex
	listeners []*listener
}

type listener struct {
	songs chan string
}

func (s *station) join() *listener {
	l := &listener{songs: make(chan string, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, l)
	return l
}

func (s *station) isHere(l *listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.listeners, l)
}

func (s *station) leave(l *listener) {
	if !s.isHere(l) {
		return
	}
	close(l.songs)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = slices.DeleteFunc(s.listeners, func(o *listener) bool { return o == l })
}

func (s *station) off() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.listeners {
		close(l.songs)
	}
	s.listeners = nil
}

func main() {
	s := new(station)
	var wg sync.WaitGroup
	for range 3 {
		l := s.join()
		wg.Go(func() { s.leave(l) })
	}
	wg.Go(s.off)
	wg.Wait()
	fmt.Println("silence,", len(s.listeners))
}

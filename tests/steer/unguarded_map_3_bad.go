package main

import (
	"fmt"
	"sync"
)

// Votes, by district and candidate.
type tally map[string]int

type election struct {
	mu        sync.Mutex
	districts map[string]tally
}

func (e *election) district(name string) tally {
	e.mu.Lock()
	defer e.mu.Unlock()
	t, ok := e.districts[name]
	if !ok {
		t = tally{}
		e.districts[name] = t
	}
	return t
}

func (e *election) vote(district, candidate string) {
	e.district(district)[candidate]++
}

func (e *election) winner(district string) (name string, votes int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for candidate, n := range e.districts[district] {
		if n > votes {
			name, votes = candidate, n
		}
	}
	return name, votes
}

func main() {
	e := &election{districts: map[string]tally{}}
	var stations sync.WaitGroup
	for station := range 3 {
		stations.Go(func() {
			e.vote("north", "ada")
			e.vote("south", "bob")
			if station == 0 {
				e.vote("north", "bob")
			}
		})
	}
	stations.Wait()
	fmt.Println(e.winner("north"))
	fmt.Println(e.winner("south"))
}

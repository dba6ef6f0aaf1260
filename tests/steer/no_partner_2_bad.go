package main

import (
	"fmt"
	"sync"
)

// A jury that is heard until there is a majority.
type jury struct {
	votes  chan bool
	voters sync.WaitGroup
}

func (j *jury) vote(yes bool) {
	j.voters.Add(1)
	go func() {
		defer j.voters.Done()
		j.votes <- yes
	}()
}

// Decide hears one after the other, until more than half have said the same.
func (j *jury) decide(members int) bool {
	var heard [2]int
	for vote := range j.votes {
		side := 0
		if vote {
			side = 1
		}
		heard[side]++
		if heard[side] > members/2 {
			return vote
		}
	}
	return false
}

func main() {
	cases := map[string][]bool{
		"theft": {false, true, true},
		"fraud": {true, false, true, false, false},
	}
	for _, name := range []string{"theft", "fraud"} {
		j := &jury{votes: make(chan bool)}
		for _, yes := range cases[name] {
			j.vote(yes)
		}
		fmt.Println(name, "guilty:", j.decide(len(cases[name])))
		j.voters.Wait()
	}
}

package main

import (
	"fmt"
	"sync"
)

// A clerk who sleeps when there are no letters, and is rung for when there are.
type office struct {
	mu      sync.Mutex
	letters []string
	bell    chan struct{}
}

func (o *office) post(letter string) {
	o.mu.Lock()
	o.letters = append(o.letters, letter)
	o.mu.Unlock()
	select {
	case o.bell <- struct{}{}:
	default:
		// The clerk is at work.
	}
}

func (o *office) empty() (all []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	all, o.letters = o.letters, nil
	return all
}

// Clerk tells of each letter how long it is.
func (o *office) clerk(sizes chan<- int) {
	for {
		all := o.empty()
		for _, letter := range all {
			if letter == "" {
				close(sizes)
				return
			}
			sizes <- len(letter)
		}
		if len(all) == 0 {
			<-o.bell
		}
	}
}

func main() {
	o := &office{bell: make(chan struct{}, 1)}
	sizes := make(chan int, 1)
	go o.clerk(sizes)
	sum := 0
	for _, letter := range []string{"taxes", "a card", "news"} {
		o.post(letter)
		sum += <-sizes
	}
	o.post("")
	for n := range sizes {
		sum += n
	}
	fmt.Println(sum)
}

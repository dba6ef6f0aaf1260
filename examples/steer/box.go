package main

import (
	"fmt"
	"sync"
)

// A queue of one: who takes waits for who puts.
type box struct {
	mu   sync.Mutex
	full *sync.Cond
	has  bool
}

func (b *box) put() {
	b.mu.Lock()
	b.has = true
	b.mu.Unlock()
	b.full.Signal()
}

func (b *box) take() {
	b.mu.Lock()
	has := b.has
	b.mu.Unlock()
	if !has {
		b.mu.Lock()
		b.full.Wait()
		b.mu.Unlock()
	}
}

func main() {
	b := new(box)
	b.full = sync.NewCond(&b.mu)
	go b.put()
	b.take()
	fmt.Println("taken")
}

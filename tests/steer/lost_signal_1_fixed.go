package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A gate before which visitors wait until it is opened.
type gate struct {
	open atomic.Bool
	mu   sync.Mutex
	cond *sync.Cond
}

func newGate() *gate {
	g := new(gate)
	g.cond = sync.NewCond(&g.mu)
	return g
}

func (g *gate) pass() {
	if g.open.Load() {
		return
	}
	g.mu.Lock()
	for !g.open.Load() {
		g.cond.Wait()
	}
	g.mu.Unlock()
}

func (g *gate) unlock() {
	g.open.Store(true)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cond.Broadcast()
}

func main() {
	g := newGate()
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			g.pass()
			inside.Add(1)
		})
	}
	g.unlock()
	wg.Wait()
	fmt.Println(inside.Load(), "inside")
}

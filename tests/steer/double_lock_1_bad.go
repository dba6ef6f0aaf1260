package main

import (
	"fmt"
	"sync"
)

// A gauge, and those who are told when it changes.
type gauge struct {
	mu       sync.Mutex
	value    int
	watchers []func(was, is int)
}

func (g *gauge) read() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.value
}

func (g *gauge) watch(f func(was, is int)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.watchers = append(g.watchers, f)
}

func (g *gauge) set(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	was := g.value
	g.value = n
	for _, f := range g.watchers {
		f(was, n)
	}
}

func main() {
	g := new(gauge)
	g.watch(func(was, is int) {
		if was == is && g.read() > 100 {
			panic("the gauge is stuck")
		}
	})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { g.set(g.read() + 1) })
	}
	wg.Wait()
	fmt.Println(g.read() > 0)
}

package main

import (
	"fmt"
	"sync"
)

// Patterns are compiled when they are first asked for.
type pattern struct{ parts []string }

type registry struct {
	mu       sync.RWMutex
	compiled map[string]*pattern
}

func (r *registry) pattern(name string) *pattern {
	r.mu.RLock()
	p := r.compiled[name]
	r.mu.RUnlock()
	if p == nil {
		p = compile(name)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.compiled[name] = p
	}
	return p
}

func compile(name string) *pattern {
	p := new(pattern)
	start := 0
	for i := range name {
		if name[i] == '*' {
			p.parts = append(p.parts, name[start:i])
			start = i + 1
		}
	}
	p.parts = append(p.parts, name[start:])
	return p
}

func main() {
	r := &registry{compiled: map[string]*pattern{}}
	var wg sync.WaitGroup
	n := make(chan int, 3)
	for _, name := range []string{"a*b", "*.go", "a*b"} {
		wg.Go(func() { n <- len(r.pattern(name).parts) })
	}
	wg.Wait()
	close(n)
	sum := 0
	for parts := range n {
		sum += parts
	}
	fmt.Println(sum)
}

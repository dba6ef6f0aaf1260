package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Gauges that are set by workers while a reporter prints them.
type gauges struct {
	mu     sync.Mutex
	values map[string]int
}

func (g *gauges) set(name string, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.values[name] = n
}

func (g *gauges) snapshot() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.values
}

func report(values map[string]int) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "%s=%d ", name, values[name])
	}
	return b.String()
}

func main() {
	g := &gauges{values: map[string]int{"cpu": 0}}
	var workers sync.WaitGroup
	workers.Go(func() {
		for n := range 3 {
			g.set("cpu", n)
		}
	})
	workers.Go(func() { g.set("memory", 7) })
	reported := make(chan string)
	go func() { reported <- report(g.snapshot()) }()
	early := <-reported
	workers.Wait()
	late := report(g.snapshot())
	fmt.Println(strings.HasPrefix(early, "cpu="), late)
}

package main

import (
	"fmt"
	"sync"
)

// A reader reads again while it reads; a writer that waits in between stops both.
type table struct {
	mu sync.RWMutex
	m  map[string]int
}

func (t *table) get(key string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.m[key]
}

func (t *table) sum(keys ...string) (n int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, key := range keys {
		n += t.get(key)
	}
	return n
}

func (t *table) set(key string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[key] = n
}

func main() {
	t := &table{m: map[string]int{"a": 1, "b": 2}}
	done := make(chan bool)
	go func() {
		t.set("c", 3)
		done <- true
	}()
	fmt.Println(t.sum("a", "b"))
	<-done
}

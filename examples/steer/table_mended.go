package main

import (
	"fmt"
	"sync"
)

// A reader reads once; a writer that waits stops nobody who reads.
type table struct {
	mu sync.RWMutex
	m  map[string]int
}

func (t *table) sum(keys ...string) (n int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, key := range keys {
		n += t.m[key]
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

package main

import (
	"fmt"
	"sync"
)

// A queue that is emptied by several workers.
type queue struct {
	mu    sync.Mutex
	items []string
}

func (q *queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items) == 0
}

func (q *queue) push(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
}

func (q *queue) pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

func (q *queue) drain(done chan<- string) {
	for !q.empty() {
		done <- q.pop()
	}
}

func main() {
	q := new(queue)
	for _, item := range []string{"wash", "dry", "fold"} {
		q.push(item)
	}
	done := make(chan string, 3)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { q.drain(done) })
	}
	wg.Wait()
	fmt.Println(len(done), "done")
}

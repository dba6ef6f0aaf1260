package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A topic of news with those who read it.
type topic struct {
	mu      sync.Mutex
	readers map[string]chan string
}

func (t *topic) subscribe(name string) <-chan string {
	c := make(chan string, 4)
	t.mu.Lock()
	t.readers[name] = c
	t.mu.Unlock()
	return c
}

func (t *topic) cancel(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, ok := t.readers[name]; ok {
		delete(t.readers, name)
		close(c)
	}
}

func (t *topic) publish(news string) {
	t.mu.Lock()
	readers := slices.Collect(maps.Values(t.readers))
	t.mu.Unlock()
	for _, c := range readers {
		c <- news
	}
}

func main() {
	t := &topic{readers: map[string]chan string{}}
	var wg sync.WaitGroup
	for _, name := range []string{"ann", "bob", "cid"} {
		c := t.subscribe(name)
		wg.Go(func() {
			// One piece of news is enough.
			fmt.Println("read", <-c)
			t.cancel(name)
		})
	}
	t.publish("rain")
	t.publish("rain")
	wg.Wait()
}

package main

import (
	"fmt"
	"strings"
	"sync"
)

// Pages that are fetched, as many at once as there are slots, and none of them twice at once.
type fetcher struct {
	slots chan struct{}
	mu    sync.Mutex
	under map[string]bool
	pages int
}

func (f *fetcher) begin(url string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.under[url] {
		return false
	}
	f.under[url] = true
	return true
}

func (f *fetcher) end(url string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.under, url)
	f.pages++
}

func (f *fetcher) fetch(url string) {
	f.slots <- struct{}{}
	go func() {
		defer func() { <-f.slots }()
		url = strings.TrimSuffix(url, "/")
		if f.begin(url) {
			f.end(url)
		}
	}()
}

// Wait takes all slots: then nobody has one.
func (f *fetcher) wait() {
	for range cap(f.slots) {
		f.slots <- struct{}{}
	}
}

func main() {
	f := &fetcher{slots: make(chan struct{}, 3), under: map[string]bool{}}
	for _, url := range []string{"a.org", "b.org/", "a.org/", "c.org", "b.org"} {
		f.fetch(url)
	}
	f.wait()
	fmt.Println(f.pages > 0)
}

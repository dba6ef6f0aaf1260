package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// A dictionary that is made when it is first needed.
type dictionary struct{ words map[string]string }

var (
	mu     sync.Mutex
	shared atomic.Pointer[dictionary]
)

const source = "un:one deux:two trois:three"

func get() *dictionary {
	if d := shared.Load(); d != nil {
		return d
	}
	mu.Lock()
	defer mu.Unlock()
	if shared.Load() == nil {
		shared.Store(parse(source))
	}
	return shared.Load()
}

func parse(text string) *dictionary {
	d := &dictionary{words: map[string]string{}}
	for _, pair := range strings.Fields(text) {
		from, to, _ := strings.Cut(pair, ":")
		d.words[from] = to
	}
	return d
}

func main() {
	var wg sync.WaitGroup
	words := []string{"un", "deux", "trois"}
	translated := make([]string, len(words))
	for i, word := range words {
		wg.Go(func() { translated[i] = get().words[word] })
	}
	wg.Wait()
	fmt.Println(strings.Join(translated, " "))
}

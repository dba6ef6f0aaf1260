package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Notes in a folder, and the sizes of those that have been read.
type notes struct {
	mu    sync.RWMutex
	path  string
	sizes map[string]int
}

func (n *notes) read(name string) []byte {
	n.mu.RLock()
	defer n.mu.RUnlock()
	text, err := os.ReadFile(filepath.Join(n.path, name))
	if err != nil {
		panic(err)
	}
	return text
}

func (n *notes) write(name, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := os.WriteFile(filepath.Join(n.path, name), []byte(text), 0o600); err != nil {
		panic(err)
	}
	n.sizes[name] = len(text)
}

// Grep counts the notes in which a word stands, and skips what is too small for it.
func (n *notes) grep(word string) (hits int) {
	n.mu.RLock()
	var names []string
	for name, size := range n.sizes {
		if size >= len(word) {
			names = append(names, name)
		}
	}
	n.mu.RUnlock()
	for _, name := range names {
		if bytes.Contains(n.read(name), []byte(word)) {
			hits++
		}
	}
	return hits
}

func main() {
	path, err := os.MkdirTemp("", "notes")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(path)
	n := &notes{path: path, sizes: map[string]int{}}
	n.write("shopping", "eggs, milk")
	n.write("pin", "1234")
	written := make(chan string)
	go func() {
		for _, day := range []string{"monday", "tuesday"} {
			n.write(day, "mow the lawn on "+day)
			written <- day
		}
		close(written)
	}()
	hits := 0
	for range written {
		hits += n.grep("monday")
	}
	fmt.Println(hits, n.grep("lawn"))
}

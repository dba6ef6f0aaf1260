package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Files that are kept open as long as somebody reads them.
type shelf struct {
	mu   sync.Mutex
	open map[string]*book
}

type book struct {
	*os.File
	mu      sync.Mutex
	readers int
}

func (b *book) count(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers += n
	return b.readers
}

func (s *shelf) get(path string) (*book, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.open[path]
	if b == nil {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		b = &book{File: f}
		s.open[path] = b
	}
	b.count(1)
	return b, nil
}

func (s *shelf) release(path string, b *book) error {
	if b.count(-1) > 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.count(0) > 0 {
		// Somebody has come meanwhile.
		return nil
	}
	delete(s.open, path)
	return b.Close()
}

func (s *shelf) read(path string, at int64) (string, error) {
	b, err := s.get(path)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.NewSectionReader(b, at, 5))
	return string(text), errors.Join(err, s.release(path, b))
}

func main() {
	f, err := os.CreateTemp("", "book")
	if err != nil {
		panic(err)
	}
	f.WriteString("once upon a time")
	f.Close()
	defer os.Remove(f.Name())
	s := &shelf{open: map[string]*book{}}
	var wg sync.WaitGroup
	texts := make([]string, 3)
	for i := range texts {
		wg.Go(func() {
			text, err := s.read(f.Name(), int64(5*i))
			if errors.Is(err, os.ErrClosed) {
				panic("closed already")
			}
			texts[i] = text
		})
	}
	wg.Wait()
	fmt.Printf("%q\n", texts)
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// A word is looked for in several files at once, until one of them has it.
type match struct {
	file string
	line int
}

type search struct {
	word    string
	matches chan match
	over    atomic.Bool
}

func (s *search) scan(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan() && !s.over.Load(); n++ {
		if strings.Contains(lines.Text(), s.word) {
			select {
			case s.matches <- match{filepath.Base(path), n}:
				s.over.Store(true)
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return lines.Err()
}

func first(ctx context.Context, word string, paths []string) (match, bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &search{word: word, matches: make(chan match)}
	var readers sync.WaitGroup
	for _, path := range paths {
		readers.Go(func() { s.scan(ctx, path) })
	}
	go func() {
		readers.Wait()
		close(s.matches)
	}()
	m, ok := <-s.matches
	return m, ok
}

func main() {
	folder, err := os.MkdirTemp("", "words")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	var paths []string
	for i, text := range []string{"one\ntwo\n", "two\nthree\n", "four\n"} {
		path := filepath.Join(folder, fmt.Sprintf("%d.txt", i))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			panic(err)
		}
		paths = append(paths, path)
	}
	ctx := context.Background()
	_, ok := first(ctx, "two", paths)
	fmt.Println(ok)
	_, ok = first(ctx, "five", paths)
	fmt.Println(ok)
}

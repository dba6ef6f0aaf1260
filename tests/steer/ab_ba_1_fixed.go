package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Folders between which files are moved, one move at a time in each.
type folder struct {
	mu   sync.Mutex
	path string
}

func move(name string, from, to *folder) error {
	first, second := from, to
	if second.path < first.path {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	return os.Rename(filepath.Join(from.path, name), filepath.Join(to.path, name))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	root, err := os.MkdirTemp("", "folders")
	check(err)
	defer os.RemoveAll(root)
	in := &folder{path: filepath.Join(root, "in")}
	out := &folder{path: filepath.Join(root, "out")}
	check(os.Mkdir(in.path, 0o755))
	check(os.Mkdir(out.path, 0o755))
	check(os.WriteFile(filepath.Join(in.path, "letter"), []byte("Dear Sir"), 0o644))
	check(os.WriteFile(filepath.Join(out.path, "bill"), []byte("12.50"), 0o644))
	var wg sync.WaitGroup
	wg.Go(func() { check(move("letter", in, out)) })
	wg.Go(func() { check(move("bill", out, in)) })
	wg.Wait()
	for _, f := range []*folder{in, out} {
		entries, err := os.ReadDir(f.path)
		check(err)
		for _, e := range entries {
			fmt.Println(filepath.Base(f.path), e.Name())
		}
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// The size of a tree of folders, each of which is read by a goroutine of its own.
type tree struct {
	wg    sync.WaitGroup
	bytes atomic.Int64
}

func (t *tree) read(folder string) {
	defer t.wg.Done()
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if e.IsDir() {
			go t.read(path)
			t.wg.Add(1)
			continue
		}
		if info, err := os.Stat(path); err == nil {
			t.bytes.Add(info.Size())
		}
	}
}

func size(root string) int64 {
	var t tree
	t.wg.Add(1)
	go t.read(root)
	t.wg.Wait()
	return t.bytes.Load()
}

func plant(root string) error {
	for _, folder := range []string{".", "a", "b", "b/c"} {
		folder = filepath.Join(root, folder)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "leaf"), make([]byte, 100), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func run() (int64, error) {
	root, err := os.MkdirTemp("", "tree")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(root)
	if err := plant(root); err != nil {
		return 0, err
	}
	return size(root), nil
}

func main() {
	n, err := run()
	if err != nil {
		panic(err)
	}
	fmt.Println(n, "bytes")
	if n != 400 {
		os.Exit(1)
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Lines and words of some files, each of which is read by a goroutine.
func count(paths []string) (lines, words int, err error) {
	var wg sync.WaitGroup
	errs := make(chan error, len(paths))
	for _, path := range paths {
		wg.Add(1)
		go func() {
			defer wg.Done()
			text, err := os.ReadFile(path)
			if err != nil {
				errs <- err
				return
			}
			l := bytes.Count(text, []byte("\n"))
			w := len(bytes.Fields(text))
			lines += l
			words += w
		}()
	}
	wg.Wait()
	select {
	case err = <-errs:
	default:
	}
	return lines, words, err
}

func main() {
	folder, err := os.MkdirTemp("", "count")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	texts := map[string]string{
		"a": "no man is an island\nentire of itself\n",
		"b": "every man\nis a piece\nof the continent\n",
	}
	var paths []string
	for name, text := range texts {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			panic(err)
		}
		paths = append(paths, path)
	}
	fmt.Println(count(paths))
}

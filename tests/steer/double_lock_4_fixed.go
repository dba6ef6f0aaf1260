package main

import (
	"fmt"
	"sync"
)

// A workshop that lends tools.
type workshop struct {
	mu    sync.Mutex
	tools map[string]int
}

func (w *workshop) take(tool string, n int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	have, ok := w.tools[tool]
	if !ok {
		return fmt.Errorf("what is a %s", tool)
	}
	if have < n {
		return fmt.Errorf("only %d of %s", have, tool)
	}
	w.tools[tool] = have - n
	return nil
}

func (w *workshop) bring(tool string, n int) {
	w.mu.Lock()
	w.tools[tool] += n
	w.mu.Unlock()
}

func main() {
	w := &workshop{tools: map[string]int{"saw": 3, "file": 1, "drill": 2}}
	jobs := []struct {
		tool string
		n    int
	}{{"saw", 2}, {"drill", 1}, {"hoe", 1}, {"saw", 2}, {"file", 1}}
	var wg sync.WaitGroup
	wg.Add(len(jobs))
	for _, job := range jobs {
		go func() {
			defer wg.Done()
			if w.take(job.tool, job.n) == nil {
				w.bring(job.tool, job.n)
			}
		}()
	}
	wg.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Println(w.tools)
}

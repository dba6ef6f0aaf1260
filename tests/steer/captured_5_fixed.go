package main

import (
	"fmt"
	"slices"
	"sync"
)

// Rows are written in batches, in the background.
type store struct {
	mu   sync.Mutex
	rows []int
}

func (s *store) write(batch []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = append(s.rows, batch...)
}

func load(s *store, rows []int, size int) {
	var wg sync.WaitGroup
	batch := make([]int, 0, size)
	flush := func() {
		full := slices.Clone(batch)
		wg.Go(func() { s.write(full) })
		batch = batch[:0]
	}
	for _, row := range rows {
		batch = append(batch, row)
		if len(batch) == size {
			flush()
		}
	}
	if len(batch) > 0 {
		flush()
	}
	wg.Wait()
}

func main() {
	var rows []int
	for i := range 10 {
		rows = append(rows, i*i)
	}
	var s store
	load(&s, rows, 4)
	slices.Sort(s.rows)
	fmt.Println(len(s.rows))
}

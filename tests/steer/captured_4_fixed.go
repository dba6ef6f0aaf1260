package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

// Handlers that are made once and called for each request; a trace says whose each line is.
type handler func(id int64, log func(string))

type trace struct {
	mu    sync.Mutex
	lines map[int64][]string
}

func (t *trace) add(id int64, line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines[id] = append(t.lines[id], line)
}

func traced(t *trace, h handler) func(id int64) {
	var served atomic.Int64
	return func(id int64) {
		log := func(line string) { t.add(id, line) }
		served.Add(1)
		log("begin")
		h(id, log)
		log("end")
	}
}

func main() {
	t := &trace{lines: map[int64][]string{}}
	serve := traced(t, func(id int64, log func(string)) {
		log(fmt.Sprint("request ", id))
	})
	var wg sync.WaitGroup
	for id := range int64(3) {
		wg.Go(func() { serve(id) })
	}
	wg.Wait()
	for id := range int64(3) {
		if lines := t.lines[id]; len(lines) != 3 {
			fmt.Println("request", id, "has", lines)
			os.Exit(1)
		}
	}
	fmt.Println("traced")
}

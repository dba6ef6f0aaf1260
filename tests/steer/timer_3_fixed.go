package main

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Edits are saved together, when there have been none for a while.
type editor struct {
	edits chan string
	quiet time.Duration
	mu    sync.Mutex
	saved []string
}

func (e *editor) save(pending []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.saved = append(e.saved, strings.Join(pending, ""))
}

func (e *editor) run() {
	timer := time.NewTimer(e.quiet)
	defer timer.Stop()
	var pending []string
	for {
		select {
		case edit, ok := <-e.edits:
			if !ok {
				e.save(pending)
				return
			}
			pending = append(pending, edit)
			timer.Reset(e.quiet)
		case <-timer.C:
			e.save(pending)
			pending = nil
		}
	}
}

func main() {
	e := &editor{edits: make(chan string), quiet: 100 * time.Millisecond}
	var wg sync.WaitGroup
	wg.Go(e.run)
	for _, edit := range []string{"a", "b", "c", "d"} {
		e.edits <- edit
		time.Sleep(10 * time.Millisecond)
	}
	close(e.edits)
	wg.Wait()
	fmt.Println(strings.Join(e.saved, ""))
}

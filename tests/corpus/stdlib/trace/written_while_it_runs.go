// run

// A trace is written while the program runs, by a goroutine of its own, which Stop waits for.
package main

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

type writer struct {
	mu     sync.Mutex
	all    bytes.Buffer
	writes int
}

func (w *writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	return w.all.Write(b)
}

func (w *writer) written() (int, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writes, w.all.Len()
}

func main() {
	for range 2 {
		var w writer
		fmt.Println(runtime.NumGoroutine(), trace.Start(&w), trace.Start(&w))
		fmt.Println(runtime.NumGoroutine(), trace.IsEnabled())
		writes, before := w.written()
		for end := time.Now().Add(30 * time.Second); writes == 0 && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
			writes, before = w.written()
		}
		trace.Stop()
		_, n := w.written()
		fmt.Println(writes > 0, n > before, string(w.all.Bytes()[:3]), trace.IsEnabled())
		for runtime.NumGoroutine() > 1 {
			time.Sleep(time.Millisecond)
		}
	}
	trace.Stop()
}

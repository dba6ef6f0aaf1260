// run exit=2
package main

import (
	"sync"
	"time"
)

// Others wait and run: a fatal error of the program shows the goroutine that made it, as a panic does.
func main() {
	go func() { select {} }()
	go func() { time.Sleep(time.Hour) }()
	time.Sleep(time.Millisecond)
	var mu sync.RWMutex
	mu.Unlock()
}

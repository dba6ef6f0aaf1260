// run exit=2
package main

import "sync"

func main() {
	defer func() { println("not recoverable", recover()) }()
	var mu sync.RWMutex
	mu.RLock()
	mu.Unlock()
}

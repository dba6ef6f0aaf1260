// run exit=2
package main

import "sync"

func main() {
	defer func() { recover() }()
	var mu sync.Mutex
	mu.Unlock()
}

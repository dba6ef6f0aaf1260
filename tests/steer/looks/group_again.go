// A group is used again before who waits for it has gone on.
package main

import "sync"

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done()
		wg.Add(1)
		wg.Done()
	}()
	wg.Wait()
}

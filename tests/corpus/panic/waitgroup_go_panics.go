// run exit=2

// A panic in a function that WaitGroup.Go runs ends the process before Wait returns.
package main

import (
	"os"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	wg.Go(func() {
		defer time.Sleep(10 * time.Millisecond)
		panic("failure")
	})
	wg.Wait()
	os.Exit(0)
}

// run exit=2
package main

import (
	"runtime"
	"sync"
)

// The waiter is woken, but the counter goes up again before it gets to run.
func main() {
	runtime.GOMAXPROCS(1)
	var wg sync.WaitGroup
	wg.Add(1)
	go wg.Wait()
	runtime.Gosched()
	wg.Done()
	wg.Add(1)
	runtime.Gosched()
	select {}
}

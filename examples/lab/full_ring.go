// One goroutine starts ten thousand jobs of 100 µs.
package main

import (
	"fmt"
	"sync"
	"time"
)

func job(wg *sync.WaitGroup) {
	for t := time.Now(); time.Since(t) < 100*time.Microsecond; {
	}
	wg.Done()
}

func main() {
	var wg sync.WaitGroup
	wg.Add(10000)
	for range 10000 {
		go job(&wg)
	}
	wg.Wait()
	fmt.Println("done")
}

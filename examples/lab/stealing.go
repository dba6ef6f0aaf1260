// As many jobs as fit into one ring.
package main

import (
	"fmt"
	"sync"
	"time"
)

func job(wg *sync.WaitGroup) {
	for t := time.Now(); time.Since(t) < time.Millisecond; {
	}
	wg.Done()
}

func main() {
	var wg sync.WaitGroup
	wg.Add(250)
	for range 250 {
		go job(&wg)
	}
	wg.Wait()
	fmt.Println("done")
}

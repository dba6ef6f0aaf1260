// The number of processors changes while goroutines run.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	c := make(chan int)
	for range 6 {
		wg.Go(func() {
			for range c {
				runtime.Gosched()
			}
		})
	}
	for i := range 120 {
		runtime.GOMAXPROCS(1 + i%4)
		for range 10 {
			c <- i
		}
	}
	close(c)
	wg.Wait()
	fmt.Println("done")
}

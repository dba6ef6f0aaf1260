package main

import (
	"fmt"
	"sync"
)

// Producers, and somebody who ends it all when there is enough.
func main() {
	items := make(chan int, 10)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			items <- i
		})
	}
	sum := 0
	for range 2 {
		sum += <-items
	}
	wg.Wait()
	close(items)
	fmt.Println(sum >= 0)
}

package main

import (
	"fmt"
	"sync"
)

// The workers are counted.
func main() {
	var wg sync.WaitGroup
	results := make(chan int, 3)
	for i := range 3 {
		go func() {
			wg.Add(1)
			defer wg.Done()
			results <- i
		}()
	}
	wg.Wait()
	close(results)
	n := 0
	for range results {
		n++
	}
	if n != 3 {
		panic(fmt.Sprint("results: ", n))
	}
}

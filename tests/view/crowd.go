// A hundred goroutines, and a hundred thousand events.

package main

import (
	"fmt"
	"sync"
)

func worker(in <-chan int, out chan<- int) {
	for n := range in {
		out <- n * n
	}
}

func main() {
	in, out := make(chan int), make(chan int, 10)
	var wg sync.WaitGroup
	for range 100 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			worker(in, out)
		}()
	}
	go func() {
		for i := range 8000 {
			in <- i
		}
		close(in)
		wg.Wait()
		close(out)
	}()
	sum := 0
	for n := range out {
		sum += n
	}
	fmt.Println(sum)
}

// A select with a default on two channels, beside a send.
package main

import "sync"

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() { b <- 1 })
	select {
	case <-a:
	case <-b:
		panic("received")
	default:
	}
	wg.Wait()
}

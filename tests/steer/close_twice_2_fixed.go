package main

import (
	"fmt"
	"sync/atomic"
)

// Divisors of a number, found by several; the last one says that it was the last.
func divisors(n, workers int) <-chan int {
	found := make(chan int, n)
	var busy atomic.Int32
	busy.Store(int32(workers))
	for first := range workers {
		go func() {
			for d := first + 1; d <= n; d += workers {
				if n%d == 0 {
					found <- d
				}
			}
			if busy.Add(-1) == 0 {
				close(found)
			}
		}()
	}
	return found
}

func main() {
	for _, n := range []int{12, 17} {
		sum := 0
		for d := range divisors(n, 3) {
			sum += d
		}
		fmt.Println(n, sum)
	}
}

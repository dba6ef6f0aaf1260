package main

import (
	"fmt"
	"sync"
)

// Each worker sums its own part, and hands over the sum.
func main() {
	parts := [][]int{{1, 2}, {3, 4}, {5, 6}}
	sums := make(chan int, len(parts))
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			sum := 0
			for _, n := range part {
				sum += n
			}
			sums <- sum
		})
	}
	wg.Wait()
	close(sums)
	total := 0
	for sum := range sums {
		total += sum
	}
	fmt.Println(total)
}

package main

import (
	"fmt"
	"sync"
)

// Each worker is to sum its own part; all add to one variable.
func main() {
	parts := [][]int{{1, 2}, {3, 4}, {5, 6}}
	total := 0
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			for _, n := range part {
				total += n
			}
		})
	}
	wg.Wait()
	fmt.Println(total)
}

// A worker pool: a few goroutines share a queue of jobs, the results are gathered in the order of the jobs.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type job struct{ index, n int }

// collatz counts the steps from n to 1.
func collatz(n int) int {
	steps := 0
	for ; n != 1; steps++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return steps
}

func main() {
	starts := []int{27, 97, 871, 6171, 77031, 837799}
	results := make([]int, len(starts))

	jobs := make(chan job)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				results[j.index] = collatz(j.n)
			}
		}()
	}
	for i, n := range starts {
		jobs <- job{i, n}
	}
	close(jobs)
	wg.Wait()

	for i, n := range starts {
		fmt.Printf("%7d reaches 1 after %d steps\n", n, results[i])
	}
}

package main

import (
	"fmt"
	"sync"
)

// Numbers are factored by some workers; a channel of results ends with the last of them.
type result struct {
	n       int
	factors []int
}

func factor(n int) (factors []int) {
	for p := 2; n > 1; p++ {
		for n%p == 0 {
			factors = append(factors, p)
			n /= p
		}
	}
	return factors
}

func factorAll(numbers <-chan int, workers int) <-chan result {
	results := make(chan result, 1)
	var wg sync.WaitGroup
	wg.Add(workers)
	go func() {
		wg.Wait()
		close(results)
	}()
	for range workers {
		go func() {
			defer wg.Done()
			for n := range numbers {
				results <- result{n, factor(n)}
			}
		}()
	}
	return results
}

func main() {
	numbers := make(chan int, 6)
	for n := range 6 {
		numbers <- n + 10
	}
	close(numbers)
	sum := 0
	for r := range factorAll(numbers, 3) {
		sum += len(r.factors)
	}
	fmt.Println(sum)
	if sum != 11 {
		panic("some are missing")
	}
}

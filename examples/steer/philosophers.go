package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Philosophers, each between two forks.
type fork struct{ sync.Mutex }

func main() {
	const n = 3
	forks := make([]*fork, n)
	for i := range forks {
		forks[i] = new(fork)
	}
	var wg sync.WaitGroup
	var meals atomic.Int32
	for i := range n {
		wg.Go(func() {
			left, right := forks[i], forks[(i+1)%n]
			// Everybody is right-handed.
			left.Lock()
			right.Lock()
			meals.Add(1)
			right.Unlock()
			left.Unlock()
		})
	}
	wg.Wait()
	fmt.Println(meals.Load())
}

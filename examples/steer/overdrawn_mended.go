package main

import (
	"fmt"
	"sync"
)

// An account whose history is told while it is locked, but only if it is overdrawn.
type account struct {
	mu      sync.Mutex
	balance int
	log     []int
}

func (a *account) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
	a.log = append(a.log, n)
	if a.balance < 0 {
		a.report()
	}
}

// The caller holds the lock.
func (a *account) report() {
	fmt.Println("overdrawn", len(a.log) > 0)
}

func main() {
	var a account
	var wg sync.WaitGroup
	for _, n := range []int{10, -10} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.add(n)
		}()
	}
	wg.Wait()
}

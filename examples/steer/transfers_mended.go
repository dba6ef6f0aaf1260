package main

import (
	"fmt"
	"sync"
)

// Money goes both ways between two accounts, each with its lock.
type account struct {
	mu      sync.Mutex
	id      int
	balance int
}

func transfer(from, to *account, n int) {
	first, second := from, to
	if second.id < first.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	from.balance -= n
	to.balance += n
}

func main() {
	a, b := &account{id: 1, balance: 100}, &account{id: 2, balance: 100}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			if i%2 == 0 {
				transfer(a, b, 10)
			} else {
				transfer(b, a, 10)
			}
		})
	}
	wg.Wait()
	fmt.Println(a.balance + b.balance)
}

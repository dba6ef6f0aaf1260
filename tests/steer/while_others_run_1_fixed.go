package main

import (
	"fmt"
	"sync"
	"time"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, n int, done chan<- bool) {
	from.mu.Lock()
	from.balance -= n
	from.mu.Unlock()
	to.mu.Lock()
	to.balance += n
	to.mu.Unlock()
	done <- true
}

func main() {
	go func() {
		for range time.Tick(time.Second) {
		}
	}()
	a, b := &account{balance: 10}, &account{balance: 10}
	done := make(chan bool)
	go transfer(a, b, 1, done)
	go transfer(b, a, 2, done)
	<-done
	<-done
	fmt.Println("done")
}

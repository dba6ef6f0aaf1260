// Two goroutines take the same two locks, each in its own order. Nearly always that goes well:
//
//	gosched examples/lock_order.go
//	gosched explore examples/lock_order.go
package main

import (
	"fmt"
	"sync"
)

type account struct {
	sync.Mutex
	money int
}

func transfer(from, to *account, money int) {
	from.Lock()
	defer from.Unlock()
	to.Lock()
	defer to.Unlock()
	from.money -= money
	to.money += money
}

func main() {
	a, b := &account{money: 100}, &account{money: 100}
	var wg sync.WaitGroup
	wg.Go(func() { transfer(a, b, 10) })
	wg.Go(func() { transfer(b, a, 20) })
	wg.Wait()
	fmt.Println(a.money, b.money)
}

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Prices of goods; a basket is priced by many helpers at once.
type prices struct {
	mu    sync.RWMutex
	cents map[string]int
}

func (p *prices) of(good string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.cents[good]
}

func (p *prices) raise(good string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cents[good] += n
}

// Basket holds the lock, so that all is priced by the same list.
func (p *prices) basket(goods ...string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var sum atomic.Int64
	var helpers sync.WaitGroup
	for _, good := range goods {
		helpers.Go(func() {
			sum.Add(int64(p.of(good)))
		})
	}
	helpers.Wait()
	return int(sum.Load())
}

func main() {
	p := &prices{cents: map[string]int{"apple": 30, "pear": 40, "plum": 15}}
	raised := make(chan string)
	go func() {
		defer close(raised)
		p.raise("plum", 1)
		raised <- "plum"
		p.raise("fig", 90)
	}()
	<-raised
	n := p.basket("plum", "apple", "pear")
	<-raised
	fmt.Println(n, p.basket("fig"))
}

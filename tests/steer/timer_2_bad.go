package main

import (
	"fmt"
	"sync"
	"time"
)

// Leases, which end when they are given back or after a while.
type lease struct {
	name  string
	timer *time.Timer
	ended chan struct{}
}

type landlord struct {
	mu   sync.Mutex
	free []string
}

func (l *landlord) rent(d time.Duration) *lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.free) == 0 {
		return nil
	}
	r := &lease{name: l.free[0], ended: make(chan struct{})}
	l.free = l.free[1:]
	r.timer = time.AfterFunc(d, func() { l.end(r) })
	return r
}

func (l *landlord) end(r *lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, r.name)
	close(r.ended)
}

func (l *landlord) giveBack(r *lease) {
	r.timer.Stop()
	l.end(r)
}

func main() {
	l := &landlord{free: []string{"attic", "cellar"}}
	var tenants sync.WaitGroup
	for range 3 {
		tenants.Go(func() {
			if r := l.rent(time.Second); r != nil {
				l.giveBack(r)
				<-r.ended
			}
		})
	}
	tenants.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Println(len(l.free), "free")
}

package explore

import (
	"sync"
	"testing"
)

func TestFine(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() { mu.Lock(); n++; mu.Unlock() })
	}
	wg.Wait()
	if n != 2 {
		t.Fatal(n)
	}
}

func TestOrder(t *testing.T) {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	if a := <-c; a != 2 {
		t.Fatal("got", a)
	}
}

func TestDeadlock(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	wg.Wait()
}

// run

// Goroutines that wait in every way: on 600 mutexes, in two selects on the same two channels, on a
// WaitGroup, a Cond, an RWMutex, a nil channel, and for a time.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
)

// await returns when n goroutines wait for the reason.
func await(n int, reason string) {
	text := make([]byte, 1<<20)
	for strings.Count(string(text[:runtime.Stack(text, true)]), "["+reason) < n {
		time.Sleep(time.Millisecond)
	}
}

func main() {
	var all sync.WaitGroup
	start := func(f func()) {
		all.Add(1)
		go func() {
			defer all.Done()
			f()
		}()
	}

	mutexes := make([]sync.Mutex, 600)
	for i := range mutexes {
		mutexes[i].Lock()
		start(func() {
			mutexes[i].Lock()
		})
	}
	// Boxes of their own, which the collector may use again.
	for i := 0; i < 3; i++ {
		mu := new(sync.Mutex)
		mu.Lock()
		start(func() { mu.Lock() })
		await(len(mutexes)+1, "sync.Mutex.Lock")
		mu.Unlock()
		await(len(mutexes), "sync.Mutex.Lock")
		runtime.GC()
	}

	a, b := make(chan int), make(chan string, 3)
	for i := 0; i < 2; i++ {
		start(func() {
			select {
			case <-a:
			case <-b:
			}
		})
	}

	var wg sync.WaitGroup
	wg.Add(1)
	start(wg.Wait)

	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	start(func() {
		mu.Lock()
		cond.Wait()
		mu.Unlock()
	})

	var rw sync.RWMutex
	rw.Lock()
	start(rw.RLock)

	var none chan int
	go func() { <-none }()

	start(func() { time.Sleep(20 * time.Millisecond) })

	await(len(mutexes), "sync.Mutex.Lock")
	await(2, "select")
	await(1, "sync.Cond.Wait")
	await(1, "sync.RWMutex.RLock")
	await(1, "chan receive (nil chan)")
	for i := range mutexes {
		mutexes[i].Unlock()
	}
	a <- 1
	b <- "two"
	wg.Done()
	cond.Signal()
	rw.Unlock()
	all.Wait()
	fmt.Println("waited")
}

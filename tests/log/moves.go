// Moves goroutines in every way that the scheduler knows, so that its log can be held against its queues.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// compute keeps its P for a while.
func compute(n int) int {
	x := 0
	for i := 0; i < n; i++ {
		x += i
	}
	return x
}

func main() {
	var wg sync.WaitGroup
	start := func(f func(i int), n int) {
		for i := 0; i < n; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				f(i)
			}()
		}
	}

	// More than a ring holds: half of it goes to the global queue.
	start(func(i int) { compute(2000) }, 700)
	wg.Wait()

	start(func(i int) {
		for j := 0; j < 10; j++ {
			runtime.Gosched()
			compute(500)
		}
	}, 50)
	start(func(i int) { time.Sleep(time.Duration(i%7) * 200 * time.Microsecond) }, 100)
	var mu sync.Mutex
	start(func(i int) {
		for j := 0; j < 20; j++ {
			mu.Lock()
			compute(200)
			mu.Unlock()
		}
	}, 20)
	wg.Wait()

	// Wired to their threads, they wake one another.
	ping, pong := make(chan int), make(chan int)
	start(func(i int) {
		runtime.LockOSThread()
		for j := 0; j < 30; j++ {
			if i == 0 {
				ping <- j
				<-pong
			} else {
				<-ping
				pong <- j
			}
		}
	}, 2)
	wg.Wait()

	// Woken by the poller, several at once.
	var readers, writers []*os.File
	for i := 0; i < 40; i++ {
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		readers, writers = append(readers, r), append(writers, w)
	}
	start(func(i int) {
		b := make([]byte, 1)
		for j := 0; j < 5; j++ {
			readers[i].Read(b)
			compute(500)
		}
	}, 40)
	for j := 0; j < 5; j++ {
		for _, w := range writers {
			w.Write([]byte{1})
		}
		time.Sleep(time.Millisecond)
	}
	wg.Wait()

	// Loops that must be stopped, beside what waits for its turn.
	start(func(i int) { compute(30_000_000) }, 3)
	start(func(i int) { os.Getwd() }, 200)
	procs := runtime.GOMAXPROCS(0)
	if procs > 1 {
		runtime.GOMAXPROCS(procs - 1)
	}
	start(func(i int) { compute(1000) }, 300)
	runtime.GC()
	runtime.GOMAXPROCS(procs)
	wg.Wait()
	fmt.Println("moved")
}

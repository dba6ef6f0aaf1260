// Two goroutines that always wake each other, and a third that only wants to run.
//
// Whoever is made ready by the running goroutine goes into the P's one-place slot runnext and runs next,
// ahead of the queue. Two goroutines that keep waking each other would so own the P for ever. They do not,
// because a goroutine taken from runnext inherits what is left of the time slice: after 10 ms in sum the pair is
// preempted, goes to the end of the global queue, and the third has its turn.
//
//	gosched examples/runnext_starvation.go
//	gosched --without=slice-inheritance examples/runnext_starvation.go
//
// With the inheritance switched off each hand-over starts a new slice, no slice ever ends, and the third starves.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

const runFor = time.Second

func main() {
	runtime.GOMAXPROCS(1)
	ping, pong := make(chan int), make(chan int)
	var rounds atomic.Int64

	go func() {
		for {
			ping <- 1
			<-pong
			rounds.Add(1)
		}
	}()
	go func() {
		for {
			<-ping
			pong <- 2
		}
	}()

	start := time.Now()
	var ran, last, longest atomic.Int64 // how often; when last, and after how long at most, in nanoseconds
	go func() { // the third goroutine: notes when it ran, and gives way
		for {
			now := int64(time.Since(start))
			if ran.Add(1) > 1 {
				longest.Store(max(longest.Load(), now-last.Load()))
			}
			last.Store(now)
			runtime.Gosched()
		}
	}()

	for time.Since(start) < runFor {
		time.Sleep(runFor - time.Since(start))
	}

	n := ran.Load()
	fmt.Printf("the pair made %d round trips\n", rounds.Load())
	fmt.Printf("the third goroutine ran %d times\n", n)
	if n < 3 {
		fmt.Println("the third goroutine starved")
		return
	}
	fmt.Printf("every %v on average, after at most %v\n",
		time.Duration(last.Load()/n).Round(time.Millisecond), time.Duration(longest.Load()).Round(time.Millisecond))
}

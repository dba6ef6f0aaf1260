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
	"time"
)

const runFor = time.Second

func main() {
	runtime.GOMAXPROCS(1)
	ping, pong := make(chan int), make(chan int)
	rounds := 0

	go func() {
		for {
			ping <- 1
			<-pong
			rounds++
		}
	}()
	go func() {
		for {
			<-ping
			pong <- 2
		}
	}()

	start := time.Now()
	var ran []time.Duration
	go func() { // the third goroutine: notes when it ran, and gives way
		for {
			ran = append(ran, time.Since(start))
			runtime.Gosched()
		}
	}()

	for time.Since(start) < runFor {
		time.Sleep(runFor - time.Since(start))
	}

	fmt.Printf("the pair made %d round trips\n", rounds)
	fmt.Printf("the third goroutine ran %d times\n", len(ran))
	if len(ran) < 3 {
		fmt.Println("the third goroutine starved")
		return
	}
	longest := time.Duration(0)
	for i := 1; i < len(ran); i++ {
		longest = max(longest, ran[i]-ran[i-1])
	}
	fmt.Printf("every %v on average, after at most %v\n",
		(ran[len(ran)-1] / time.Duration(len(ran))).Round(time.Millisecond), longest.Round(time.Millisecond))
}

// run

// Loops without calls hold the only pointer to an object while others collect, and fill what is free.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type object [6]int

var garbage [64]*object

func main() {
	runtime.GOMAXPROCS(4)
	var stop atomic.Bool
	var helpers sync.WaitGroup
	helpers.Add(2)
	go func() {
		defer helpers.Done()
		for !stop.Load() {
			runtime.GC()
		}
	}()
	go func() {
		defer helpers.Done()
		for i := 0; !stop.Load(); i++ {
			garbage[i&63] = &object{-1, -1, -1, -1, -1, -1}
		}
	}()
	bad := 0
	start := time.Now()
	for run := 0; run < 10_000 || time.Since(start) < time.Second/2; run++ {
		p := &object{run, run, run, run, run, run}
		sum := 0
		for i := 0; i < 600; i++ {
			sum += p[i%6]
		}
		if sum != 600*run {
			bad++
		}
	}
	stop.Store(true)
	helpers.Wait()
	fmt.Println("disturbed:", bad)
}

// A pair that works a little after each wake-up, before it blocks again.
package main

import (
	"fmt"
	"time"
)

const rounds = 20000

// n is how many additions take a third of a microsecond: with what interpreted code takes for a send and a wait around them, about
// one passes between the wake-up and the wait.
var n int

func work() (s int) {
	for i := range n {
		s += i
	}
	return s
}

func main() {
	// The quickest of some: in the others the machine did something else too.
	n = 10000
	quickest := time.Hour
	for range 50 {
		start := time.Now()
		work()
		quickest = min(quickest, time.Since(start))
	}
	n = max(1, n*300/int(quickest.Nanoseconds()))
	a, b, done := make(chan int, 1), make(chan int, 1), make(chan int)
	go func() {
		s := 0
		for range rounds {
			a <- 1
			s += work()
			<-b
		}
		done <- s
	}()
	go func() {
		s := 0
		for range rounds {
			<-a
			b <- 1
			s += work()
		}
		done <- s
	}()
	fmt.Println(<-done == <-done, rounds)
}

// run gcstress=1000

// 100,000 goroutines wait inside sync.Once.Do, and 10,000 inside String methods that fmt has called.
package main

import (
	"fmt"
	"sync"
)

type slow struct {
	gate  chan bool
	ready *sync.WaitGroup
}

func (s slow) String() string {
	s.ready.Done()
	<-s.gate
	return "through"
}

func main() {
	var once sync.Once
	var started, done sync.WaitGroup
	gate := make(chan bool)
	n := 100_000
	started.Add(n)
	done.Add(n)
	for range n {
		go func() {
			started.Done()
			once.Do(func() { <-gate })
			done.Done()
		}()
	}
	started.Wait()
	close(gate)
	done.Wait()
	fmt.Println("once")

	const inside = 10_000
	s := slow{make(chan bool), new(sync.WaitGroup)}
	s.ready.Add(inside)
	out := make(chan string, inside)
	for range inside {
		go func() { out <- fmt.Sprintf("<%v>", s) }()
	}
	s.ready.Wait()
	close(s.gate)
	for range inside {
		if t := <-out; t != "<through>" {
			fmt.Println(t)
		}
	}
	fmt.Println("inside")
}

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Two who may both end the work.
type job struct {
	done chan struct{}
	over atomic.Bool
}

func (j *job) stop() {
	if !j.over.Load() {
		j.over.Store(true)
		close(j.done)
	}
}

func main() {
	j := &job{done: make(chan struct{})}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(j.stop)
	}
	<-j.done
	wg.Wait()
	fmt.Println("over")
}

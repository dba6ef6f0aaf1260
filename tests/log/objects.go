// Goroutines that wait on 600 mutexes, on channels, and on several channels at once.
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
	var wg sync.WaitGroup
	mutexes := make([]sync.Mutex, 600)
	for i := range mutexes {
		mutexes[i].Lock()
		wg.Add(1)
		go func() {
			mutexes[i].Lock()
			wg.Done()
		}()
	}
	var c [3]chan int
	for i := range c {
		c[i] = make(chan int)
	}
	for i := range c {
		wg.Add(1)
		go func() {
			<-c[i]
			wg.Done()
		}()
	}
	wg.Add(1)
	go func() {
		var d [3]chan int
		for i := range d {
			d[i] = make(chan int)
		}
		go func() {
			for i := range d {
				await(1, "select")
				<-d[i]
			}
		}()
		for range d {
			select {
			case d[0] <- 1:
				d[0] = nil
			case d[1] <- 1:
				d[1] = nil
			case d[2] <- 1:
				d[2] = nil
			}
		}
		wg.Done()
	}()
	await(len(mutexes), "sync.Mutex.Lock")
	await(len(c), "chan receive")
	for i := range mutexes {
		mutexes[i].Unlock()
	}
	for i := range c {
		c[i] <- 1
	}
	wg.Wait()
	fmt.Println("done")
}

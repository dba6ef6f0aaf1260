// run procs=1
// One goroutine for each way to wait, and what a dump calls them.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	var mu sync.Mutex
	var readers, writers sync.RWMutex
	var wg sync.WaitGroup
	cond := sync.NewCond(&sync.Mutex{})
	silent, unheard, full := make(chan int), make(chan int), make(chan int, 1)
	full <- 1
	var none chan int
	mu.Lock()
	readers.Lock()
	writers.RLock()
	wg.Add(1)
	ours, silence, _ := os.Pipe()
	defer runtime.KeepAlive(silence) // collected, it would be closed
	var theirs [2]int
	syscall.Pipe(theirs[:])
	ways := []func(){
		func() { mu.Lock() },
		func() { readers.RLock() },
		func() { writers.Lock() },
		func() { wg.Wait() },
		func() { cond.L.Lock(); cond.Wait() },
		func() { <-silent },
		func() {
			for range silent {
			}
		},
		func() { unheard <- 1 },
		func() { full <- 2 },
		func() { <-none },
		func() { none <- 1 },
		func() { select {} },
		func() {
			select {
			case <-silent:
			case full <- 3:
			}
		},
		func() { time.Sleep(time.Hour) },
		func() { runtime.LockOSThread(); <-silent },
		func() { ours.Read(make([]byte, 1)) },
		func() { syscall.Read(theirs[0], make([]byte, 1)) },
	}
	for _, wait := range ways {
		go func() {
			wait()
			panic("it was to wait")
		}()
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR1)
	time.Sleep(50 * time.Millisecond)
	go func() {}()
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	var headers []string
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "goroutine "); ok {
			_, header, _ := strings.Cut(rest, " ")
			headers = append(headers, header)
		}
	}
	sort.Strings(headers)
	fmt.Println(strings.Join(headers, "\n"))
}

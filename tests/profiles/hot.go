// Spends its time, its memory and its waits each in one function. The argument is the folder that
// profiles are written to; without one the command line asks for them.
package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var (
	total int
	kept  [][]byte
	mu    sync.Mutex
)

//go:noinline
func hot(n int) (sum int) {
	for i := range n {
		sum += i * i % 7
	}
	return sum
}

//go:noinline
func cold(n int) int { return n/3 + 1 }

//go:noinline
func allocates() {
	for range 2000 {
		kept = append(kept, make([]byte, 10000))
	}
}

//go:noinline
func receives(c chan int) { <-c }

//go:noinline
func unlocks() {
	time.Sleep(50 * time.Millisecond)
	mu.Unlock()
}

func writes(folder, name string) {
	f, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup(name).WriteTo(f, 0); err != nil {
		panic(err)
	}
	f.Close()
}

func main() {
	folder := ""
	if len(os.Args) > 1 {
		folder = os.Args[1]
		runtime.SetBlockProfileRate(1)
		runtime.SetMutexProfileFraction(1)
		f, err := os.Create(filepath.Join(folder, "cpu"))
		if err != nil {
			panic(err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			panic(err)
		}
	}
	// So much time of the processor, however busy the machine is.
	for range 400 {
		total += hot(100000)
		total += cold(total)
	}
	pprof.StopCPUProfile()
	allocates()
	c := make(chan int)
	for range 3 {
		go receives(c)
	}
	leaked := make(chan int)
	go receives(leaked)
	leaked = nil
	time.Sleep(50 * time.Millisecond)
	mu.Lock()
	go unlocks()
	mu.Lock()
	runtime.GC()
	if folder != "" {
		writes(folder, "goroutine")
	}
	for range 3 {
		c <- 1
	}
	if folder != "" {
		for _, name := range []string{"heap", "allocs", "block", "mutex", "threadcreate", "goroutineleak"} {
			writes(folder, name)
		}
	}
}

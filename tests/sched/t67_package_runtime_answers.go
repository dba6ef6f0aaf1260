// run procs=2 gcstress=0

// What package runtime and runtime/debug say and do when asked.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// settles waits until f gives want, for a second at most.
func settles(what string, want int, f func() int) {
	got := f()
	for range 1000 {
		if got == want {
			break
		}
		time.Sleep(time.Millisecond)
		got = f()
	}
	fmt.Println(what, got)
}

func header() string {
	text := string(debug.Stack())
	return text[:strings.IndexByte(text, '\n')]
}

func main() {
	fmt.Println("goroutines at first", runtime.NumGoroutine())
	gate := make(chan bool)
	for range 5 {
		go func() { <-gate }()
	}
	settles("goroutines with five more", 6, runtime.NumGoroutine)
	all := make([]byte, 1<<16)
	all = all[:runtime.Stack(all, true)]
	fmt.Println("in a dump", strings.Count("\n"+string(all), "\ngoroutine "))
	close(gate)
	settles("goroutines in the end", 1, runtime.NumGoroutine)

	cpus := runtime.NumCPU()
	fmt.Println("GOMAXPROCS", runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(5), runtime.GOMAXPROCS(-1), runtime.GOMAXPROCS(2), runtime.GOMAXPROCS(0))
	fmt.Println("NumCPU", cpus > 0, cpus == runtime.NumCPU())
	fmt.Println("NumCgoCall", runtime.NumCgoCall())
	fmt.Println(runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.Compiler)

	some := make([]byte, 10)
	fmt.Printf("%d %q\n", runtime.Stack(some, false), some)
	fmt.Println(header())
	runtime.LockOSThread()
	runtime.LockOSThread()
	fmt.Println(header())
	runtime.UnlockOSThread()
	fmt.Println(header())
	runtime.UnlockOSThread()
	runtime.UnlockOSThread() // one too many does nothing
	fmt.Println(header())

	fmt.Println("SetGCPercent", debug.SetGCPercent(-1), debug.SetGCPercent(50), debug.SetGCPercent(100))
	fmt.Println("SetMaxStack", debug.SetMaxStack(1<<20), debug.SetMaxStack(1e9))
	fmt.Println("SetMaxThreads", debug.SetMaxThreads(5000), debug.SetMaxThreads(10000))
	fmt.Println("SetMemoryLimit", debug.SetMemoryLimit(1<<40), debug.SetMemoryLimit(-1))

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	fmt.Println("collections", after.NumGC-before.NumGC, "forced", after.NumForcedGC-before.NumForcedGC)
	last := after.PauseNs[(after.NumGC+255)%256]
	fmt.Println("a pause", last > 0 && last < 1e9, after.PauseTotalNs > before.PauseTotalNs)
	fmt.Println("stacks", after.StackInuse > 0 && after.StackSys >= after.StackInuse)

	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { fmt.Println("recovered", recover()) }()
		runtime.Goexit()
		fmt.Println("not reached")
	}()
	<-done
}

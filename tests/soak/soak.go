// A soak: for the minutes given (10 if none), goroutines are made and end, wait in system calls, on pipes and for timers, allocate
// and collect, while GOMAXPROCS goes from 1 to 8 and back once a second. Every ten seconds it prints what it takes as seen from
// outside: threads, descriptors, resident memory. It fails if these keep growing, or if a worker stands still.
//
// Kinds of work named after the minutes are the only ones.
//
//	gosched tests/soak/soak.go [minutes [kind…]]
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var stop atomic.Bool

// A kind of work, and how often it was done.
type kind struct {
	name string
	work func()
	done atomic.Int64
}

var kinds = []*kind{
	{name: "spawn", work: spawn},
	{name: "syscall", work: call},
	{name: "pipe", work: pipe},
	{name: "timer", work: timers},
	{name: "allocate", work: allocate},
	{name: "channel", work: channels},
	{name: "lock", work: locks},
	{name: "stack", work: stacks},
}

func spawn() {
	var wg sync.WaitGroup
	for range 1000 {
		wg.Add(1)
		go wg.Done()
	}
	wg.Wait()
}

func call() {
	ts := syscall.Timespec{Nsec: 2_000_000}
	syscall.Nanosleep(&ts, nil)
}

func pipe() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		for i := range 20 {
			w.Write([]byte(strconv.Itoa(i) + "\n"))
			if i%5 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	buf := make([]byte, 64)
	n := 0
	for {
		k, err := r.Read(buf)
		n += k
		if err != nil {
			break
		}
	}
	if n != 50 {
		panic(fmt.Sprint("read ", n, " bytes from the pipe"))
	}
}

func timers() {
	c := make(chan int, 100)
	for i := range 100 {
		time.AfterFunc(time.Duration(i%7)*time.Millisecond, func() { c <- i })
	}
	stopped := time.AfterFunc(time.Hour, func() { panic("an hour has passed") })
	for range 100 {
		<-c
	}
	stopped.Stop()
}

type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

func (t *tree) count() int {
	if t == nil {
		return 0
	}
	return 1 + t.left.count() + t.right.count()
}

func allocate() {
	t := grow(12)
	big := make([]byte, 1<<20)
	big[len(big)-1] = 1
	runtime.GC()
	if n := t.count(); n != 8191 {
		panic(n)
	}
}

func channels() {
	const n = 8
	ring := make([]chan int, n)
	for i := range ring {
		ring[i] = make(chan int)
	}
	for i := range n - 1 {
		go func() {
			for v := range ring[i] {
				ring[i+1] <- v + 1
			}
			close(ring[i+1])
		}()
	}
	go func() {
		for i := range 200 {
			ring[0] <- i
		}
		close(ring[0])
	}()
	sum := 0
	for {
		select {
		case v, ok := <-ring[n-1]:
			if !ok {
				if sum != 200*199/2+200*(n-1) {
					panic(sum)
				}
				return
			}
			sum += v
		case <-time.After(time.Minute):
			panic("a minute without a value")
		}
	}
}

func locks() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	n := 0
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 200 {
				if i%4 == 0 {
					mu.Lock()
					n++
					mu.Unlock()
				} else {
					mu.RLock()
					_ = n
					mu.RUnlock()
				}
			}
		}()
	}
	wg.Wait()
	if n != 400 {
		panic(n)
	}
}

//go:noinline
func deep(n int) int {
	var room [16]int
	room[n&15] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + room[n&15] - n
}

func stacks() {
	c := make(chan int)
	for i := range 10 {
		go func() { c <- deep(1000 * i) }()
	}
	for range 10 {
		<-c
	}
}

// outside is what the kernel says of the process: threads, descriptors, resident megabytes.
func outside() (threads, fds, mb int) {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "Threads:"); ok {
			fmt.Sscan(rest, &threads)
		}
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			fmt.Sscan(rest, &mb)
			mb >>= 10
		}
	}
	names, _ := os.ReadDir("/proc/self/fd")
	return threads, len(names), mb
}

func main() {
	minutes := 10.0
	if len(os.Args) > 1 {
		minutes, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	total := time.Duration(minutes * float64(time.Minute))
	if len(os.Args) > 2 {
		chosen := kinds[:0]
		for _, k := range kinds {
			for _, name := range os.Args[2:] {
				if k.name == name {
					chosen = append(chosen, k)
				}
			}
		}
		kinds = chosen
	}
	var workers sync.WaitGroup
	for _, k := range kinds {
		for range 2 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				for !stop.Load() {
					k.work()
					k.done.Add(1)
				}
			}()
		}
	}
	go func() {
		for i := 0; !stop.Load(); i++ {
			runtime.GOMAXPROCS(1 + i%8)
			time.Sleep(time.Second)
		}
	}()
	type sample struct{ threads, fds, mb int }
	var samples []sample
	last := make([]int64, len(kinds))
	failed := false
	begin := time.Now()
	for time.Since(begin) < total {
		time.Sleep(min(10*time.Second, total))
		threads, fds, mb := outside()
		samples = append(samples, sample{threads, fds, mb})
		fmt.Printf("%4.0fs threads=%d fds=%d rss=%dMB goroutines=%d", time.Since(begin).Seconds(), threads, fds, mb, runtime.NumGoroutine())
		for i, k := range kinds {
			n := k.done.Load()
			fmt.Printf(" %s=%d", k.name, n-last[i])
			if n == last[i] {
				fmt.Printf("(STANDS STILL)")
				failed = true
			}
			last[i] = n
		}
		fmt.Println()
	}
	stop.Store(true)
	workers.Wait()
	// The second half against the first, without the start.
	if n := len(samples); n >= 6 {
		var a, b sample
		for i, s := range samples[1:] {
			to := &a
			if i >= (n-1)/2 {
				to = &b
			}
			to.threads, to.fds, to.mb = max(to.threads, s.threads), max(to.fds, s.fds), max(to.mb, s.mb)
		}
		fmt.Println("most in the first half:", a, "in the second:", b)
		failed = failed || b.threads > a.threads+4 || b.fds > a.fds+8 || b.mb > a.mb+a.mb/4+16
	}
	if failed {
		fmt.Println("FAILED")
		os.Exit(1)
	}
	fmt.Println("steady")
}

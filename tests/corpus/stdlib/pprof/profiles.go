// run
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
)

// fails is written to in vain.
type fails struct{}

func (fails) Write([]byte) (int, error) { return 0, errors.New("no room") }

func panics(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

// text is a profile as text, addresses and lines left out.
func text(name string, debug int) string {
	var b bytes.Buffer
	if err := pprof.Lookup(name).WriteTo(&b, debug); err != nil {
		fmt.Println(err)
	}
	return regexp.MustCompile(`0x[0-9a-f]+`).ReplaceAllString(b.String(), "0x")
}

func wait(c chan int) { <-c }

//go:noinline
func add(p *pprof.Profile, value any) { p.Add(value, 0) }

func main() {
	for _, p := range pprof.Profiles() {
		fmt.Print(p.Name(), " ")
	}
	fmt.Println(pprof.Lookup("none") == nil)

	// Of goroutines: equal stacks are counted.
	c := make(chan int)
	for range 3 {
		go wait(c)
	}
	for strings.Count(text("goroutine", 2), "[chan receive") < 3 {
		runtime.Gosched()
	}
	all := text("goroutine", 1)
	fmt.Println(strings.HasPrefix(all, "goroutine profile: total 4\n3 @ 0x"), strings.Count(all, "main.wait+0x\t"))
	fmt.Println(pprof.Lookup("goroutine").Count())
	stacks := text("goroutine", 2)
	fmt.Println(strings.Count(stacks, "[chan receive]:\nmain.wait("), strings.Contains(stacks, "goroutine 1 [running]:"))
	records := make([]runtime.StackRecord, 2)
	fmt.Println(runtime.GoroutineProfile(records))
	records = make([]runtime.StackRecord, 10)
	n, ok := runtime.GoroutineProfile(records)
	fmt.Println(n, ok, len(records[0].Stack()) > 0)
	for range 3 {
		c <- 1
	}

	// Those of the program.
	own := pprof.NewProfile("own")
	add(own, "a")
	add(own, "b")
	fmt.Println(own.Count(), own.Name(), pprof.Lookup("own") == own)
	panics(func() { own.Add("a", 0) })
	own.Remove("b")
	own.Remove("unknown")
	fmt.Println(own.Count(), strings.Count(text("own", 1), "main.add+0x"), strings.HasPrefix(text("own", 1), "own profile: total 1\n1 @ 0x"))
	panics(func() { pprof.NewProfile("own") })
	panics(func() { pprof.NewProfile("heap") })
	panics(func() { pprof.NewProfile("") })
	panics(func() { pprof.Lookup("heap").Add(1, 0) })
	panics(func() { new(pprof.Profile).Add(1, 0) })
	panics(func() { new(pprof.Profile).WriteTo(os.Stdout, 0) })

	// All of them are compressed, but as text.
	for _, p := range pprof.Profiles() {
		var b bytes.Buffer
		if err := p.WriteTo(&b, 0); err != nil {
			fmt.Println(p.Name(), err)
		}
		z, err := gzip.NewReader(&b)
		if err != nil {
			fmt.Println(p.Name(), err)
			continue
		}
		data, err := io.ReadAll(z)
		fmt.Println(p.Name(), len(data) > 20, err, p.WriteTo(fails{}, 0), p.WriteTo(fails{}, 1))
	}
	head, _, _ := strings.Cut(text("heap", 1), " profile: ")
	fmt.Println(head, strings.Contains(text("allocs", 1), "\n# runtime.MemStats\n# Alloc = "))
	fmt.Println(pprof.WriteHeapProfile(io.Discard), pprof.WriteHeapProfile(fails{}))

	// Of time: one at a time.
	fmt.Println(pprof.StartCPUProfile(io.Discard), pprof.StartCPUProfile(io.Discard))
	pprof.StopCPUProfile()
	pprof.StopCPUProfile()
	panics(func() { runtime.CPUProfile() })

	// Waits are booked while that is wanted.
	fmt.Println(runtime.SetMutexProfileFraction(5), runtime.SetMutexProfileFraction(-1), runtime.SetMutexProfileFraction(1))
	runtime.SetBlockProfileRate(1)
	var mu sync.Mutex
	mu.Lock()
	go func() {
		for strings.Count(text("goroutine", 1), "sync.(*Mutex).Lock") == 0 {
			runtime.Gosched()
		}
		mu.Unlock()
	}()
	mu.Lock()
	runtime.SetBlockProfileRate(0)
	fmt.Println(runtime.SetMutexProfileFraction(0))
	fmt.Println(strings.Contains(text("block", 1), "sync.(*Mutex).Lock+0x"), strings.Contains(text("mutex", 1), "sync.(*Mutex).Unlock+0x"))
	n, ok = runtime.MutexProfile(nil)
	fmt.Println(n > 0, ok, strings.HasPrefix(text("block", 1), "--- contention:\ncycles/second="))
}

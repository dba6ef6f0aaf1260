// run

// Measures by package testing and runtime inside a program: allocations, benchmarks, stacks, finalizers.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

type point struct{ x, y int }

var sink any

func callers() (names []string) {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		names = append(names, f.Function[strings.LastIndexByte(f.Function, '.')+1:])
		if !more || f.Function == "main.main" {
			return names
		}
	}
}

func outer() []string { return inner(3) }
func inner(n int) []string {
	if n > 0 {
		return inner(n - 1)
	}
	return callers()
}

type resource struct {
	name string
	pad  [100]int
}

func collect(f func() bool) bool {
	for range 200 {
		runtime.GC()
		if f() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

func finalizers() {
	var mu sync.Mutex
	var gone []string
	note := func(s string) {
		mu.Lock()
		defer mu.Unlock()
		gone = append(gone, s)
	}
	func() {
		a := &resource{name: "a"}
		runtime.SetFinalizer(a, func(r *resource) { note("finalized " + r.name) })
		b := &resource{name: "b"}
		runtime.AddCleanup(b, note, "cleaned b")
		c := &resource{name: "c"}
		runtime.SetFinalizer(c, func(r *resource) { note("never") })
		runtime.SetFinalizer(c, nil)
	}()
	ok := collect(func() bool { mu.Lock(); defer mu.Unlock(); return len(gone) == 2 })
	slices.Sort(gone)
	fmt.Println(ok, gone)
}

func recovered(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if re, ok := p.(runtime.Error); ok {
				err = fmt.Errorf("runtime: %w", re)
				return
			}
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	f()
	return nil
}

func main() {
	fmt.Println(outer())
	fmt.Println(testing.AllocsPerRun(100, func() { _ = len("x") }))
	fmt.Println(testing.AllocsPerRun(100, func() { sink = new(point) }) >= 1)
	r := testing.Benchmark(func(b *testing.B) {
		var buf bytes.Buffer
		b.ReportAllocs()
		b.SetBytes(10)
		for b.Loop() {
			buf.Reset()
			buf.WriteString("0123456789")
		}
	})
	fmt.Println(r.N > 100, r.T > 0, r.NsPerOp() < 1e6, strings.Contains(r.String(), "MB/s"),
		strings.Contains(r.MemString(), "allocs/op"))
	fmt.Println(testing.Testing(), testing.Short == nil)
	finalizers()

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	keep := make([][]byte, 100)
	for i := range keep {
		keep[i] = make([]byte, 100_000)
	}
	runtime.ReadMemStats(&after)
	fmt.Println(after.TotalAlloc-before.TotalAlloc >= 10_000_000, after.Mallocs > before.Mallocs,
		len(keep))
	old := debug.SetGCPercent(50)
	fmt.Println(old, debug.SetGCPercent(old))
	stack := string(debug.Stack())
	fmt.Println(strings.HasPrefix(stack, "goroutine 1 [running]:"), strings.Contains(stack,
		"main.main()"))

	var m map[string]int
	var p *point
	var s []int
	var i any = "text"
	zero, idx := 0, 5
	for _, f := range []func(){
		func() { m["x"] = 1 }, func() { fmt.Println(p.x) }, func() { s[idx] = 1 },
		func() { fmt.Println(1 / zero) },
		func() { fmt.Println(i.(int)) }, func() { fmt.Println(i.(fmt.Stringer)) },
		func() { _ = s[idx:] }, func() { _ = make([]int, zero-1) },
		func() { _ = [3]int(s) }, func() { close((chan int)(nil)) },
		func() { c := make(chan int); close(c); close(c) },
		func() { panic(fmt.Errorf("wrapped: %w", os.ErrNotExist)) }, func() { panic(nil) },
		func() { var f func(); f() },
		func() { _ = map[any]int{[]int{}: 1} }, func() { fmt.Println(any(s) == any(s)) }, func() {},
	} {
		err := recovered(f)
		var re runtime.Error
		fmt.Println(err, errors.As(err, &re))
	}
	fmt.Println(runtime.GOOS, runtime.GOARCH, strings.HasPrefix(runtime.Version(), "go1."),
		runtime.NumCPU() > 0, runtime.NumGoroutine())
	done := make(chan string)
	go func() {
		defer close(done)
		defer func() { done <- "deferred" }()
		runtime.Goexit()
	}()
	fmt.Println(<-done)
	_, open := <-done
	fmt.Println(open)
	_, file, line, ok := runtime.Caller(0)
	fmt.Println(file[strings.LastIndexByte(file, '/')+1:], line, ok)
	timer := time.AfterFunc(time.Hour, func() {})
	fmt.Println(timer.Stop(), timer.Stop())
}

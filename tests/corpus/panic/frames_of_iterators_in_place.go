// run exit=2
// Frames of loops over functions that are compiled in place are told as Go tells them.
package main

import (
	"fmt"
	"runtime"
)

func where() {
	var pcs [20]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function == "runtime.main" || f.Function == "runtime.goexit" {
			break
		}
		fmt.Print(f.Function, ":", f.Line, " ")
		if !more {
			break
		}
	}
	fmt.Println()
}

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

//go:noinline
func run(f func()) { f() }

func main() {
	for x := range count(1) {
		_ = x
		where()
		func() { where() }()
		f := func() { where() }
		run(f)
		for range count(1) {
			where()
			run(func() { where() })
		}
	}
	run(func() { where() })
	for i := range func(yield func(int) bool) {
		where()
		yield(3)
		where()
	} {
		fmt.Print(i, " ")
		where()
	}
	xs := []int{1}
	for i := range count(2) {
		fmt.Println(xs[i]) // the panic is here
	}
}

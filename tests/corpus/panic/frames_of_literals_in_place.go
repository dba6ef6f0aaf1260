// run exit=2
// Frames of function literals that are compiled in place are told as Go tells them.
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

func apply(f func()) { f() }

//go:noinline
func run(f func()) { f() }

func made(s string) func() {
	return func() { fmt.Print(s, ": "); where() }
}

type T struct{ k int }

func (t T) method() func() {
	return func() { where() }
}

func generic[E any](e E) func() {
	return func() { where(); _ = e }
}

func main() {
	own := func() { where() }
	own()
	run(own)
	apply(own)
	made("called")()
	m := made("named")
	m()
	run(m)
	apply(m)
	apply(func() { apply(func() { where() }) })
	apply(func() { run(made("inside")) })
	T{}.method()()
	run(T{}.method())
	generic(3)()
	run(generic("a"))
	func() { where() }()
	h := func() func() { return func() { where() } }
	h()()
	k := h()
	k()
	run(k)
	xs := []int{1}
	at := func(i int) int {
		return xs[i] // the panic is here
	}
	twice := func(f func(int) int) int { return f(0) + f(1) }
	fmt.Println(twice(at))
}

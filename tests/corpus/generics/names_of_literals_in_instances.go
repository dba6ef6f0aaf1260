// run

// The function literals of a generic function are numbered in each of its instances alike.
package main

import (
	"fmt"
	"runtime"
)

//go:noinline
func name() string {
	pc, _, _, _ := runtime.Caller(1)
	return runtime.FuncForPC(pc).Name()
}

//go:noinline
func call(f func() string) string { return f() }

func two[A any](A) (string, string) {
	return call(func() string { return name() }), call(func() string {
		return call(func() string { return name() })
	})
}

func deferring[A any](A) (s string) {
	defer func() { s += name() }()
	defer func() { s += call(func() string { return name() }) + " " }()
	return
}

func starting[A any](A) string {
	names := make(chan string)
	go func() { names <- name() }()
	return <-names
}

type list[A any] struct{ all []A }

//go:noinline
func (l list[A]) each(yield func(A) bool) {
	for _, a := range l.all {
		if !yield(a) {
			return
		}
	}
}

func (l list[A]) ranged() (s string) {
	for range l.each {
		s += name() + " " + call(func() string { return name() })
	}
	return s
}

func instance[A any](a A) {
	fmt.Println(two(a))
	fmt.Println(deferring(a))
	fmt.Println(starting(a))
	fmt.Println(list[A]{[]A{a}}.ranged())
}

func main() {
	instance(1)
	instance("")
	instance(struct{ x int }{1})
}

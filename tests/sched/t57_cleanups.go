// run

// Cleanups run once their object is dead, unless they are stopped; a finalizer comes first.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"time"
)

type object struct {
	n    int
	next *object
}

func collect(c chan string, n int) (got []string) {
	timeout := time.After(20 * time.Second)
	for len(got) < n {
		runtime.GC()
		select {
		case s := <-c:
			got = append(got, s)
		case <-time.After(5 * time.Millisecond):
		case <-timeout:
			return append(got, "timeout")
		}
	}
	sort.Strings(got)
	return got
}

//go:noinline
func attach(c chan string) {
	a, b, stopped := &object{n: 1}, &object{n: 2}, &object{n: 3}
	runtime.AddCleanup(a, func(s string) { c <- s }, "a")
	runtime.AddCleanup(a, func(n int) { c <- fmt.Sprint("a again ", n) }, 7)
	runtime.AddCleanup(&b.next, func(p *object) { c <- fmt.Sprint("b ", p.n) }, &object{n: 22})
	runtime.AddCleanup(stopped, func(s string) { c <- s }, "stopped").Stop()
	runtime.AddCleanup(stopped, func(s struct{ x, y string }) { c <- s.x + s.y }, struct{ x, y string }{"third", "!"})
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

var global object

func main() {
	c := make(chan string, 10)
	attach(c)
	fmt.Println(collect(c, 4))

	// What is alive has no cleanup; what is global never.
	kept := &object{n: 4}
	runtime.AddCleanup(kept, func(int) { c <- "kept" }, 0)
	runtime.AddCleanup(&global, func(int) { c <- "global" }, 0).Stop()
	for range 3 {
		runtime.GC()
	}
	time.Sleep(20 * time.Millisecond)
	fmt.Println(len(c), kept.n)

	try(func() { runtime.AddCleanup((*object)(nil), func(int) {}, 0) })
	try(func() { p := new(object); runtime.AddCleanup(p, func(*object) {}, p) })
	try(func() { p := new([100]int); runtime.AddCleanup(p, func(*int) {}, &p[5]) })
	try(func() {
		p := &object{n: 9}
		runtime.AddCleanup(p, func(int) { fmt.Println(p.n) }, 0)
	})
}

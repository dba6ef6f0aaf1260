// run

package main

import (
	"fmt"
	"runtime"
	"time"
)

type node struct {
	name string
	next *node
}

func (n *node) String() string { return "node " + n.name }

var done = make(chan string, 100)

// next collects until something has been finalized.
func next() string {
	for i := 0; i < 200; i++ {
		runtime.GC()
		select {
		case s := <-done:
			return s
		case <-time.After(5 * time.Millisecond):
		}
	}
	return "nothing"
}

//go:noinline
func chain() {
	a := &node{"a", &node{"b", &node{name: "c"}}}
	for n := a; n != nil; n = n.next {
		runtime.SetFinalizer(n, func(n *node) { done <- n.name })
	}
}

//go:noinline
func interfaces() {
	a, b := &node{name: "as any"}, &node{name: "as Stringer"}
	runtime.SetFinalizer(a, func(v any) { done <- v.(*node).name })
	runtime.SetFinalizer(b, func(v fmt.Stringer) int { done <- v.String(); return 1 })
}

//go:noinline
func revived() {
	a := &node{name: "twice"}
	runtime.SetFinalizer(a, func(n *node) {
		done <- "once"
		runtime.SetFinalizer(n, func(n *node) { done <- n.name })
	})
}

//go:noinline
func cleared() {
	a := &node{name: "never"}
	runtime.SetFinalizer(a, func(n *node) { done <- n.name })
	runtime.SetFinalizer(a, nil)
	b := &node{name: "after it"}
	runtime.SetFinalizer(b, func(n *node) { done <- n.name })
}

//go:noinline
func cleanups() {
	a := &node{name: "x"}
	runtime.AddCleanup(a, func(s string) { done <- s }, "cleaned up")
	b := &node{name: "y"}
	c := runtime.AddCleanup(b, func(n int) { done <- fmt.Sprint(n) }, 1)
	c.Stop()
	runtime.KeepAlive(b)
}

//go:noinline
func tiny() {
	for i := int32(0); i < 40; i++ {
		x := new(int32)
		*x = i
		runtime.SetFinalizer(x, func(p *int32) {
			if *p < 40 {
				done <- "tiny"
			}
		})
	}
}

func main() {
	chain()
	fmt.Println(next(), next(), next())
	interfaces()
	x, y := next(), next()
	if x > y {
		x, y = y, x
	}
	fmt.Println(x, y)
	revived()
	fmt.Println(next(), next())
	cleared()
	fmt.Println(next())
	cleanups()
	fmt.Println(next())
	tiny()
	for i := 0; i < 30; i++ {
		if s := next(); s != "tiny" {
			fmt.Println(s)
		}
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		a := &node{}
		runtime.AddCleanup(a, func(n *node) {}, a)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		a := &node{}
		runtime.AddCleanup(a, func(int) { fmt.Println(a.name) }, 1)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		runtime.AddCleanup((*node)(nil), func(int) {}, 1)
	}()
}

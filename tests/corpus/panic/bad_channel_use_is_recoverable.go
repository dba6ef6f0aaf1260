// run
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func try(name string, f func()) {
	defer func() {
		r := recover()
		err, isError := r.(error)
		_, isRuntime := r.(runtime.Error)
		fmt.Println(name, "|", r, "|", isError, isRuntime)
		if isError {
			fmt.Println(err.Error())
		}
	}()
	f()
}

func main() {
	try("close nil", func() { var c chan int; close(c) })
	try("close twice", func() { c := make(chan int); close(c); close(c) })
	try("send closed", func() { c := make(chan int); close(c); c <- 1 })
	try("send closed buffered", func() { c := make(chan int, 3); c <- 1; close(c); c <- 1 })
	try("select closed", func() {
		c := make(chan int)
		close(c)
		select {
		case c <- 1:
		default:
		}
	})
	try("makechan", func() { n := -1; _ = make(chan int, n) })
	try("makechan huge", func() { n := 1 << 60; _ = make(chan int, n) })
	try("makechan huge element", func() { n := 1 << 40; _ = make(chan [8192]byte, n) })
	try("negative waitgroup", func() { var wg sync.WaitGroup; wg.Add(-1) })
	try("cond copied", func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		c.Signal()
		d := *c
		d.Signal()
	})
	try("once panics once", func() {
		var o sync.Once
		try("inner", func() { o.Do(func() { panic("first") }) })
		o.Do(func() { panic("second") })
		fmt.Println("not again")
	})
	c := make(chan int, 3)
	c <- 7
	close(c)
	v, ok := <-c
	fmt.Println(v, ok)
	v, ok = <-c
	fmt.Println(v, ok)
	var none chan int
	fmt.Println(len(none), cap(none), len(c), cap(c))
}

// run

// What runtime.Callers shows between a panic and the select whose sending case has met a closed channel: of one case, with or without a
// default, the compiler makes the operation itself.
package main

import (
	"fmt"
	"runtime"
)

func try(what string, f func()) {
	defer func() {
		fmt.Println(what, recover())
		pcs := make([]uintptr, 10)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for {
			frame, more := frames.Next()
			if !more || frame.Function == "main.try" {
				return
			}
			fmt.Println("\t", frame.Function, frame.Line)
		}
	}()
	f()
}

func main() {
	closed, open := make(chan int), make(chan int)
	none := make(chan struct{})
	close(closed)
	close(none)
	try("one", func() {
		select {
		case closed <- 1:
		}
	})
	try("one or default", func() {
		select {
		case closed <- 1:
		default:
			fmt.Println("unreached")
		}
	})
	try("default first", func() {
		select {
		default:
		case
			none <- struct{}{}:
		}
	})
	try("two", func() {
		select {
		case closed <- 1:
		case <-open:
		}
	})
	try("two or default", func() {
		select {
		case closed <- 1:
		case <-open:
		default:
		}
	})
	try("received by one or default", func() {
		var p *int
		select {
		case *p = <-closed:
		default:
		}
	})
}

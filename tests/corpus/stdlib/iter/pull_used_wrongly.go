// run

package main

import (
	"fmt"
	"iter"
	"runtime"
)

func try(what string, f func()) {
	defer func() { fmt.Println(what, "recovered:", recover()) }()
	f()
}

func main() {
	var slot func(int) bool
	seq := func(yield func(int) bool) { slot = yield; yield(5) }
	next, stop := iter.Pull(seq)
	fmt.Println(next())
	try("again", func() { slot(6) })
	fmt.Println(next())
	try("after end", func() { fmt.Println(slot(7)) })
	stop()
	try("after stop", func() { fmt.Println(slot(7)) })
	fmt.Println(next())

	var next2 func() (int, bool)
	next2, stop2 := iter.Pull(func(yield func(int) bool) { yield(1); next2() })
	fmt.Println(next2())
	try("next within", func() { next2() })
	fmt.Println(next2())
	stop2()

	var slot2 func(int, string) bool
	n3, s3 := iter.Pull2(func(yield func(int, string) bool) { slot2 = yield; yield(5, "x") })
	fmt.Println(n3())
	try("again2", func() { slot2(6, "y") })
	s3()
	try("stopped2", func() { fmt.Println(slot2(6, "y")) })
	fmt.Println(n3())

	var n4 func() (int, string, bool)
	n4, s4 := iter.Pull2(func(yield func(int, string) bool) { n4() })
	try("next2 within", func() { n4() })
	s4()

	_, s5 := iter.Pull(func(yield func(int) bool) { panic("never begun") })
	s5()
	n6, s6 := iter.Pull(func(yield func(int) bool) { defer panic("in stop"); yield(1) })
	n6()
	try("panic in stop", s6)
	s6()
	fmt.Println(n6())
	n7, s7 := iter.Pull(func(yield func(int) bool) { fmt.Println(yield(1)); fmt.Println(yield(2)) })
	n7()
	s7()
	done := make(chan bool)
	n8, _ := iter.Pull(func(yield func(int) bool) { runtime.Goexit() })
	go func() {
		defer close(done)
		defer fmt.Println("leaving")
		n8()
		fmt.Println("not reached")
	}()
	<-done
	fmt.Println(n8())
}

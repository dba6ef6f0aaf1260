// run
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

func try(name string, f func()) {
	defer func() {
		r := recover()
		if e, ok := r.(runtime.Error); ok {
			fmt.Println(name, "runtime error:", e.Error())
		} else {
			fmt.Printf("%s %T %v\n", name, r, r)
		}
	}()
	f()
}

type T struct{ x int }

func (t *T) get() int { return t.x }

func named() (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
			n *= 2
		}
	}()
	n = 21
	panic("boom")
}

func helper() interface{} { return recover() }

func nestedRecover() (s string) {
	defer func() {
		s = fmt.Sprint("outer ", recover())
	}()
	defer func() {
		func() {
			fmt.Println("inner", recover())
		}()
	}()
	panic(1)
}

func repanic() {
	defer func() {
		fmt.Println("second", recover())
	}()
	defer func() {
		fmt.Println("first", recover())
		panic("again")
	}()
	panic("one")
}

func order() {
	for i := 0; i < 3; i++ {
		defer fmt.Print("d", i, " ")
	}
	defer func() {
		defer fmt.Print("nested ")
		fmt.Print("body ")
	}()
}

type closer struct{ name string }

func (c closer) Close() { fmt.Println("close", c.name) }

func main() {
	var p *T
	var m map[string]int
	var s []int
	var i interface{} = "str"
	var e error
	var fn func()
	zero := 0
	arr := [3]int{}
	n := 5
	ch := make(chan int)
	close(ch)
	try("nil deref", func() { p.get() })
	try("nil map", func() { m["a"] = 1 })
	try("index", func() { _ = s[n] })
	try("array", func() { _ = arr[n] })
	try("string", func() { _ = "abc"[n] })
	try("slice", func() { _ = arr[n:] })
	try("slice2", func() { _ = s[3:n] })
	try("slice3", func() { n := 2; _ = arr[3:n] })
	try("slice4", func() { _ = arr[0:2:n] })
	try("strslice", func() { _ = "abc"[n:] })
	try("neg", func() { n := -1; _ = arr[n] })
	try("div", func() { _ = 1 / zero })
	try("mod", func() { _ = 1 % zero })
	try("assert", func() { _ = i.(int) })
	try("assert2", func() { _ = i.(fmt.Stringer) })
	try("assert3", func() { i = nil; _ = i.(int) })
	try("nilerr", func() { _ = e.Error() })
	try("nilfunc", func() { fn() })
	try("closeclosed", func() { close(ch) })
	try("sendclosed", func() { ch <- 1 })
	try("closenil", func() { var c chan int; close(c) })
	try("makeslice", func() { n := -1; _ = make([]int, n) })
	try("makechan", func() { n := -1; _ = make(chan int, n) })
	try("conv", func() { _ = [4]int(make([]int, 2)) })
	try("custom", func() { panic(errors.New("custom")) })
	try("nilpanic", func() { panic(nil) })
	try("unhashable", func() { _ = map[interface{}]int{[]int{1}: 2} })
	try("uncomparable", func() { var a, b interface{} = []int{1}, []int{1}; _ = a == b })
	try("shift", func() { n := -1; _ = 1 << n })
	try("ok", func() {})
	fmt.Println(named())
	fmt.Println(nestedRecover())
	repanic()
	order()
	fmt.Println()
	fmt.Println(helper())
	func() {
		defer helper()
		defer func() { fmt.Println("direct", recover()) }()
		panic("x")
	}()
	func() {
		for _, n := range []string{"a", "b"} {
			c := closer{n}
			defer c.Close()
		}
	}()
	done := make(chan bool)
	go func() {
		defer close(done)
		defer fmt.Println("goexit defer", recover())
		runtime.Goexit()
		fmt.Println("unreachable")
	}()
	<-done
	func() {
		defer func() { fmt.Println(recover()) }()
		defer panic("from defer")
		panic("original")
	}()
	defer os.Exit(0)
	defer fmt.Println("last words")
}

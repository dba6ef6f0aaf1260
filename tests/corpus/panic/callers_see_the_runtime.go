// run

package main

import (
	"fmt"
	"runtime"
	"strings"
)

func show(what string) {
	pcs := make([]uintptr, 50)
	n := runtime.Callers(0, pcs)
	fmt.Println(what)
	fr := runtime.CallersFrames(pcs[:n])
	for {
		f, more := fr.Next()
		file := f.File[strings.LastIndex(f.File, "/")+1:]
		if strings.HasPrefix(f.Function, "runtime.") {
			file = ""
		}
		fmt.Printf("  %s %s", f.Function, file)
		if file != "" {
			fmt.Printf(":%d", f.Line)
		}
		fmt.Println()
		if !more {
			break
		}
	}
	for i := 0; ; i++ {
		pc, file, line, ok := runtime.Caller(i)
		if !ok {
			break
		}
		name := runtime.FuncForPC(pc).Name()
		if strings.HasPrefix(name, "runtime.") {
			fmt.Println("  ", i, name)
			continue
		}
		fmt.Println("  ", i, name, file[strings.LastIndex(file, "/")+1:], line)
	}
}

type T struct{ a, b int }

func try(what string, f func()) {
	defer func() {
		recover()
	}()
	defer func() {
		show(what)
	}()
	f()
}

type I interface{ M() }
type V struct{}

func (V) M() { panic("in M") }

//go:noinline
func div(a, b int) int { return a / b }

var arr []int
var zero int
var np *T
var e any
var mp map[string]int
var c chan int

func main() {
	try("panic", func() { panic("x") })
	try("nil", func() { _ = np.b; fmt.Print(np.b) })
	try("div", func() { div(1, zero) })
	try("index", func() { _ = arr[zero+5] })
	try("slice", func() { _ = arr[zero+5:] })
	try("assert", func() { _ = e.(int) })
	try("asserti", func() { _ = e.(I) })
	e = "s"
	try("assert2", func() { _ = e.(int) })
	try("asserti2", func() { _ = e.(I) })
	try("map", func() { mp["a"] = 1 })
	try("close", func() { close(c) })
	try("makeslice", func() { _ = make([]int, zero-1) })
	try("shift", func() { _ = 1 << (zero - 1) })
	try("goexit", func() {})
	try("nilfunc", func() { var f func(); f() })
	try("hash", func() { m := map[any]int{}; m[[]int{}] = 1 })
	try("cmp", func() { var a, b any = []int{}, []int{}; fmt.Println(a == b) })
	try("conv", func() { _ = [4]int(arr) })
	try("ifacem", func() { var i I = V{}; i.M() })
	try("nested", func() {
		defer func() { panic("two") }()
		panic("one")
	})
	try("panicnil", func() { panic(nil) })
	try("nilif", func() { var i I; i.M() })
	try("send", func() { c := make(chan int); close(c); c <- 1 })
	done := make(chan bool)
	go func() {
		defer close(done)
		defer show("goexit2")
		runtime.Goexit()
	}()
	<-done
	defer show("plain")
}

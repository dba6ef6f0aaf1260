// run exit=2 each=function,closure,method,result,interface
package main

import (
	"os"
	"runtime/debug"
)

type large [1000]int64

func function(a large) int64 { return function(a) + a[3] }

func (a large) method(n int) int64 { return a.method(n+1) + a[n%1000] }

func result(n int) (a large) {
	a[n%1000] = 1
	b := result(n + 1)
	a[0] += b[1]
	return a
}

type caller interface{ call(a large) int64 }

type one struct{ next caller }

func (o *one) call(a large) int64 { return o.next.call(a) + a[1] }

func main() {
	debug.SetMaxStack(64 << 20)
	switch os.Args[1] {
	case "function":
		println(function(large{}))
	case "closure":
		var f func(a large) int64
		f = func(a large) int64 { return f(a) + a[1] }
		println(f(large{}))
	case "method":
		println(large{}.method(0))
	case "result":
		a := result(0)
		println(a[0])
	case "interface":
		o := &one{}
		o.next = o
		println(o.call(large{}))
	}
}

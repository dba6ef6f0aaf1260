// run
package main

import (
	"fmt"
	"runtime"
)

type node struct {
	pad  [100]int
	next *node
	f    func()
	m    map[string]int
	big  [1 << 16]int
}

func try(name string, f func()) {
	defer func() {
		r := recover()
		_, isRuntime := r.(runtime.Error)
		fmt.Println(name, "|", r, "|", isRuntime)
	}()
	f()
}

type i interface{ M() }

func (n *node) P() int { return n.pad[3] }
func (n node) V() int  { return n.pad[3] }

func main() {
	var n *node
	var e i
	var f func()
	try("field", func() { fmt.Println(n.next) })
	try("set", func() { n.next = nil })
	try("far field", func() { fmt.Println(n.big[1<<15]) })
	try("method", func() { n.P() })
	try("value method", func() { n.V() })
	try("interface", func() { e.M() })
	try("func", func() { f() })
	try("copy", func() { m := *n; _ = m.next })
	try("array", func() { var a *[10]int; fmt.Println(a[3]) })
	try("range array", func() {
		var a *[3]int
		for i := range a {
			fmt.Print(i, " ")
		}
		for i, v := range a {
			fmt.Println(i, v)
		}
	})
	try("slice of nil array", func() { var a *[3]int; fmt.Println(a[:] == nil) })
	try("method value", func() { g := e.M; g() })
	try("deferred nil", func() { defer f(); fmt.Println("reached") })
}

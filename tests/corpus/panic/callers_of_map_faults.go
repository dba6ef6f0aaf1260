// run

// What runtime.Callers shows between a panic and the statement that has looked up a key which has no hash.
package main

import (
	"fmt"
	"runtime"
)

func try(what string, f func()) {
	defer func() {
		fmt.Println(what, recover() != nil)
		pcs := make([]uintptr, 20)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for f, more := frames.Next(); more && f.Function != "main.try"; f, more = frames.Next() {
			fmt.Println("  ", f.Function)
		}
	}()
	f()
}

func main() {
	var bad any = []int{1}
	m := map[any]int{1: 1}
	try("delete", func() { delete(m, bad) })
	try("get", func() { _ = m[bad] })
	try("find", func() { _, _ = m[bad] })
	try("set", func() { m[bad] = 1 })
}

// run
package main

import (
	"fmt"
	"runtime"
)

type wide struct {
	name string
	rest [600]int64
	any  any
}

// try runs f and tells the runtime error that it panics with.
func try(f func()) {
	defer func() {
		err, ok := recover().(runtime.Error)
		fmt.Println(err, ok)
	}()
	f()
}

func with(m map[any]int, key any) {
	try(func() { m[key] = 1 })
	try(func() { _ = m[key] })
	try(func() { _, _ = m[key] })
	try(func() { m[key]++ })
	try(func() { delete(m, key) })
}

// Where there is nothing to be found Go does not hash the key, and words it otherwise.
func main() {
	key := struct{ f func() }{}
	fmt.Println("nil")
	with(nil, key)
	fmt.Println("empty")
	with(map[any]int{}, key)
	fmt.Println("with an entry")
	with(map[any]int{1: 2}, [2]any{3, map[int]int{}})
	m := map[wide]int{}
	try(func() { _ = m[wide{any: []int{}}] })
	m[wide{}] = 1
	try(func() { _ = m[wide{any: []int{}}] })
	delete(m, wide{})
	try(func() { delete(m, wide{any: []int{}}) })
}

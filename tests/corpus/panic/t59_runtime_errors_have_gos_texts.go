// run
package main

import (
	"fmt"
	"runtime"
)

type pair struct{ a, b int }

// try prints what f panics with, and whether that is a runtime.Error.
func try(f func()) {
	defer func() {
		r := recover()
		_, ok := r.(runtime.Error)
		fmt.Println(r, ok)
	}()
	f()
}

func main() {
	s, zero, big := []int{7}, 0, 5
	array := [4]int{}
	var nilMap map[string]int
	var nilChan chan int
	var nilPair *pair
	var word any = "text"
	var none any
	closed := make(chan int)
	close(closed)
	for _, f := range []func(){
		func() { _ = s[big] },
		func() { _ = array[big] },
		func() { _ = "text"[big-6] },
		func() { _ = s[:big] },
		func() { _ = make([]int, 1, 2)[:big] },
		func() { _ = make([]int, 1, 2)[big:] },
		func() { _ = make([]int, 8)[big : big-1] },
		func() { _ = make([]int, 1, 2)[:1:big] },
		func() { _ = "text"[big:] },
		func() { _ = [2]int(s[:1]) },
		func() { fmt.Println(1 / zero) },
		func() { fmt.Println(1 % zero) },
		func() { nilMap["a"] = 1 },
		func() { nilPair.b = 1 },
		func() { _ = word.(int) },
		func() { _ = none.(int) },
		func() { _ = word.(fmt.Stringer) },
		func() { _ = none.(fmt.Stringer) },
		func() { close(nilChan) },
		func() { close(closed) },
		func() { closed <- 1 },
		func() { _ = make(chan int, big-6) },
		func() { _ = make(chan pair, big<<57) },
		func() { _ = make([]int, big-6) },
		func() { _ = make([]int, 1, big<<60) },
		func() { _ = 1 << (big - 6) },
		func() { _ = map[any]int{any(s): 1} },
		func() { _ = any(s) == any(s) },
		func() { panic(nil) },
	} {
		try(f)
	}
}

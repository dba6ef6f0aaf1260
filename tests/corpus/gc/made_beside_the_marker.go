// run

// What is made while the marker works lives on, wherever it is put.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

type box struct {
	id, check int
	next      *box
}

func main() {
	const n = 100_000
	table := make([]*box, n)
	for i := range n {
		table[i] = &box{id: i, check: ^i}
	}
	var done atomic.Bool
	collected := make(chan int)
	go func() {
		for range 12 {
			runtime.GC()
		}
		done.Store(true)
		collected <- 1
	}()
	at := 0
	for !done.Load() {
		for range 1000 {
			x := table[at]
			table[at] = &box{id: x.id, check: x.check, next: &box{id: at, check: ^at}}
			if y := x.next; y != nil && y.check != ^y.id {
				fmt.Println("lost:", *y)
				return
			}
			at = (at + 1) % n
		}
	}
	<-collected
	sum := 0
	for _, x := range table {
		if x.check != ^x.id {
			fmt.Println("lost:", *x)
			return
		}
		sum += x.id
	}
	fmt.Println(sum == n*(n-1)/2)
}

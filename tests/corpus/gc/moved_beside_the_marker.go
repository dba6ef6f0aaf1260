// run

// Pointers are taken from where the marker has not looked and put where it has; nothing is lost.
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

var garbage *box

func main() {
	const n = 100_000
	table := make([]*box, 2*n)
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
	from, to := 0, n
	for !done.Load() {
		for range 1000 {
			x := table[from]
			table[from] = nil
			table[to] = x
			from, to = (from+1)%len(table), (to+1)%len(table)
			// What takes the place of something freed has other contents.
			garbage = &box{id: -1}
		}
	}
	<-collected
	sum := 0
	for _, x := range table {
		if x != nil {
			if x.check != ^x.id {
				fmt.Println("lost:", *x)
				return
			}
			sum += x.id
		}
	}
	fmt.Println(sum == n*(n-1)/2)
}

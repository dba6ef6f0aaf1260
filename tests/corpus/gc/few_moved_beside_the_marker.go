// run

// A few pointers are moved in the course of each mark, from anywhere to anywhere; nothing is lost.
package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

type box struct {
	id, check int
}

var garbage *box

func main() {
	const n = 300_000
	table := make([]*box, 2*n)
	for i := range n {
		table[2*i] = &box{i, ^i}
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
	r := rand.New(rand.NewPCG(1, 2))
	for !done.Load() {
		from, to := r.IntN(2*n), r.IntN(2*n)
		if table[from] == nil || table[to] != nil {
			continue
		}
		x := table[from]
		table[from] = nil
		table[to] = x
		for range 100 {
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

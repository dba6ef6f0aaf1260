// run

// Pointers are moved many at a time from where the marker has not looked to where it has; nothing is lost.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

type box struct {
	id, check int
}

var garbage *box

const block = 64

type row [block]*box

func main() {
	const n = 1600 * block
	table := make([]*box, 2*n)
	for i := range n {
		table[i] = &box{i, ^i}
	}
	rows := make([]row, 2*100)
	for i := range 100 {
		for k := range block {
			rows[i][k] = &box{k, ^k}
		}
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
	for i := 0; !done.Load(); i++ {
		// By copy and clear; and by assignments.
		var held row
		copy(held[:], table[from:from+block])
		clear(table[from : from+block])
		copy(table[to:], held[:])
		from, to = (from+block)%len(table), (to+block)%len(table)
		a, b := i%200, (i+100)%200
		rows[b], rows[a] = rows[a], row{}
		for range 2 * block {
			// What takes the place of something freed has other contents.
			garbage = &box{id: -1}
		}
	}
	<-collected
	sum, inRows := 0, 0
	for _, x := range table {
		if x != nil {
			if x.check != ^x.id {
				fmt.Println("lost:", *x)
				return
			}
			sum += x.id
		}
	}
	for _, r := range rows {
		for _, x := range r {
			if x != nil {
				if x.check != ^x.id {
					fmt.Println("lost from a row:", *x)
					return
				}
				inRows++
			}
		}
	}
	fmt.Println(sum == n*(n-1)/2, inRows)
}

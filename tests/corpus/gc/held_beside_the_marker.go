// run

// Goroutines that wait hold pointers, which they give away or put somewhere when they run, while the marker works.
package main

import (
	"fmt"
	"runtime"
)

type box struct {
	id, check int
	next      *box
}

var garbage *box

func newBox(i int) *box { return &box{id: i, check: ^i} }

// keeps holds a pointer until it is told to hand it on.
func keeps(i int, tell chan int, to []*box) {
	x := newBox(i)
	<-tell
	to[i] = x
	tell <- 1
}

func main() {
	const n = 2000
	// So that marking takes a while.
	var long *box
	for i := range 100_000 {
		long = &box{id: i, next: long}
	}
	for range 5 {
		tell := make([]chan int, n)
		got := make([]*box, n)
		c := make(chan *box)
		for i := range n {
			tell[i] = make(chan int)
			go keeps(i, tell[i], got)
			go func() { c <- newBox(n + i) }()
		}
		for range 10 {
			runtime.Gosched()
		}
		ended := make(chan int)
		go func() {
			runtime.GC()
			runtime.GC()
			close(ended)
		}()
		sent := make([]*box, 0, n)
		for i := range n {
			tell[i] <- 1
			<-tell[i]
			sent = append(sent, <-c)
			for range 20 {
				garbage = &box{id: -1}
			}
		}
		<-ended
		for range 100_000 {
			garbage = &box{id: -1}
		}
		sum := 0
		for _, list := range [][]*box{got, sent} {
			for _, x := range list {
				if x.check != ^x.id {
					fmt.Println("lost:", *x)
					return
				}
				sum += x.id
			}
		}
		if sum != n*(2*n-1) {
			fmt.Println("lost some:", sum)
			return
		}
	}
	fmt.Println(true, long.id)
}

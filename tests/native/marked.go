// Pointers are moved about by hot loops while the collector marks; each object must stay.
package main

import (
	"fmt"
	"os"
	"time"
)

type node struct {
	next *node
	n    int
}

var table [64]*node

//go:noinline
func turn(a, b *[64]*node, k int) {
	for i := range a {
		j := (i + k) & 63
		x := a[i]
		a[i] = b[j]
		b[j] = x
		if x.next != nil {
			x.next, x = x.next.next, x.next
			x.next = nil
			a[i].next = x
		} else {
			x.next = &node{n: x.n}
		}
	}
}

func main() {
	a, b := new([64]*node), new([64]*node)
	for i := range a {
		a[i], b[i] = &node{n: i}, &node{n: i + 64}
	}
	go func() {
		var garbage [][]*node
		for {
			garbage = append(garbage[len(garbage)/2:], make([]*node, 500))
		}
	}()
	end := time.Now().Add(2 * time.Second)
	for k := 0; time.Now().Before(end); k++ {
		for range 1000 {
			turn(a, b, k)
		}
		sum := 0
		for i := range a {
			sum += a[i].n + b[i].n
		}
		if sum != 127*64 {
			fmt.Println("lost", sum)
			os.Exit(1)
		}
	}
	fmt.Println("all is there")
}

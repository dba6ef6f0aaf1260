// run

// Large variables change while the marker looks at them piece by piece; nothing is lost.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

type box struct {
	next  *box
	value int
}

type pair struct {
	number int
	a, b   *box
}

var (
	boxes   [20_000]*box
	pairs   [5_000]pair
	texts   [8_000]string
	byName  = map[int]*box{}
	garbage *box
)

func main() {
	for i := range boxes {
		boxes[i] = &box{&box{nil, i}, i}
	}
	for i := range pairs {
		pairs[i] = pair{i, &box{nil, i}, &box{nil, -i}}
	}
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i)
		byName[i] = &box{nil, i}
	}
	var done atomic.Bool
	collected := make(chan int)
	go func() {
		for range 25 {
			runtime.GC()
		}
		done.Store(true)
		collected <- 1
	}()
	// What is held in one variable moves to another: from where the marker has not looked yet to
	// where it has, and back.
	for round := 0; !done.Load(); round++ {
		n := len(boxes)
		for i := range n / 2 {
			boxes[i], boxes[n-1-i] = boxes[n-1-i], boxes[i]
		}
		hand := boxes[round%n]
		boxes[round%n] = nil
		garbage = &box{garbage, round}
		if round%64 == 0 {
			garbage = nil
		}
		boxes[round%n] = hand
		n = len(pairs)
		for i := range n / 2 {
			pairs[i], pairs[n-1-i] = pairs[n-1-i], pairs[i]
			pairs[i].a, pairs[i].b = pairs[i].b, pairs[i].a
		}
		var some [1000]string
		copy(some[:], texts[:1000])
		copy(texts[:], texts[1000:])
		copy(texts[7000:], some[:])
	}
	<-collected
	sum, texted := 0, map[string]bool{}
	for _, b := range boxes {
		sum += b.value + b.next.value
	}
	fmt.Println("boxes", sum)
	sum = 0
	for _, p := range pairs {
		if p.a.value != -p.b.value {
			fmt.Println("lost", p.number)
		}
		sum += p.number
	}
	fmt.Println("pairs", sum)
	for _, t := range texts {
		texted[t] = true
	}
	for i := range texts {
		if !texted[fmt.Sprint("text ", i)] || byName[i].value != i {
			fmt.Println("lost text", i)
		}
	}
	fmt.Println("texts", len(texted))
}

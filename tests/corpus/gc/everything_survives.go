// run
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type node struct {
	left, right *node
	val         int
	s           string
	m           map[int]*node
	f           func() int
	i           interface{}
	c           chan *node
	sl          []*node
	arr         [2]*node
}

func build(d int) *node {
	if d == 0 {
		return nil
	}
	n := &node{left: build(d - 1), right: build(d - 1), val: d}
	n.s = strings.Repeat("x", d) + fmt.Sprint(d)
	n.m = map[int]*node{d: n.left}
	v := d
	n.f = func() int { v++; return v + n.val }
	n.i = n.s
	n.c = make(chan *node, 1)
	n.c <- n.right
	n.sl = append(n.sl, n.left, n.right)
	n.arr[1] = n
	return n
}

func check(n *node) int {
	if n == nil {
		return 0
	}
	r := <-n.c
	n.c <- r
	if n.m[n.val] != n.left || r != n.right || n.i.(string) != n.s || n.sl[0] != n.left || n.arr[1] != n {
		panic("lost")
	}
	return check(n.left) + check(n.right) + len(n.s) + n.f()
}

func main() {
	root := build(9)
	first := check(root)
	var keep [][]byte
	for i := range 200 {
		b := make([]byte, 1000+i)
		b[i] = byte(i)
		if i%10 == 0 {
			keep = append(keep, b)
		}
		_ = build(3)
	}
	runtime.GC()
	done := make(chan int)
	for range 4 {
		go func() {
			t := build(6)
			runtime.GC()
			done <- check(t)
		}()
	}
	s := 0
	for range 4 {
		s += <-done
	}
	sum := 0
	for _, b := range keep {
		for _, x := range b {
			sum += int(x)
		}
	}
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println(first, check(root)-first, s, sum, ms.NumGC >= 2, ms.Mallocs > ms.Frees, ms.HeapAlloc > 0)
}

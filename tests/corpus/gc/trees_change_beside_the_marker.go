// run gcstress=100

// Trees are built, exchanged, sent, watched weakly and finalized while the collector marks all the time; none is lost.
package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
	"weak"
)

type node struct {
	left, right *node
	m           map[int]*node
	s           []*node
	i           any
	id, check   int
}

func build(r *rand.Rand, d int) *node {
	id := int(r.Uint32())
	n := &node{id: id, check: ^id}
	if d > 0 {
		n.left = build(r, d-1)
		switch r.IntN(4) {
		case 0:
			n.right = build(r, d-1)
		case 1:
			n.m = map[int]*node{1: build(r, d-1), 2: n}
		case 2:
			n.s = append(n.s, build(r, d-1), n.left)
		case 3:
			n.i = build(r, d-1)
		}
	}
	return n
}

func (n *node) verify() int {
	if n == nil {
		return 0
	}
	if n.check != ^n.id {
		panic("lost")
	}
	c := 1 + n.left.verify() + n.right.verify()
	for _, x := range n.s[:min(1, len(n.s))] {
		c += x.verify()
	}
	if n.m != nil {
		c += n.m[1].verify()
	}
	if x, ok := n.i.(*node); ok {
		c += x.verify()
	}
	return c
}

func main() {
	debug.SetGCPercent(20)
	var wg sync.WaitGroup
	stop := time.Now().Add(time.Second)
	c := make(chan *node, 3)
	for g := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 7))
			trees := make([]*node, 40)
			var ws []weak.Pointer[node]
			for i := range trees {
				trees[i] = build(r, 6)
			}
			for time.Now().Before(stop) {
				i, j := r.IntN(len(trees)), r.IntN(len(trees))
				switch r.IntN(6) {
				case 0:
					trees[i] = build(r, 6)
				case 1:
					trees[i], trees[j] = trees[j], trees[i]
				case 2:
					trees[i].left, trees[j].left = trees[j].left, trees[i].left
				case 3:
					select {
					case c <- trees[i]:
						trees[i] = <-c
					case trees[i] = <-c:
						c <- build(r, 4)
					}
				case 4:
					w := weak.Make(trees[i])
					ws = append(ws, w)
					if len(ws) > 50 {
						for _, w := range ws {
							if x := w.Value(); x != nil && x.check != ^x.id {
								panic("lost weak")
							}
						}
						ws = ws[:0]
					}
				case 5:
					x := trees[i]
					runtime.SetFinalizer(&node{left: x, id: x.id, check: x.check}, func(n *node) {
						if n.check != ^n.id || n.left.check != ^n.left.id {
							panic("lost finalizer's")
						}
					})
				}
				if r.IntN(50) == 0 {
					trees[j].verify()
				}
			}
		})
	}
	go func() {
		for {
			<-time.After(time.Millisecond)
			runtime.GC()
		}
	}()
	done := make(chan int)
	go func() { wg.Wait(); close(done) }()
	for {
		select {
		case <-done:
			var s runtime.MemStats
			runtime.ReadMemStats(&s)
			fmt.Println(s.NumGC > 0, s.HeapSys < 100<<20)
			return
		case x := <-c:
			select {
			case c <- x:
			default:
			}
		}
	}
}

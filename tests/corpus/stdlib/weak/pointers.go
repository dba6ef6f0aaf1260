// run

// Weak pointers: equal for equal pointers, nil once the value is gone, before a finalizer runs.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"weak"
)

type node struct {
	next *node
	data [100]int
}

type pair struct{ a, b int }

var global node

//go:noinline
func gone() (weak.Pointer[node], weak.Pointer[int], weak.Pointer[node]) {
	n := &node{next: &node{}}
	w := weak.Make(n)
	in := weak.Make(&n.data[3])
	if w.Value() != n || in.Value() != &n.data[3] || w.Value().next != n.next {
		fmt.Println("lost too early")
	}
	return w, in, weak.Make(n.next)
}

//go:noinline
func revived(to **node, seen *bool) weak.Pointer[node] {
	n := &node{}
	w := weak.Make(n)
	runtime.SetFinalizer(n, func(n *node) {
		*seen = w.Value() != nil
		*to = n
	})
	return w
}

func main() {
	var zero weak.Pointer[int]
	fmt.Println(zero.Value(), weak.Make[int](nil) == zero)

	n := &node{}
	w := weak.Make(n)
	fmt.Println(w == weak.Make(n), w.Value() == n)
	runtime.GC()
	fmt.Println(w == weak.Make(n), w.Value() == n)
	p := &pair{1, 2}
	a, b := weak.Make(&p.a), weak.Make(&p.b)
	fmt.Println(a == b, *a.Value(), *b.Value())
	runtime.KeepAlive(p)
	runtime.KeepAlive(n)

	// What lives for ever.
	g := weak.Make(&global)
	runtime.GC()
	fmt.Println(g.Value() == &global, g == weak.Make(&global))
	e := &struct{}{}
	fmt.Println(weak.Make(e).Value() == e)

	x, in, y := gone()
	runtime.GC()
	fmt.Println(x.Value(), in.Value(), y.Value())
	// Pointers stay what they were when they lead nowhere.
	fmt.Println(x == x, map[weak.Pointer[node]]int{x: 1}[x])

	var back *node
	var seen bool
	done := make(chan bool)
	r := revived(&back, &seen)
	for range 100 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		if back != nil {
			break
		}
	}
	fmt.Println(back != nil, seen, r.Value() == nil, weak.Make(back) == r)

	// A cache whose entries go with their values.
	var lock sync.Mutex
	cache := map[int]weak.Pointer[node]{}
	get := func(k int) *node {
		lock.Lock()
		defer lock.Unlock()
		if n := cache[k].Value(); n != nil {
			return n
		}
		n := &node{}
		n.data[0] = k
		cache[k] = weak.Make(n)
		runtime.AddCleanup(n, func(k int) {
			lock.Lock()
			defer lock.Unlock()
			if cache[k].Value() == nil {
				delete(cache, k)
			}
		}, k)
		return n
	}
	for i := range 8 {
		go func() {
			for j := range 2000 {
				k := (i + j) % 50
				if get(k).data[0] != k {
					panic("wrong")
				}
				if j%500 == 0 {
					runtime.GC()
				}
			}
			done <- true
		}()
	}
	for range 8 {
		<-done
	}
	for range 200 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		lock.Lock()
		left := len(cache)
		lock.Unlock()
		if left == 0 {
			break
		}
	}
	fmt.Println(len(cache))
}

package main

import (
	"cmp"
	"fmt"
)

// A generic ordered map as an AVL tree: inserted into, looked up and walked in order,
// with ints and with strings as its keys.

type node[K cmp.Ordered, V any] struct {
	key    K
	value  V
	kids   [2]*node[K, V]
	height int
}

func (n *node[K, V]) tall() int {
	if n == nil {
		return 0
	}
	return n.height
}

func (n *node[K, V]) update() { n.height = 1 + max(n.kids[0].tall(), n.kids[1].tall()) }

// rotate moves n down to that side.
func (n *node[K, V]) rotate(side int) *node[K, V] {
	up := n.kids[1-side]
	n.kids[1-side], up.kids[side] = up.kids[side], n
	n.update()
	up.update()
	return up
}

func (n *node[K, V]) balance() *node[K, V] {
	n.update()
	for side, kid := range n.kids {
		if kid.tall() > n.kids[1-side].tall()+1 {
			if kid.kids[1-side].tall() > kid.kids[side].tall() {
				n.kids[side] = kid.rotate(side)
			}
			return n.rotate(1 - side)
		}
	}
	return n
}

func side[K cmp.Ordered](k, at K) int {
	if k > at {
		return 1
	}
	return 0
}

func (n *node[K, V]) set(k K, v V) *node[K, V] {
	switch {
	case n == nil:
		return &node[K, V]{key: k, value: v, height: 1}
	case k == n.key:
		n.value = v
		return n
	}
	s := side(k, n.key)
	n.kids[s] = n.kids[s].set(k, v)
	return n.balance()
}

func (n *node[K, V]) get(k K) (v V, ok bool) {
	for ; n != nil; n = n.kids[side(k, n.key)] {
		if k == n.key {
			return n.value, true
		}
	}
	return v, false
}

func (n *node[K, V]) each(f func(K, V)) {
	if n != nil {
		n.kids[0].each(f)
		f(n.key, n.value)
		n.kids[1].each(f)
	}
}

func main() {
	var numbers *node[int, int]
	var names *node[string, int]
	x, hits := uint32(5), 0
	random := func(n int) int {
		x = x*1664525 + 1013904223
		return int(x>>16) % n
	}
	const letters = "abcdefgh"
	for i := 0; i < 70000; i++ {
		numbers = numbers.set(random(20000), i)
		if _, ok := numbers.get(random(20000)); ok {
			hits++
		}
		word := letters[:random(8)] + letters[random(8):]
		n, _ := names.get(word)
		names = names.set(word, n+1)
	}
	size, sum, last := 0, 0, -1
	numbers.each(func(k, v int) {
		if k <= last {
			panic("out of order")
		}
		size, sum, last = size+1, sum+k*(v&7), k
	})
	fmt.Println("numbers", size, numbers.height, hits, sum)
	words, most := 0, ""
	names.each(func(k string, v int) {
		if n, _ := names.get(most); v > n {
			most = k
		}
		words++
	})
	fmt.Println("names", words, names.height, most)
}

// run

// Slices that are cut short where they lie: in fields, through pointers, in globals, boxed variables, and what only looks like it.
package main

import "fmt"

type inner struct{ items []int }

type stack struct {
	items []*int
	inner
	named ints
	deep  *stack
}

type ints []int

var global = []int{1, 2, 3, 4, 5}

func (s *stack) pop() *int {
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v
}

func caught(f func()) {
	defer func() { fmt.Println("caught:", recover()) }()
	f()
}

func main() {
	n := [4]int{10, 20, 30, 40}
	s := &stack{items: []*int{&n[0], &n[1], &n[2], &n[3]}, named: ints{7, 8, 9}}
	s.inner.items = []int{1, 2, 3}
	s.deep = &stack{named: make(ints, 4, 9), inner: inner{make([]int, 5)}}
	fmt.Println(*s.pop(), *s.pop(), len(s.items), cap(s.items), *s.items[:4][3])
	s.inner.items = s.inner.items[:1]
	s.inner.items = s.inner.items[0:3]
	s.named = s.named[:2]
	s.deep.named = s.deep.named[:9]
	s.deep.inner.items = s.inner.items[:2]
	fmt.Println(s.inner.items, s.named, len(s.deep.named), cap(s.deep.named), s.deep.inner.items)
	global = global[:2]
	fmt.Println(global, len(global), cap(global))
	boxed := []string{"a", "b", "c"}
	p := &boxed
	*p = (*p)[:2]
	func() { boxed = boxed[:1] }()
	fmt.Println(boxed, len(*p), cap(*p), (*p)[:3])
	local := []int{1, 2, 3}
	local = local[:0]
	local = local[:cap(local)]
	fmt.Println(local)
	q := s
	q.named = s.named[:1]
	fmt.Println(s.named, q.named[:3])
	var array [3]inner
	array[1].items = []int{4, 5, 6}
	for i := range 3 {
		array[1].items = array[1].items[:2-i]
		array[i].items = array[1].items[:0]
	}
	fmt.Println(array, cap(array[0].items))
	i := 9
	caught(func() { s.named = s.named[:i] })
	caught(func() { s.inner.items = s.inner.items[:-i+5] })
	caught(func() { var none *stack; none.items = none.items[:0] })
	caught(func() { global = global[:6] })
	fmt.Println(s.named, s.inner.items, global[:5])
	empty := &stack{}
	empty.items = empty.items[:0]
	fmt.Println(empty.items == nil, len(empty.items))
}

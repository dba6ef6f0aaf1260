// Package heap: any sequence kept as a binary heap.
package heap

import "sort"

type Interface interface {
	sort.Interface
	Push(x any)
	Pop() any
}

func Init(h Interface) {
	n := h.Len()
	for i := n/2 - 1; i >= 0; i-- {
		sink(h, i, n)
	}
}

func Push(h Interface, x any) {
	h.Push(x)
	rise(h, h.Len()-1)
}

func Pop(h Interface) any {
	last := h.Len() - 1
	h.Swap(0, last)
	sink(h, 0, last)
	return h.Pop()
}

func Remove(h Interface, i int) any {
	last := h.Len() - 1
	if i != last {
		h.Swap(i, last)
		if !sink(h, i, last) {
			rise(h, i)
		}
	}
	return h.Pop()
}

func Fix(h Interface, i int) {
	if !sink(h, i, h.Len()) {
		rise(h, i)
	}
}

// rise moves element i up to where its parent is not greater.
func rise(h Interface, i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.Less(i, parent) {
			return
		}
		h.Swap(parent, i)
		i = parent
	}
}

// sink moves element i down, within the first n, to where no child is less; whether it moved.
func sink(h Interface, i, n int) bool {
	from := i
	for {
		child := 2*i + 1
		if child >= n || child < 0 {
			break
		}
		if right := child + 1; right < n && h.Less(right, child) {
			child = right
		}
		if !h.Less(child, i) {
			break
		}
		h.Swap(i, child)
		i = child
	}
	return i > from
}

// Package heap: any sequence kept as a binary heap.
package heap

import "sort"

type Interface interface {
	sort.Interface
	Push(x any)
	Pop() any
}

func Push(h Interface, x any) {
	h.Push(x)
	rise(h, h.Len()-1)
}

func Init(h Interface) {
	n := h.Len()
	for i := n / 2; i > 0; i-- {
		sink(h, i-1, n)
	}
}

func Pop(h Interface) any {
	last := h.Len() - 1
	h.Swap(0, last)
	sink(h, 0, last)
	return h.Pop()
}

func Fix(h Interface, i int) {
	if !sink(h, i, h.Len()) {
		rise(h, i)
	}
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

// sink moves element top down, within the first n, to where no child is less; whether it moved.
func sink(h Interface, top, n int) (moved bool) {
	for child := 2*top + 1; 0 < child && child < n; child = 2*top + 1 {
		if child+1 < n && h.Less(child+1, child) {
			child++
		}
		if !h.Less(child, top) {
			break
		}
		h.Swap(top, child)
		top, moved = child, true
	}
	return moved
}

// run

// Structs that lie in memory are compared field by field, in order.
package main

import (
	"fmt"
	"math"
)

type point struct{ x, y int }

type whole struct {
	a  int8
	_  int32
	b  float64
	c  string
	d  any
	e  [2]uint16
	f  inner
	p  *int
	ch chan int
}

type inner struct {
	g bool
	h complex128
}

type pair[T comparable] struct {
	first, second T
}

func same[T comparable](p *pair[T], q []pair[T], i int) (bool, bool) {
	return *p == q[i], q[i] != *p
}

var global, other = whole{a: 1, c: "text", d: 1}, whole{a: 1, c: "text", d: 1}

func tell(name string, f func() bool) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	fmt.Println(name, f())
}

func main() {
	p, q := &point{1, 2}, &point{1, 2}
	local := point{1, 2}
	fmt.Println(*p == *q, *p != *q, *p == local, local != *q, *p == point{1, 3}, point{1, 2} == *q)
	if *p == *q && local == *p {
		fmt.Println("all the same")
	}
	q.y++
	for *p != *q {
		q.y--
	}
	fmt.Println(q)

	fmt.Println(global == other, global != other)
	for i, change := range []func(w *whole){
		func(w *whole) { w.a = -1 },
		func(w *whole) { w.b = math.Copysign(0, -1) },
		func(w *whole) { w.b = math.NaN() },
		func(w *whole) { w.c = "test" },
		func(w *whole) { w.c = "tex" },
		func(w *whole) { w.d = int8(1) },
		func(w *whole) { w.d = "1" },
		func(w *whole) { w.e[1] = 1 },
		func(w *whole) { w.f.g = true },
		func(w *whole) { w.f.h = 1i },
		func(w *whole) { w.p = new(int) },
		func(w *whole) { w.ch = make(chan int) },
	} {
		w := &whole{}
		*w = global
		change(w)
		list := []whole{*w, global}
		table := map[int]whole{1: *w}
		fmt.Println(i, *w == global, global != *w, list[0] == list[1], list[i%2] == list[0], table[1] == global)
	}

	x, y := any(func() {}), any(func() {})
	u, v := &whole{d: x}, &whole{d: y}
	tell("uncomparable", func() bool { return *u == *v })
	u.a = 2
	tell("differs before", func() bool { return *u == *v })
	var none *whole
	tell("nil on the left", func() bool { return *none == *u })
	tell("nil on the right", func() bool { return *u != *none })
	i := 5
	tell("no such element", func() bool { return []point{{}}[i] == *p })

	fmt.Println(same(&pair[string]{"a", "b"}, []pair[string]{{"a", "b"}}, 0))
	fmt.Println(same(&pair[any]{1, 2.5}, []pair[any]{{1, 2}}, 0))
	fmt.Println(same(&pair[float32]{1, float32(math.NaN())}, []pair[float32]{{1, float32(math.NaN())}}, 0))

	switch *p {
	case *q:
		fmt.Println("the case that is equal")
	}
	var arrays [2]point
	arrays[1] = *p
	fmt.Println(arrays[i-4] == *q, arrays[0] == *q, arrays[i-5] == arrays[i-4])
	captured := point{3, 4}
	set := func() { captured.y = 5 }
	fmt.Println(captured == point{3, 4})
	set()
	fmt.Println(captured == point{3, 4}, captured == point{3, 5})
}

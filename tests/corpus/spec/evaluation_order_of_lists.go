// run

// The order in which Go's compiler evaluates lists: calls first, then variables that they may have changed, but for what is copied
// to become an interface.
package main

import (
	"fmt"
	"time"
)

type T struct{ a, b int }
func show(args ...any) { fmt.Println(args...) }

func two(a, b any, c int) { fmt.Println(a, b, c) }

func main() {
	i, s, t, f := 1, "a", T{1, 2}, 1.5
	sl, e, m := []int{1}, error(nil), map[string]int{"a": 1}
	arr := [2]int{1, 2}
	set := func() int {
		i, s, t, f = 2, "b", T{3, 4}, 2.5
		sl, e, m = []int{2}, fmt.Errorf("e"), map[string]int{"b": 2}
		arr = [2]int{3, 4}
		return 0
	}
	reset := func() int {
		i, s, t, f = 1, "a", T{1, 2}, 1.5
		sl, e, m = []int{1}, nil, map[string]int{"a": 1}
		arr = [2]int{1, 2}
		return 0
	}
	show(i, s, t, f, sl, e, m, arr, set())
	reset()
	show(set(), i, s, t, f, sl, e, m, arr, reset())
	set()
	show(reset(), i, s, t, f, sl, e, m, arr)
	two(t, i, set())
	reset()
	two(s, arr, set())
	reset()
	x := []any{t, s, i, arr, set()}
	fmt.Println(x)
	reset()
	y := []T{t, {set(), 1}}
	fmt.Println(y)
	reset()
	type S struct {
		A any
		B T
		C int
		D string
		E int
	}
	fmt.Println(S{t, t, i, s, set()})
	reset()
	var v time.Time
	fmt.Println(v.UnmarshalJSON([]byte(`"2020-01-02T03:04:05Z"`)), v, v.UnmarshalJSON([]byte(`"x"`)))
	fmt.Println(v.UnmarshalJSON([]byte(`"2020-01-02T03:04:05Z"`)), v)
	fmt.Println(v, v.UnmarshalJSON([]byte(`"2021-01-02T03:04:05Z"`)))
	a, b := any(t), set()
	fmt.Println(a, b)
	reset()
	a, b = t, set()
	fmt.Println(a, b)
	reset()
	p := &t
	show(*p, p.a, set(), p.b, arr[0], sl[0], m["a"], m["b"])
	reset()
	func() (any, int) { return t, set() }()
	c, d := func() (any, int) { return t, set() }()
	fmt.Println(c, d)
	reset()
	g := func() (T, int) { return t, set() }
	fmt.Println(g())
	reset()
	counter := 0
	next := func() int { counter++; return counter }
	fmt.Println(next(), counter, next(), counter)
	w := [...]int{2: next(), 0: next(), 1: counter}
	fmt.Println(w, []int{counter, next(), counter})
	k, l := counter, next()
	fmt.Println(k, l)
	ch := make(chan any, 1)
	ch <- t
	fmt.Println(<-ch, t == T{1, 2}, set())
}

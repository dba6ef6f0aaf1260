// run
package main

import "fmt"

// One variable, or a part and its whole, several times on the left: the last assignment wins.

type pair struct{ a, b int }
type small struct{ x, y int8 }
type nest struct {
	p pair
	t [3]int32
}

func id(x int) int         { return x }
func two() (int, int)      { return 1, 2 }
func three() (x, y, z int) { return 1, 2, 3 }

func locals() {
	a, b := 1, 2
	a, a = b, a
	x := 1
	x, x = id(5), x
	y := 1
	y, y = 7, y+1
	z := 1
	z, b, z = z+1, z+2, z+3
	var e any
	e, e = 1, "last"
	s, t := "s", "t"
	s, t, s = t, s, s+t
	fmt.Println(a, x, y, z, b, e, s, t)
}

func parts() {
	v := [5]uint16{1, 2, 3, 4, 5}
	v[3], v = v[1]+510, [5]uint16{}
	p := pair{1, 2}
	p.a, p = 7, pair{}
	q := small{1, 2}
	q, q.y, q.x = small{3, 4}, q.x, q.y
	r := small{1, 2}
	r.x, r, r.y = 9, small{5, 6}, r.x
	n := nest{pair{1, 2}, [3]int32{3, 4, 5}}
	i := 1
	n.t[i], n.t, i, n.p.b, n.p = 9, [3]int32{n.t[2]}, 2, 8, pair{b: n.p.a}
	m := nest{}
	m.p, m, m.p.a = pair{1, 1}, nest{p: pair{2, 2}}, 3
	fmt.Println(v, p, q, r, n, i, m)
}

func elements() {
	s := []int{1, 2, 3}
	s[0], s[0], s = 4, 5, s[:1]
	a := [2][2]int{{1, 2}, {3, 4}}
	i := 1
	a[i][0], i, a[i], a[0] = 5, 0, [2]int{6, 7}, a[1]
	m := map[string]int{}
	m["k"], m["k"] = 1, 2
	fmt.Println(s, a, i, m)
}

func captured() {
	x, y := 1, 2
	add := func(n int) { x, y = x+n, y-n }
	x, y, x = y, x, 10
	add(1)
	p := &x
	x, *p = 3, 4
	*p, x = 5, x
	fmt.Println(x, y)
}

func results() (a int, p pair, err any) {
	defer func() { err = recover() != nil }()
	p, p.b, a, a = pair{1, 2}, p.a+3, 4, 5
	var m map[string]int
	m["k"], a = 6, 7
	return
}

func returned() (a, b int, p pair) {
	a, b = 1, 2
	p = pair{3, 4}
	return b, a, pair{p.b, p.a}
}

func several() {
	var x int
	x, x = two()
	var e any
	e, _, e = three()
	var p pair
	p.a, p.a = two()
	m := map[string]bool{"k": true}
	ok := true
	ok, ok = m["absent"]
	was := ok
	var b any = true
	ok, ok = b.(bool)
	is := ok
	c := make(chan bool, 2)
	c <- false
	ok, ok = <-c
	had := ok
	ok = true
	c <- false
	select {
	case ok, ok = <-c:
	}
	fmt.Println(x, e, p, was, is, had, ok)
}

func ranges() {
	var i int
	for i, i = range []int{7, 8} {
		fmt.Print(i, " ")
	}
	var p pair
	for p.a, p.a = range map[int]int{1: 2} {
		fmt.Print(p, " ")
	}
	seq := func(yield func(int, int) bool) { _ = yield(1, 2) && yield(3, 4) }
	for i, i = range seq {
		fmt.Print(i, " ")
	}
	fmt.Println()
}

func main() {
	locals()
	parts()
	elements()
	captured()
	fmt.Println(results())
	fmt.Println(returned())
	several()
	ranges()
}

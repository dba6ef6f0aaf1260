// run
// Function literals that are called where they are known: what they share with their surroundings, what becomes of their
// results, and where they must be values after all.
package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

type pair struct{ a, b int }

func compose(f, g func(int) int) func(int) int {
	return func(x int) int { return f(g(x)) }
}

func counter(step int) func() int {
	n := 0
	return func() int {
		n += step
		return n
	}
}

func adder(k int) func(int) int { return func(x int) int { return x + k } }

func curried(a int) func(int) func(int) int {
	return func(b int) func(int) int {
		return func(c int) int { return a*100 + b*10 + c }
	}
}

func apply(xs []int, f func(int) int) int {
	s := 0
	for _, x := range xs {
		s += f(x)
	}
	return s
}

func twice(f func() int) (int, int) { return f(), f() }

func both[T any](x T, f func(T) T, ok func(T) bool) (T, bool) {
	y := f(x)
	if !ok(y) {
		return x, false
	}
	return y, true
}

func must[T any](f func() (T, error)) T {
	v, err := f()
	if err != nil {
		panic(err)
	}
	return v
}

// A parameter that changes behind the literal's back.
func bumped(k int) func() int {
	f := func() int { return k }
	k++
	return f
}

// A result that a literal changes.
func named() (n int) {
	inc := func() { n += 10 }
	inc()
	inc()
	return n + 1
}

func try(f func()) (msg string) {
	defer func() {
		if r := recover(); r != nil {
			msg = fmt.Sprint(r)
		}
	}()
	f()
	return "fine"
}

func each(n int, f func(int) bool) {
	for i := 0; i < n; i++ {
		if !f(i) {
			return
		}
	}
}

func hold(f func() int) func() int {
	g := f
	return g
}

func main() {
	// The caller's variable is not the literal's parameter.
	i := 1
	add := adder(i)
	i = 50
	fmt.Println(add(1), i)
	for i := 0; i < 3; i++ {
		f := adder(i)
		i := 7
		fmt.Print(f(i), " ")
	}
	fmt.Println()
	f := bumped(3)
	fmt.Println(f(), f())

	// One literal inside another of the same text.
	h := compose(adder(1), compose(adder(2), func(x int) int { return x * 10 }))
	fmt.Println(h(1), h(2), apply([]int{1, 2, 3}, h))
	locals := func(f func(int) int) func(int) int {
		return func(x int) int {
			a := x + 1
			b := f(x)
			return a*1000 + b
		}
	}
	fmt.Println(locals(locals(adder(5)))(1))
	l1 := locals(adder(5))
	l2 := locals(l1)
	l3 := locals(l2)
	fmt.Println(l3(1), l2(2), l1(3))
	fmt.Println(curried(1)(2)(3))
	c1 := curried(4)
	c2 := c1(5)
	fmt.Println(c2(6), c1(7)(8))

	// State of its own, and shared.
	c, d := counter(1), counter(10)
	fmt.Println(c(), c(), d(), c(), d())
	e := counter(2)
	e()
	fmt.Println(e(), e()+e())
	total := 0
	sum := func(x int) int { total += x; return total }
	fmt.Println(total, sum(1), total)
	s2 := sum(2)
	fmt.Println(s2+total, sum(3))
	x := 1
	set := func(v int) int { x = v; return x }
	x5 := x + set(5)
	x6 := set(6) + x
	fmt.Println(x5, x6, x)
	y := [3]int{1, 2, 3}
	at := func(k int) *int { return &y[k] }
	*at(1) = 20
	fmt.Println(y, *at(2))
	p := pair{1, 2}
	swap := func() { p.a, p.b = p.b, p.a }
	show := func(q pair) string { swap(); return fmt.Sprint(q, p) }
	fmt.Println(show(p), p)
	fmt.Println(twice(func() int { total *= 2; return total }))
	fmt.Println(named())

	// A parameter is what it was when the call was made.
	v := 3
	keep := func(a int, change func()) int { change(); return a*10 + v }
	fmt.Println(keep(v, func() { v = 4 }), v)
	text := "abc"
	join := func(a, b string) string { text = b + a; return a + text }
	fmt.Println(join(text, text), text)

	// Loops.
	var all []func() int
	for i := 0; i < 3; i++ {
		inc := func() { i += 10 }
		get := func() int { return i }
		if i < 2 {
			all = append(all, func() int { return get() })
		}
		if i == 1 {
			inc()
			i -= 10
		}
	}
	for _, g := range all {
		fmt.Print(g(), " ")
	}
	fmt.Println()
	for i := range 3 {
		f := func() int { return i * i }
		all = append(all, hold(f), func() int { return f() + 1 })
	}
	for _, g := range all {
		fmt.Print(g(), " ")
	}
	fmt.Println()
	stopped := -1
	each(10, func(i int) bool {
		if i == 4 {
			stopped = i
			return false
		}
		return true
	})
	fmt.Println("stopped", stopped)
	for i := range 4 {
		skip := func() bool { return i%2 == 0 }
		if skip() {
			continue
		}
		fmt.Print(i, " ")
	}
	fmt.Println()

	// Several results, none, wide ones, interfaces, generic functions.
	div := func(a, b int) (q, r int, err error) {
		if b == 0 {
			return 0, 0, errors.New("by zero")
		}
		q, r = a/b, a%b
		return
	}
	fmt.Println(div(17, 5))
	fmt.Println(div(1, 0))
	q, r, err := div(9, 4)
	fmt.Println(q, r, err)
	big := func(a [4]int, s []string) ([4]int, []string) { a[0]++; return a, append(s, "z") }
	arr := [4]int{1, 2, 3, 4}
	b1, b2 := big(arr, []string{"x"})
	fmt.Println(arr, b1, b2)
	str := func(s fmt.Stringer) string { return s.String() }
	var sb strings.Builder
	sb.WriteString("built")
	fmt.Println(str(&sb))
	vari := func(xs ...int) int { return len(xs) + cap(xs)*0 }
	fmt.Println(vari(), vari(1, 2), vari(arr[:]...))
	multi := func() (int, int) { return 3, 4 }
	two := func(a, b int) int { return a*10 + b }
	fmt.Println(two(multi()))
	fmt.Println(both(4, func(x int) int { return x * 2 }, func(x int) bool { return x > 5 }))
	fmt.Println(both("a", func(s string) string { return s + s }, func(s string) bool { return len(s) > 2 }))
	fmt.Println(must(func() (string, error) { return "ok", nil }))
	fmt.Println(try(func() { must(func() (int, error) { return 0, errors.New("no") }) }))

	// A value after all.
	val := func() int { return total }
	done := make(chan int)
	go func() { done <- val() }()
	fmt.Println(<-done == total)
	go func(f func() int) { done <- f() }(val)
	fmt.Println(<-done == total)
	once := func() { fmt.Println("deferred", total) }
	func() {
		defer once()
		total++
	}()
	ws := []string{"pear", "fig", "apple"}
	byLen := func(a, b string) int { return len(a) - len(b) }
	slices.SortFunc(ws, func(a, b string) int { return byLen(a, b) })
	fmt.Println(ws, slices.ContainsFunc(ws, func(s string) bool { return s == "fig" }),
		slices.IndexFunc(ws, func(s string) bool { return byLen(s, "xxxx") == 0 }))
	fmt.Println(strings.Map(func(r rune) rune {
		if r == 'p' {
			return -1
		}
		return r + 1
	}, "apple"))
	func() {
		for v := range func(yield func(int) bool) {
			_ = yield(1) && yield(2) && yield(3)
		} {
			if v == 3 {
				break
			}
			step := func() int { return v * total }
			fmt.Print(step(), " ")
		}
		fmt.Println()
	}()

	// Panics inside.
	fmt.Println(try(func() { h := compose(func(x int) int { return 10 / x }, adder(-1)); h(1) }))
	fmt.Println(try(func() { var m map[string]int; put := func(k string) { m[k]++ }; put("a") }))
	fmt.Println(try(func() { idx := func(k int) int { return arr[k] }; idx(4) }))
	var none func()
	fmt.Println(try(func() { call := func(f func()) { f() }; call(none) }))
	fmt.Println(try(func() { run := func(f func()) { f() }; run(func() { run(func() { panic("deep") }) }) }))
}

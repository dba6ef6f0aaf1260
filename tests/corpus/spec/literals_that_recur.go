// run
// Recursion by way of function literals and iterators.
package main

import (
	"fmt"
	"iter"
)

type Tree struct {
	l, r *Tree
	v    int
}

func (t *Tree) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		if t == nil {
			return
		}
		for v := range t.l.All() {
			if !yield(v) {
				return
			}
		}
		if !yield(t.v) {
			return
		}
		for v := range t.r.All() {
			if !yield(v) {
				return
			}
		}
	}
}

func a(n int) func() int { return func() int { return b(n - 1)() + 1 } }
func b(n int) func() int {
	if n <= 0 {
		return func() int { return 0 }
	}
	return func() int { return a(n-1)() + c(n-1, func(x int) int { return x + n })() }
}
func c(n int, f func(int) int) func() int {
	return func() int {
		if n <= 0 {
			return f(0)
		}
		return f(a(n - 1)()) + c(n-1, func(x int) int { return f(x) })()
	}
}

func down(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n > 0 && yield(n) {
			down(n - 1)(yield)
		}
	}
}

func even(n int) bool { f := func() bool { return odd(n - 1) }; return n == 0 || f() }
func odd(n int) bool  { f := func() bool { return even(n - 1) }; return n != 0 && f() }

type visitor func(int) visitor

func fix(f func(func(int) int) func(int) int) func(int) int {
	return func(x int) int { return f(fix(f))(x) }
}

func main() {
	t := &Tree{&Tree{nil, &Tree{nil, nil, 2}, 1}, &Tree{nil, nil, 4}, 3}
	for v := range t.All() {
		if v == 4 {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println(a(6)(), b(5)(), c(4, func(x int) int { return x * 2 })())
	for v := range down(5) {
		fmt.Print(v, " ")
	}
	fmt.Println(even(10), odd(10))
	fmt.Println(fix(func(self func(int) int) func(int) int {
		return func(n int) int {
			if n == 0 {
				return 1
			}
			return n * self(n-1)
		}
	})(10))
	var v visitor
	sum := 0
	v = func(x int) visitor { sum += x; return v }
	v(1)(2)(3)
	fmt.Println(sum)
}

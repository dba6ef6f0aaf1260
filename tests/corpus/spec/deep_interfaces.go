// run
package main

// Equality and hashing of interfaces nested deeper than any native stack.
type (
	last  struct{ next any }
	first struct {
		next any
		n    int
	}
	array [2]any
)

const depth = 200_000

func main() {
	var a, b, c, d, e, f any
	for i := range depth {
		a, b = last{a}, last{b}
		c, d = first{c, i}, first{d, i}
		e, f = array{e, i}, array{f, i}
	}
	println(a == b, c == d, e == f, a == c)
	println(a == any(last{b}), c == any(first{d, 1}))
	m := map[any]int{a: 1, c: 2, e: 3}
	println(m[b], m[d], m[f], len(m), m[last{a}])

	var x, y any = []int{1}, []int{1}
	for i := range 1000 {
		x, y = first{x, i}, first{y, i}
	}
	defer func() { println(recover().(error).Error()) }()
	println(x == y)
}

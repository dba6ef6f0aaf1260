// run
// What go1.26 added: new of a value; type parameters whose constraints name the type itself.
package main

import (
	"fmt"
	"time"
)

type adder[A adder[A]] interface{ add(A) A }

type vector [2]int

func (v vector) add(w vector) vector { return vector{v[0] + w[0], v[1] + w[1]} }

func total[A adder[A]](first A, rest ...A) A {
	for _, x := range rest {
		first = first.add(x)
	}
	return first
}

type tree[T interface{ less(T) bool }] struct {
	left, right *tree[T]
	value       T
}

type age int

func (a age) less(b age) bool { return a < b }

func (t *tree[T]) insert(x T) *tree[T] {
	switch {
	case t == nil:
		return &tree[T]{value: x}
	case x.less(t.value):
		t.left = t.left.insert(x)
	default:
		t.right = t.right.insert(x)
	}
	return t
}

func (t *tree[T]) walk(f func(T)) {
	if t != nil {
		t.left.walk(f)
		f(t.value)
		t.right.walk(f)
	}
}

type person struct {
	name string
	age  *int
	wait *time.Duration
}

func main() {
	n := 7
	p := new(n)
	*p++
	fmt.Println(n, *p, *new("text"), *new(1.5), *new('x'), *new(n > 3), *new([]int{1}))
	fmt.Printf("%T %T %T\n", new(1<<3), new(int8(4)), new(func() {}))
	q := person{"q", new(30), new(2 * time.Second)}
	fmt.Println(q.name, *q.age, *q.wait, *new(*new(person{name: "copy"})))
	fmt.Println(total(vector{1, 2}, vector{3, 4}, vector{5, 6}))
	var t *tree[age]
	for _, a := range []age{3, 1, 2} {
		t = t.insert(a)
	}
	t.walk(func(a age) { fmt.Print(a, " ") })
	fmt.Println()
}

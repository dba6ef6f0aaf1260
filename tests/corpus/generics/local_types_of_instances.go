// run

// A type declared in a generic function is another one in each instance of the function, whether or
// not it mentions the type parameters.
package main

import (
	"fmt"
	"strings"
)

func boxed[T any](v T) any {
	type box struct{ x T }
	return box{v}
}

func counted[T any](v T) any {
	type count int
	_ = v
	return count(1)
}

func both[K comparable, V any](k K, v V) any {
	type entry struct {
		key K
		val V
	}
	type table map[K]entry
	type alias = []entry
	t := table{k: {k, v}}
	var list alias
	for _, e := range t {
		list = append(list, e)
	}
	return []any{t, list}
}

type stack[T any] struct{ items []T }

func (s *stack[T]) top() any {
	type node struct {
		val  T
		next *node
	}
	var head *node
	for _, x := range s.items {
		head = &node{x, head}
	}
	sum := 0
	for n := head; n != nil; n = n.next {
		sum++
	}
	return *head
}

func kind(x any) string { return strings.Split(fmt.Sprintf("%T", x), "[")[0] }

func same[A any](a, b A) string { return fmt.Sprintf("%T", a) }

func through[T any](v T) (string, any) {
	type local struct {
		val T
		n   int
	}
	in := func() any {
		type inner struct{ l local }
		return inner{local{v, 2}}
	}
	return same(local{v, 1}, local{v, 1}), in()
}

func switched[T any](x any) string {
	type mark struct{ v T }
	switch x.(type) {
	case mark:
		return "mine"
	case nil:
		return fmt.Sprintf("%v", any(mark{}) == any(mark{}))
	}
	return "not mine"
}

func marked[T any]() any {
	type mark struct{ v T }
	return mark{}
}

func deep[T any](v T, n int) any {
	type level struct{ v T }
	if n == 0 {
		return level{v}
	}
	return deep(v, n-1)
}

func main() {
	for _, x := range []any{
		boxed(1), boxed("two"), boxed([]string{"three"}), boxed([3]int{4, 5, 6}), boxed(7.5),
		counted(1), counted("a"),
		both("k", 1), both(2, "v"),
		(&stack[int]{[]int{1, 2, 3}}).top(), (&stack[string]{[]string{"x", "y"}}).top(),
		deep("d", 3), deep(1, 2),
	} {
		switch x := x.(type) {
		case []any:
			fmt.Printf("%T %v %T %v\n", x[0], x[0], x[1], x[1])
		default:
			if kind(x) == "main.node" {
				fmt.Printf("%T\n", x)
				continue
			}
			fmt.Printf("%T %v\n", x, x)
		}
	}
	fmt.Println(boxed(1) == boxed(1), boxed(1) == boxed(2), boxed(1) == boxed("a"), boxed(1.5) == boxed(1))
	fmt.Println(counted(1) == counted(2), counted(1) == counted("a"))
	for _, f := range []func() (string, any){
		func() (string, any) { return through(1) },
		func() (string, any) { return through("s") },
	} {
		name, x := f()
		fmt.Printf("%s %T %v\n", name, x, x)
	}
	fmt.Println(switched[int](marked[int]()), switched[int](nil), switched[string](nil))
	m := map[any]int{boxed(1): 1, boxed("1"): 2, counted(1): 3, counted(""): 4}
	fmt.Println(len(m), m[boxed("1")], m[counted("")])
	fmt.Println(boxed(boxed(1)) == boxed(boxed(1)))
	defer func() { fmt.Println(recover()) }()
	fmt.Println(boxed(1).(fmt.Stringer))
}

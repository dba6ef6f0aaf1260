// run
// What go1.24 added: aliases with type parameters.
package main

import "fmt"

type list[T any] struct {
	value T
	next  *list[T]
}

type chain[T any] = *list[T]
type index[V any] = map[string]V
type set[K comparable] = map[K]struct{}
type both[A, B any] = struct {
	a A
	b B
}
type nested[T any] = index[both[T, chain[T]]]
type ints = chain[int]
type handler[R any] = func(...R) (R, error)

func cons[T any](x T, c chain[T]) chain[T] { return &list[T]{x, c} }
func (l *list[T]) length() int {
	if l == nil {
		return 0
	}
	return 1 + l.next.length()
}
func keys[K comparable](s set[K]) int { return len(s) }
func first[A, B any](p both[A, B]) A  { return p.a }

func main() {
	var c ints = cons(1, cons(2, nil))
	fmt.Printf("%T %d %T\n", c, c.length(), index[ints]{})
	fmt.Println(keys(set[string]{"a": {}, "b": {}}), first(both[int, bool]{3, true}))
	n := nested[string]{"k": {"v", cons("w", nil)}}
	fmt.Printf("%v %d %T\n", n["k"].a, n["k"].b.length(), n)
	var h handler[int] = func(xs ...int) (int, error) { return len(xs), nil }
	fmt.Println(h(1, 2))
}

package main

// Instances without end are reported, and what else is wrong as well.

type endless[T any] struct{ next *endless[[]T] }

type list[T any] []T

func (l list[T]) with[U list[T]](u U) { _ = u[0] }
func (l list[T]) last() T             { return l[len(l)-1] }

type own[P any] interface{ *own[P] }
type pair[A, B any] struct {
	a A
	b B
}

func (p pair[A, B]) swap() pair[B, A] { return pair[B, A]{p.b, p.a} }

func main() {
	list[int]{}.with("a")
	list[string]{}.with([]string{})
	var s string = list[int]{1}.last()
	var p pair[int, int] = pair[int, string]{}.swap()
	_, _ = s, p
}

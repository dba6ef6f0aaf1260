// run

// Methods with type parameters of their own: called with inferred and given type arguments, in generic types, and through embedding.
package main

import "fmt"

type R struct{ k int }

func (r *R) N[T ~int | ~int64](n T) T { return n + T(r.k) }

func (r R) Big[T any](list ...T) []T {
	var out []T
	for i := 0; i < r.k; i++ {
		for _, x := range list {
			out = append(out, x)
		}
	}
	defer func() { out = nil }()
	return out
}

type L[E any] struct{ list []E }

func (l L[E]) Map[F any](f func(E) F) L[F] {
	var out L[F]
	for _, e := range l.list {
		out.list = append(out.list, f(e))
	}
	return out
}

type Deep struct{ *R }

func twice[T any](l L[T], x T) L[string] {
	return L[T]{append(l.list, x)}.Map(func(t T) string { return fmt.Sprint(t, "!") })
}

func main() {
	r := &R{3}
	fmt.Println(r.N(4), r.N(int64(5)), r.N[int](7))
	fmt.Println(r.Big("a", "b"), r.Big[any](1, "x"), Deep{r}.N(1))
	fmt.Printf("%T %v\n", L[int]{[]int{1, 2}}.Map(func(i int) string { return fmt.Sprint(i * 2) }), L[int]{[]int{1, 2}}.Map(func(i int) float64 { return float64(i) / 2 }))
	fmt.Println(twice(L[bool]{[]bool{true}}, false))
}

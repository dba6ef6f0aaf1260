// run

// Type parameters of generic functions given as arguments are found together with those of the function that is called.
package main

import (
	"cmp"
	"fmt"
	"slices"
)

func apply[X, Y any](x X, f func(X, X) Y) Y { return f(x, x) }

func pair[A, B any](a A, b B) string { return fmt.Sprintf("%T %T", a, b) }

func compose[A, B, C any](f func(A) B, g func(B) C) func(A) C {
	return func(a A) C { return g(f(a)) }
}

func same[T any](t T) T { return t }

func point[P interface{ *E }, E any](e E) P { return &e }

func first[S ~[]E, E any](s S) E { return s[0] }

type words []string

func main() {
	fmt.Println(slices.MaxFunc([]int{3, 5, 4}, cmp.Compare))
	fmt.Println(apply(1, pair), apply("", cmp.Compare))
	fmt.Println(compose(same, func(s string) int { return len(s) })("four"))
	fmt.Println(compose(same[[]byte], first)([]byte("abc")))
	fmt.Println(*point(7), first(words{"w"}))
	var f func(words) string = first
	var g func(int) *int = point
	fmt.Println(f(words{"v"}), *g(3))
}

// run
// What go1.21 added: min, max and clear, panics with nil, generic functions as arguments, inference
// by way of methods and of untyped constants of several kinds.
package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
)

func apply[A, B any](xs []A, f func(A) B) (r []B) {
	for _, x := range xs {
		r = append(r, f(x))
	}
	return
}

func twice[T any](x T) [2]T { return [2]T{x, x} }
func sum[N int | float64](ns ...N) (t N) {
	for _, n := range ns {
		t += n
	}
	return
}

type getter[T any] interface{ get() T }
type boxed struct{ s string }

func (b boxed) get() string { return b.s }

func from[T any](g getter[T]) T { return g.get() }
func pick[T any](a, b T) T      { return b }

func main() {
	x, y := 3.5, math.NaN()
	fmt.Println(min(2, 1, 3), max(1, 2.5), min("b", "a"), max(x, 4), min(x, y), max(0.0, -0.0))
	const c = max(1, 'a', 2.0)
	fmt.Printf("%T %v\n", c, c)
	m := map[float64]int{1: 1, math.NaN(): 2}
	s := []int{1, 2, 3}
	clear(m)
	clear(s[1:])
	fmt.Println(len(m), s)

	func() {
		defer func() {
			e := recover()
			var n *runtime.PanicNilError
			fmt.Println(e, errors.As(e.(error), &n))
		}()
		panic(nil)
	}()

	fmt.Println(apply([]int{1, 2}, twice), apply([]string{"a"}, strings.ToUpper))
	var f func(string) [2]string = twice
	fmt.Println(f("q"), sum(1, 2.5), from(boxed{"inside"}), pick(1, 'x'))
}

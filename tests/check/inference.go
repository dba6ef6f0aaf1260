// Type arguments that cannot be found: what is said of which type parameter.

package main

type list[T any] []T

func elem[X ~[]E, E any](x X) (e E)          { return }
func made[X ~[]E, E any](e E) (x X)          { return }
func pointer[P *E, E any](e E) (p P)         { return }
func apply[X, Y any](f func(X) Y)            {}
func both[X, Y any](f func(X) Y, x X, y Y)   {}
func same[X any](x, y X)                     {}
func three[X, Y, Z any](f func(X, Y) Z)      {}
func keys[M ~map[K]V, K comparable, V any](M) {}
func only[Y any, X any](x X)                 {}
func bytes[X ~[]byte | []byte](n int) (x X)  { return }
func ints[X interface{ []int }](n int) (x X) { return }
func gen[X any, Y comparable](x X, y Y) X    { return x }

type namer interface{ name() string }

func named[T namer](t T)                           {}
func returns[T interface{ get() E }, E any](t T) E { return t.get() }

type box struct{}

func (box) get() int { return 0 }

var _ = elem(1)
var _ = elem("s")
var _ = elem(nil)
var _ = elem([]int{1}) + ""
var _ = made(1)
var _ = made[[]int]("")
var _ = made[[]int](1)
var _ = *pointer(1)
var _ = bytes(1)
var _ = ints(1)

func calls() {
	apply(func(x int) {})
	apply(1)
	apply(func() {})
	apply[int](func(x string) int { return 0 })
	apply(func(x, y int) int { return 0 })
	both(func(x int) string { return "" }, "", "")
	both(func(x int) string { return "" }, 1, 1)
	both(nil, 1, "")
	same(1, "")
	same(1, 2.5)
	same(1, nil)
	same(nil, nil)
	same([]int{}, list[int]{})
	same([]int{}, []string{})
	same[int](1, "")
	three(func(int) {})
	three[int](func(string, int) {})
	three[int, string](func(int, string) {})
	keys(map[string][]int{})
	keys([]int{})
	keys(1)
	only(1)
	only[int]()
	named(1)
	named(box{})
	returns(box{})
	returns(1)
	var n int = returns(box{})
	apply(same)
	apply(elem)
	apply(returns)
	compose(elem, func(b byte) {})
	compose(func(b byte) []int { return nil }, elem)
}

func values() {
	x := gen[int]
	var f func(int) int = elem
	var g func([]int) int = elem
	var h func(string, int) string = gen[int]
	var i func(int, []int) int = gen
	f = made
	var k func(int) = only
	f, g = gen, made
	_ = same
}

func results() (func(int) int, func()) {
	return elem, only
}

func ranges[A []int | []string, B []int | [2]int, C any, D chan<- int | chan<- string, E int | string, F map[int]int | map[int]string](a A, b B, c C, d D, e E, f F) {
	for range a {
	}
	for range b {
	}
	for range c {
	}
	for range d {
	}
	for range e {
	}
	for range f {
	}
}

func others[A []int | []string, B func() | func(int), C any, D chan int | chan string, E chan<- int | <-chan int](a A, b B, c C, d D, e E) {
	b()
	c()
	_ = a[0:1]
	_ = c[0]
	_ = <-d
	d <- 1
	close(c)
	_ = make(A, 1)
	_ = make(C, 1)
	_ = A{1}
	_ = append(a, 1)
	_ = append(c, 1)
	copy(a, a)
	_ = <-e
	e <- 1
	for range e {
	}
	_ = len(c)
	_ = C{}
	_ = E{}
}

func compose[A, B, C any](f func(A) B, g func(B) C) {}

func main() {}

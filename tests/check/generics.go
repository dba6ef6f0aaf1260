package main

type Number interface {
	~int | ~float64
}
type List[T any] struct {
	next *List[T]
	val  T
}

func (l *List[T]) Push(v T) *List[T] { return &List[T]{l, v} }

type Pair[K comparable, V any] struct {
	k K
	v V
}
type MyInt int

func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}
func Map[T, U any](xs []T, f func(T) U) []U { return nil }
func Keys[M ~map[K]V, K comparable, V any](m M) []K { return nil }
func Conv[T, U any](x T) (u U)                        { return }

func main() {
	_ = Sum(1, 2)
	_ = Sum(1, 2.5)
	_ = Sum("a")
	_ = Sum[string]()
	_ = Sum[int]("a")
	_ = Sum()
	_ = Sum[int, int](1)
	_ = Sum[MyInt](1)
	_ = Sum(int8(1))
	var l List
	var l1 List[int]
	var l2 List[int, int]
	l1.Push("a")
	l1.Push(1).Push(2).Foo()
	var p Pair[[]int, int]
	var p2 Pair[string]
	_ = Map([]int{}, func(i int) string { return "" })
	_ = Map([]int{}, func(s string) string { return "" })
	_ = Map[int]([]int{}, 1)
	_ = Keys(map[string]int{})
	_ = Keys([]int{})
	_ = Conv(1)
	_ = Conv[int](1)
	_ = Conv[int, string](1)
	f := Sum
	var g func(...int) int = Sum
	var h func(...string) string = Sum
	_ = Sum[int]
	_, _, _, _, _, _, _ = l, l1, l2, p, p2, f, g
	_ = h
	var n Number
	_ = n
	var i int = Sum[float64](1)
	_ = main[int]
	_ = i[int]
	_ = MyInt[int](1)
}

func bad1[T any](x T) { _ = x + x }
func bad2[T any](x, y T) bool { return x == y }
func bad3[T comparable](x, y T) bool { return x < y }
func bad4[T Number](x T) T { return x % 2 }
func bad5[T any](x T) { x.foo() }
func bad6[T interface{ Foo() }](x T) { x.Foo(); x.Bar() }
func bad7[T any](x T) int { return len(x) }
func bad8[T any]() { var x T = nil; _ = x }
func bad9[T Number](x T) { _ = string(x); var y int = x; _ = y }
func bad10[T undefined](x T) {}
func bad11[T int](x T) { switch x.(type) {} }
func bad12[T any, T any](x T) {}
func (l List[int]) bad13() {}
func (l *List[A, B]) bad14() {}
func (l *List) bad15() {}
func main2[T any]() { main2[*T]() }
func ok1[T ~[]E, E any](x T) E { return x[0] }
func ok2[T any](x *T) T { return *x }

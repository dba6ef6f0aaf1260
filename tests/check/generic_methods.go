package main

type L[T any] []T

func (l L[int]) x(i int) int { return i }
func (L[_]) y[_ any]()       {}
func (l *L[T]) z[T any](t T) {}
func (l L[T]) w[U ~[]T](u U) {}
func main() {
	L[int]{}.x("a")
	L[int]{}.z[string](1)
	L[string]{}.w([]string{})
	var l L[int]
	l.w(l)
	l.w(L[string]{})
	_ = l.w
	_ = l.z
	var fn func(int) = l.z
	fn(1)
	_ = L[int].z
	l.y()
	l.y[int]()
}

package main

// What inference must refuse, and what is no type argument, no field and no method.

type A interface{ M() }
type B struct{}

func (B) M() {}

func two[T any](f func(T), x T)              { f(x) }
func many[T any](x ...T)                     {}
func of[T interface{ ~[]E }, E any](T)       {}
func pairs[K comparable, V any](map[K]V)     {}
func id[T any](x T) T                        { return x }
func conv[P, Q any](p P) (q Q)               { return }
func call(func(int) string)                  {}
func self[T interface{ *T }]()               {}
func chans[T any](chan<- T, <-chan T)        {}
func nested[T any](map[string]chan T, []T)   {}
func methods[T interface{ Get() U }, U any]() {}

type Get struct{}

func (Get) Get[T any]() (t T) { return }

type Named []int

func inference(a A, b B, ch chan int, rs <-chan int, ss chan<- string) {
	two(func(A) {}, b)
	many(a, b)
	many(1, "x")
	many(nil)
	of(1)
	pairs(map[any]any{}, 1)
	call(id)
	call(conv[string])
	call(conv)
	self()
	chans(ss, rs)
	nested(map[string]chan Named{}, []int{})
	methods[Get]()
	var f func(string) int = id
	var g func(int, int) = id[int]
	_ = func(int) string(id)
	type F func(int) int
	_ = F(id)
	_ = F(conv[int])
	_ = F(conv[string])
	id[int](1, 2)
	id[int, int](1)
	_, _ = f, g
}

type (
	I       interface{ ~int | ~string }
	T[P any] struct{}
	S       struct{ f int }
	Set     = T[int]
	Ptr     = *T[int]
	G[P any] = T[P]
)

var v T[I]
var w = id[I]
var c T[comparable]

func (Set) m()   {}
func (*Set) n()  {}
func (Ptr) o()   {}
func (G[P]) p()  {}

func f0[P S](p P) int                          { return p.f }
func f1[P interface{ *S }](p P) int            { return p.f }
func f2[P ~struct{ f int }](p P)               { p.f = 1 }
func f3[P interface{ comparable; []byte }](x P) bool { return x == x }
func f4[P interface{ int; string }](x P)       { _ = x + x; _ = P(1) }
func f5[P []int | chan int](x P)               { _ = P(1); _ = x.y }
func f6[P any]()                               { _ = P(1); _ = new(comparable) }

func main() {}

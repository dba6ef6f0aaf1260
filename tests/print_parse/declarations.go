package p

import "fmt"

import m "math"

import . "os"

const a, b = 1, 2

var x int

var y, z = 1, "s"

var w func(int, ...string) (a, b int) = nil

type A = B

type B[T any] struct {
	T "tag"
	*m.C
	D[int]
	e, f []T
	g [4]map[string]chan<- T
}

type P[K comparable, V int | ~string] interface {
	M(x, y K, z V) (V, error)
	fmt.Stringer
	~int | ~string
}

func (b *B[T]) Method(x T) T {
	return x
}

func (B[T]) Generic[U any](x U)

func external(x, y int) int

func Map[T, U any, S ~[]T](s S, f func(T) U) []U {
	return append([]U(nil), f(s[0]))
}

// Types that contain themselves, by way of type arguments too.

package main

import "unsafe"

type A[X any] struct{ a A[X] }

type B[X any] struct{ b B[*X] }

type C[X any] struct{ x X }
type D struct{ c C[D] }

type E[X any] [2]X
type F[X any] struct{ e E[X] }
type G struct {
	i int
	f F[G]
}

type H[X any] struct{ p *X }
type I struct{ h H[I] }

type J struct{ k K }
type K struct{ l L }
type L J

type M[X interface{ m() M[X] }] struct{ x X }

type N[X any] interface{ N[X] }

func main() {
	type local[X any] struct{ l *local[local[X]] }
	var i I
	_ = unsafe.Sizeof(i)
}

type O[X any] P[X]
type P[X any] O[X]

// Type parameters and interfaces as elements of interfaces.

package main

type P[X any] interface{ X }
type Q[X any, Y interface{ X }] int
type R[X any, Y interface{ ~X | int }] int
type S[X any, Y int | X] int
type T interface{ m() }
type U interface{ int | T }
type V interface{ int | comparable }
type W interface{ comparable }
type X interface{ W | string }
type Y interface{ ~int | myInt }

type myInt int

func f[A any, B interface {
	int
	A
}]() {
}

var _ = (*interface{ int })(nil)

func main() {}

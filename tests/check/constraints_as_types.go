package main

type S struct{ f int; g *S }
type M struct{}
func (M) m() {}
func (*M) pm() {}

func a1[P S | M](p P) { p.f = 1; p.m(); p.g.f = 2 }
func a2[P interface{ S; m() }](p P) { p.m(); _ = p.f; _ = P.m; _ = P.f }
func a3[P *S](p P) { _ = (*p).f; _ = p.f; p.g = nil }
func a4[P interface{ *M }](p P) { p.m(); p.pm() }
func a5[P interface{ *M; m() }](p P) { p.m(); (&p).m() }
func a6[T any, P interface{ *T; m() }](t T) { P(&t).m(); t.m() }
type E[P any] struct{ P; *S }
type E2[P any] struct{ *P }
func a7[P S](e struct{ p P }) { _ = e.p.f }
func a8[P []S](p P) { _ = p[0].f; p.x() }
func a9[P map[string]S](p P) { _ = p["a"].f; p["a"].f = 1 }
func b1[P func() S](p P) { _ = p().f }
func b2[P chan S](p P) { _ = (<-p).f }
func b3[P ~struct{ f int }](p P) { _ = P{f: 1}; _ = p == P{}; _ = struct{ f int }(p).f }

type I1 interface{ int }
type I2 interface{ comparable }
type I3 interface{ I1; String() string }
var v1 I1
var v2 []I2
var v3 map[string]I3
var v4 func(I1) I2
var v5 chan I1
var v6 *I3
var v7 struct{ x I1 }
var v8 = new(I1)
var v9 = make([]I2, 1)
var w1 = any(1).(I1)
var w2 = I1(1)
var w3 = G[I1]{}
var w4 G2[I1, int]
type G[T any] struct{}
type G2[T any, U comparable] struct{}
type G3[T I1] G[T]
var w5 G3[int]
var w6 G3[string]
var w7 G2[int, []int]
var w8 G2[int, any]
var w9 G2[int, struct{ a any }]
func h[T any](x ...T) {}
func k() { h[I1](); h[I2](1); _ = h[[]I3]; h[*I1](nil); type l = I1; var x l; _ = x; type n I1; var y n; _ = y }
func sw(x any) { switch x.(type) { case I1: case []I2: }; _ = x.(interface{ ~int }) }
func main() {}

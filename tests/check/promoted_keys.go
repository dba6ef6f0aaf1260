package main

type In struct{ X, Y int }
type P struct{ Z int }
type Deep struct {
	In
	*P
	q int
}
type Out struct {
	Deep
	N int
}
type A struct{ V int }
type B struct{ V int }
type Amb struct {
	A
	B
}
type Shadow struct {
	In
	X string
}
type M struct{ I }
type I interface{ Meth() }
type MM struct{ N }
type N int

func (N) Foo()  {}
func (Out) Bar() {}

func f() {
	_ = Out{X: 1, X: 2}
	_ = Out{X: 1, In: In{}}
	_ = Out{In: In{}, X: 1}
	_ = Out{X: 1, Deep: Deep{}}
	_ = Out{Deep: Deep{}, X: 1}
	_ = Out{Y: 1, X: 2, In: In{}}
	_ = Out{Y: 1, q: 2, Deep: Deep{}, Deep: Deep{}}
	_ = Out{Z: 1}
	_ = Out{P: &P{}}
	_ = Deep{P: &P{}, Z: 1}
	_ = Amb{V: 1}
	_ = Shadow{X: 1}
	_ = Shadow{X: "a", In: In{X: 1}}
	_ = M{Meth: nil}
	_ = MM{Foo: nil}
	_ = Out{Bar: nil}
	_ = Out{x: 1}
	_ = Out{X: "s"}
	_ = Out{N: 1, N: 2, X: 1, X: 1}
	_ = Out{Deep.X: 1}
	_ = Out{In: In{X: 1}, In: In{}, Y: 2}
	_ = Out{nope: 1, X: 1}
}
func main() {}

// run
// Keys of composite literals may be promoted fields, however deep, wherever a literal stands.
package main

import "fmt"

type In struct {
	X, Y int
	b    byte
	c    byte
}
type Mid struct {
	a byte
	In
	S string
}
type Out struct {
	pre string
	Mid
	N  int
	PP *In
}
type G[T any] struct {
	Val T
	W   []T
}
type H[T any] struct {
	n byte
	G[T]
	T2 T
}
type Big struct {
	pad [200]int
	Q   int
	R   any
}
type Bigger struct {
	z byte
	Big
	tail byte
}
type One struct{ V int }
type Two struct{ One }
type Three struct{ Two }
type E0 struct{}
type Z struct {
	E0
	Two
	f float32
	g float32
}
type Small struct{ p, q, r, s byte }
type Wrap struct {
	h byte
	Small
	t byte
}
type Ifc struct{ fmt.Stringer }
type IfcO struct {
	k int
	Ifc
}

type st string

func (s st) String() string { return string(s) }

func f(n int) int { fmt.Println("f", n); return n }

func mk[T any](v T) H[T]   { return H[T]{Val: v, n: 3, W: []T{v, v}} }
func mkp[T any](v T) *H[T] { return &H[T]{T2: v, Val: v} }

var global = Out{X: 1, S: "s", N: 3, b: 9}
var globalp = &Out{Y: 5, c: 7, pre: "pre"}
var globals = []Out{{X: 1}, {Y: 2, S: "two"}, {N: 3, a: 1}}
var globalm = map[string]*Out{"a": {X: 1, N: 2}, "b": {S: "q"}}
var garr = [...]Wrap{{p: 1, s: 2, t: 3}, {h: 4, q: 5}, {r: 9}}
var gcalc = Out{X: len(garr), Y: f(10), N: f(11), S: fmt.Sprint("x", 1)}

func ret() (o Out, err error) {
	return Out{X: 8, N: 4}, nil
}

func named() (o Out) {
	o.N = 77
	o = Out{X: o.N, S: "k"}
	return
}

func main() {
	fmt.Printf("%+v\n", global)
	fmt.Printf("%+v\n", *globalp)
	fmt.Printf("%+v\n", globals)
	fmt.Printf("%+v %+v\n", *globalm["a"], *globalm["b"])
	fmt.Printf("%+v\n", garr)
	fmt.Printf("%+v\n", gcalc)
	fmt.Printf("%+v\n", mk(4))
	fmt.Printf("%+v\n", mk("s"))
	fmt.Printf("%+v\n", *mkp([2]int{1, 2}))
	fmt.Printf("%+v\n", *mkp(any(1.5)))
	b := Bigger{Q: 4, R: "r", tail: 1}
	fmt.Println(b.Q, b.R, b.tail, b.pad[0], b.pad[199], b.z)
	pb := &Bigger{R: f(1), Q: f(2), z: byte(f(3))}
	fmt.Println(pb.Q, pb.R, pb.tail, pb.z)
	fmt.Printf("%+v %+v\n", Three{V: 5}, &Three{V: f(6)})
	fmt.Printf("%+v\n", Z{V: 3, g: 1.5})
	for i := range 3 {
		w := Wrap{p: byte(i), t: byte(i + 1), r: 200}
		fmt.Printf("%+v\n", w)
	}
	x := IfcO{Stringer: st("hello"), k: 2}
	fmt.Println(x.String(), x.k, x)
	fmt.Println(ret())
	fmt.Println(named())
	y := 3
	o := Out{N: f(1), X: f(2), S: fmt.Sprint(f(3)), Y: f(4), pre: fmt.Sprint(f(5)), PP: &In{X: f(6)}}
	fmt.Printf("%+v\n", o.Mid)
	o = Out{X: o.Y, Y: o.X, N: y}
	fmt.Printf("%+v\n", o)
	c := []struct {
		Mid
		e string
	}{{X: 1, e: "e"}, {Mid: Mid{In: In{X: 2}}}, {In: In{Y: 3}, S: "z"}}
	fmt.Printf("%+v\n", c)
	m := map[Wrap]int{{p: 1}: 1, {h: 1, t: 2}: 2}
	fmt.Println(m[Wrap{p: 1}], m[Wrap{h: 1, t: 2}], m[Wrap{}])
	fmt.Println(Wrap{p: 1} == Wrap{Small: Small{p: 1}}, (Two{V: 3}).V)
	var i any = Out{X: 3}
	fmt.Println(i == any(Out{X: 3}), i == any(Out{Y: 3}))
	ch := make(chan Out, 1)
	ch <- Out{X: 1, S: "ch"}
	fmt.Println(<-ch)
	defer func(o Out) { fmt.Println("deferred", o) }(Out{S: "d", Y: 2})
	func(os ...Out) { fmt.Println(os) }(Out{X: 1}, Out{Y: 2})
	switch (Wrap{p: 1}) {
	case Wrap{p: 2}:
		fmt.Println("no")
	case Wrap{p: 1}:
		fmt.Println("yes")
	}
	p := &o
	*p = Out{X: p.N, N: p.X}
	fmt.Println(o.X, o.N)
	arr := [3]Out{1: {X: 4, N: 2}}
	arr[2] = Out{X: arr[1].X, a: 1}
	fmt.Println(arr)
}

// run each=arrays,pointers,fields,elements,locals,slices,maps procs=2 gcstress=40
package main

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

// Objects of 2 GB, 4 GB and a little more or less are as large as their types say: nothing else is overwritten, and the collector
// finds what they point to. Few of their pages are touched.

type guard struct {
	a, b *int
	n    [4]uint64
}

var seven = 7

func guards() []*guard {
	gs := make([]*guard, 200)
	for i := range gs {
		gs[i] = &guard{&seven, &seven, [4]uint64{1, 2, 3, 4}}
	}
	return gs
}

func check(lists ...[]*guard) {
	runtime.GC()
	n := 0
	for _, gs := range lists {
		for _, g := range gs {
			if g.a != &seven || g.b != &seven || g.n != [4]uint64{1, 2, 3, 4} {
				n++
			}
		}
	}
	fmt.Println("overwritten:", n)
}

//go:noinline
func id[T any](x T) T { return x }

const (
	A = 1<<31 - 1
	B = 1 << 31
	C = 1<<32 - 1
	D = 1 << 32
	E = 1<<32 + 8
)

func arrays() {
	{
		x := new([A]byte)
		gs := guards()
		for i := range 3000 {
			x[i] = 0xff
		}
		x[id(A-1)] = 5
		fmt.Println(x[id(A-1)], len(x), cap(x[:]), unsafe.Sizeof(*x))
		func() {
			defer func() { fmt.Println(recover()) }()
			x[id(A)] = 6
		}()
		check(gs, guards())
	}
	{
		x := new([B]byte)
		gs := guards()
		for i := range 3000 {
			x[i] = 0xff
		}
		x[id(B-1)] = 5
		fmt.Println(x[id(B-1)], len(x), cap(x[:]), unsafe.Sizeof(*x))
		func() {
			defer func() { fmt.Println(recover()) }()
			x[id(B)] = 6
		}()
		check(gs, guards())
	}
	{
		x := new([C]byte)
		gs := guards()
		for i := range 3000 {
			x[i] = 0xff
		}
		x[id(C-1)] = 5
		fmt.Println(x[id(C-1)], len(x), cap(x[:]), unsafe.Sizeof(*x))
		func() {
			defer func() { fmt.Println(recover()) }()
			x[id(C)] = 6
		}()
		check(gs, guards())
	}
	{
		x := new([D]byte)
		gs := guards()
		for i := range 3000 {
			x[i] = 0xff
		}
		x[id(D-1)] = 5
		fmt.Println(x[id(D-1)], len(x), cap(x[:]), unsafe.Sizeof(*x))
		func() {
			defer func() { fmt.Println(recover()) }()
			x[id(D)] = 6
		}()
		check(gs, guards())
	}
	{
		x := new([E]byte)
		gs := guards()
		for i := range 3000 {
			x[i] = 0xff
		}
		x[id(E-1)] = 5
		fmt.Println(x[id(E-1)], len(x), cap(x[:]), unsafe.Sizeof(*x))
		func() {
			defer func() { fmt.Println(recover()) }()
			x[id(E)] = 6
		}()
		check(gs, guards())
	}
}

type wideA struct {
	head *int
	a    [A]byte
	b    int
	tail *int
	name string
}

func (w *wideA) get() (int, string) { return w.b, w.name }

type wideC struct {
	head *int
	a    [C]byte
	b    int
	tail *int
	name string
}

func (w *wideC) get() (int, string) { return w.b, w.name }

type wideD struct {
	head *int
	a    [D]byte
	b    int
	tail *int
	name string
}

func (w *wideD) get() (int, string) { return w.b, w.name }

type wideE struct {
	head *int
	a    [E]byte
	b    int
	tail *int
	name string
}

func (w *wideE) get() (int, string) { return w.b, w.name }

func fields() {
	one, two := 1, 2
	{
		x := new(wideA)
		x.b, x.name = 3, "abc"
		x.head, x.tail = &one, &two
		gs := guards()
		x.a[id(A-1)] = 8
		check(gs, guards())
		p, q := &x.tail, &x.name
		x.b++
		fmt.Println(*x.head, *x.tail, **p, *q, x.b, x.a[id(A-1)], unsafe.Offsetof(x.tail))
		f := x.get
		fmt.Println(f())
	}
	{
		x := new(wideC)
		x.b, x.name = 3, "abc"
		x.head, x.tail = &one, &two
		gs := guards()
		x.a[id(C-1)] = 8
		check(gs, guards())
		p, q := &x.tail, &x.name
		x.b++
		fmt.Println(*x.head, *x.tail, **p, *q, x.b, x.a[id(C-1)], unsafe.Offsetof(x.tail))
		f := x.get
		fmt.Println(f())
	}
	{
		x := new(wideD)
		x.b, x.name = 3, "abc"
		x.head, x.tail = &one, &two
		gs := guards()
		x.a[id(D-1)] = 8
		check(gs, guards())
		p, q := &x.tail, &x.name
		x.b++
		fmt.Println(*x.head, *x.tail, **p, *q, x.b, x.a[id(D-1)], unsafe.Offsetof(x.tail))
		f := x.get
		fmt.Println(f())
	}
	{
		x := new(wideE)
		x.b, x.name = 3, "abc"
		x.head, x.tail = &one, &two
		gs := guards()
		x.a[id(E-1)] = 8
		check(gs, guards())
		p, q := &x.tail, &x.name
		x.b++
		fmt.Println(*x.head, *x.tail, **p, *q, x.b, x.a[id(E-1)], unsafe.Offsetof(x.tail))
		f := x.get
		fmt.Println(f())
	}
}

func elements() {
	n, k := id(2), 9
	{
		x := make([]wideA, n)
		y := new([2]wideA)
		gs := guards()
		x[n-1].tail, y[n-1].tail = &k, &k
		x[n-1].name, y[n-1].name = "abc", "def"
		x[0].b, y[0].b = 1, 2
		check(gs, guards())
		s, t := x[n-1].name, y[n-1].name
		fmt.Println(*x[n-1].tail, *y[n-1].tail, s, t, x[n-2].b+y[n-2].b, x[1].a[id(5)])
		p := &x[n-1].b
		*p += 4
		fmt.Println(x[1].b, len(x[1].a))
	}
	{
		x := make([]wideD, n)
		y := new([2]wideD)
		gs := guards()
		x[n-1].tail, y[n-1].tail = &k, &k
		x[n-1].name, y[n-1].name = "abc", "def"
		x[0].b, y[0].b = 1, 2
		check(gs, guards())
		s, t := x[n-1].name, y[n-1].name
		fmt.Println(*x[n-1].tail, *y[n-1].tail, s, t, x[n-2].b+y[n-2].b, x[1].a[id(5)])
		p := &x[n-1].b
		*p += 4
		fmt.Println(x[1].b, len(x[1].a))
	}
	{
		x := make([]wideE, n)
		y := new([2]wideE)
		gs := guards()
		x[n-1].tail, y[n-1].tail = &k, &k
		x[n-1].name, y[n-1].name = "abc", "def"
		x[0].b, y[0].b = 1, 2
		check(gs, guards())
		s, t := x[n-1].name, y[n-1].name
		fmt.Println(*x[n-1].tail, *y[n-1].tail, s, t, x[n-2].b+y[n-2].b, x[1].a[id(5)])
		p := &x[n-1].b
		*p += 4
		fmt.Println(x[1].b, len(x[1].a))
	}
}

func locals() {
	var x [E]byte
	var y [D]byte
	var z [A]byte
	z[id(A-1)] = 4
	gs := guards()
	f := func(i int) { x[i]++ }
	for i := range 3000 {
		y[i], z[i] = 1, 2
	}
	f(id(E - 1))
	s := x[E-10:]
	s[8] = 7
	t := s[5:8:9]
	fmt.Println(x[id(E-1)], y[id(D-1)], z[id(A-1)], x[id(E-2)], len(s), cap(s), len(t), cap(t))
	w := (*[4]byte)(x[id(E-4):])
	w[0] = 9
	k := 0
	for i := range x {
		if k = i; i > 30 {
			break
		}
	}
	fmt.Println(x[id(E-4)], k)
	check(gs)
}

func slices() {
	for _, n := range []int{A, B, C, D, E} {
		x := make([]byte, id(n))
		y := make([]byte, 1, id(n))
		gs := guards()
		for i := range 3000 {
			x[i] = 0xff
		}
		x[n-1] = 3
		y = y[:cap(y)]
		y[n-1] = 4
		fmt.Println(x[n-1], len(x), cap(x), y[n-1], len(y), len(unsafe.String(&x[0], n)))
		clear(x[n-10:])
		fmt.Println(x[n-1])
		check(gs, guards())
		runtime.GC()
	}
	defer func() { fmt.Println(recover()) }()
	z := make([][1024]int, id(1<<40))
	fmt.Println(len(z))
}

func maps() {
	m := make(map[int]int, id(1<<40))
	m[1] = 2
	fmt.Println(m)
	c := make(chan struct{}, id(1<<40))
	c <- struct{}{}
	fmt.Println(len(c), cap(c))
	t := append(make([]struct{}, id(1<<40)), struct{}{})
	fmt.Println(len(t))
	s := make(map[string][4]struct{ name string })
	s["a"] = [4]struct{ name string }{1: {name: "x"}}
	fmt.Println(s["a"][1].name)
}

//go:noinline
func fresh() *[E / 8]*int { return new([E / 8]*int) }

func pointers() {
	first := guards()
	x := fresh()
	gs := guards()
	for i := range 1000 {
		k := i
		x[i] = &k
	}
	last := 12
	x[id(E/8-1)] = &last
	check(first, gs, guards())
	fmt.Println(*x[3], *x[id(999)], *x[id(E/8-1)], len(x))
}

func main() {
	parts := map[string]func(){
		"arrays": arrays, "pointers": pointers, "fields": fields, "elements": elements, "locals": locals, "slices": slices, "maps": maps,
	}
	parts[os.Args[1]]()
}

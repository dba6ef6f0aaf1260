// run

// The bounds of a slice are read in their turn, before those behind them have effects; variables are
// not.
package main

import "fmt"

type T struct {
	s    string
	x, y int
	b    []byte
	arr  [9]int
}

var gx int
var gs = "0123456789"

func (t *T) f() int { t.x = 5; t.y = 6; gx = 5; return 8 }

func main() {
	t := &T{s: "0123456789"}
	t.x, gx = 1, 1
	fmt.Println("field", t.s[t.x:t.f()])
	t.x = 1
	fmt.Println("field-1", t.s[t.x+0:t.f()])
	t.x = 1
	fmt.Println("field+1", t.s[t.x+1:t.f()])
	x := 1
	g := func() int { x = 5; return 8 }
	fmt.Println("captured", t.s[x:g()])
	x = 1
	fmt.Println("captured+1", t.s[x+1:g()])
	gx = 1
	fmt.Println("global", gs[gx:t.f()])
	gx = 1
	fmt.Println("global+1", gs[gx+1:t.f()])
	b := []byte("0123456789")
	t.b = b
	t.x = 1
	fmt.Println("bytes", string(t.b[t.x:t.f():9]))
	t.x = 1
	fmt.Println("bytes3", string(t.b[t.x:t.x+2:t.f()]))
	t.x = 1
	fmt.Println("high", string(t.b[t.f()-8:t.x]))
	v := T{s: "0123456789", x: 1}
	h := func() int { v.x = 5; return 8 }
	fmt.Println("captured struct", v.s[v.x:h()])
	v.x = 1
	fmt.Println("captured struct+1", v.s[v.x+1:h()])
	m := map[string]int{"a": 1}
	k := func() int { m["a"] = 5; return 8 }
	fmt.Println("map", gs[m["a"]:k()])
	is := []int{1}
	kk := func() int { is[0] = 5; return 8 }
	fmt.Println("elem", gs[is[0]:kk()])
	ii := 1
	pp := &ii
	kp := func() int { *pp = 5; return 8 }
	fmt.Println("deref", gs[*pp:kp()])
	ii = 1
	var e any = 1
	ke := func() int { e = 5; return 8 }
	fmt.Println("assert", gs[e.(int):ke()])
	var ar = [3]string{"a", "b", "c"}
	_ = ar
	src := func() int { gs = "abcdefghij"; return 8 }
	fmt.Println("operand", gs[1:src()])
	gs = "0123456789"
	t.s = gs
	src2 := func() int { t.s = "abcdefghij"; return 8 }
	fmt.Println("operand field", t.s[1:src2()])
	sl := []byte("0123456789")
	src3 := func() int { sl = []byte("abcdefghij"); return 8 }
	fmt.Println("operand slice", string(sl[1:src3()]))
	ar2 := [10]byte{'0', '1', '2', '3'}
	src4 := func() int { ar2[1] = 'x'; return 3 }
	fmt.Println("operand array", string(ar2[0:src4()]))
	n := 1
	kn := func() int { n = 5; return 8 }
	fmt.Println("conv", gs[int8(n):kn()], gs[len(t.b[n:]):9])
	n = 1
	ln := func() int { t.b = t.b[:3]; return 8 }
	fmt.Println("len", gs[len(t.b)-7:ln()])
	t.b = b
	fmt.Println("len", gs[:len(t.b)-ln()])
	y := 1
	ky := func() int { y = 5; return 8 }
	fmt.Println("index two", gs[y], gs[ky()], gs[y])
	y = 1
	fmt.Println(gs[y:][:ky()-y])
	mm := [][]int{{1, 2}, {3, 4}}
	ix := 0
	kx := func() int { ix = 1; return 1 }
	fmt.Println("nested", mm[ix][kx()])
	ix = 0
	fmt.Println("nested+", mm[ix+0][kx()])
	fmt.Println("sum", t.x+t.f()+t.x)
}

// run

// Places that are assigned to, receivers, func values, and what panics, beside calls that change them.
package main

import "fmt"

var gl [4]int
var gi int
var gm = map[string]int{}

func two() (int, int) { gi++; return gi, gi * 10 }
func one() int        { gi++; return gi }

type N struct {
	v    int
	l, r *N
}

func (n *N) sum() int {
	if n == nil {
		return 0
	}
	n.v++
	return n.v + n.l.sum() + n.r.sum()
}

type W struct{ n int }

func (w *W) add(k int) *W { w.n += k; return w }
func (w W) get() int      { return w.n }
func (w *W) step() int    { w.n++; return w.n }

type I interface{ step() int }

var gw W
var gf = func(a int) int { return a + 1 }
var giface I = &gw

func setf() int { gf = func(a int) int { return a + 100 }; return 1 }
func seti() int { giface = &W{50}; return 1 }

func (w *W) take(a, b int) { fmt.Println("take", w.n, a, b) }

func main() {
	x, y := 1, 2
	get := func() int { return x }
	x, y = 5, get()
	fmt.Println(x, y)
	x, y = get()+1, get()+x
	fmt.Println(x, y)
	set := func(n int) int { x = n; return n }
	x, y = x+1, set(9)
	fmt.Println(x, y)
	y, x = x, set(11)
	fmt.Println(x, y)
	gl[gi], gl[gi+1] = one(), one()
	fmt.Println(gl, gi)
	gi = 0
	gl[gi], y = two()
	gl[(one()+gi)%4], gl[0] = two()
	gi, gl[gi%4] = two()
	var okk [2]bool
	gm2 := map[int]int{4: 5}
	gl[gi%4], okk[gi%2] = gm2[one()]
	fmt.Println(okk, gl)
	gi = 0
	fmt.Println(gl, gi, y)
	gm["a"], gm["b"] = gi, one()
	fmt.Println(gm)
	gm[fmt.Sprint(gi)] = one()
	fmt.Println(gm)
	gm[fmt.Sprint(gi)] += one()
	fmt.Println(gm)
	gi = 0
	gl[gi] += one()
	gi = 1
	gl[one()] += gi
	fmt.Println(gl)
	gi = 1
	gl[gi]++
	gl[one()]++
	fmt.Println(gl)
	t := &N{1, &N{2, nil, nil}, &N{3, &N{4, nil, nil}, nil}}
	fmt.Println(t.sum(), t.v+t.sum(), t.sum()+t.v)
	fmt.Println(gw.add(1).add(gw.n).n+gw.n, gw.get()+gw.step(), gw.step()+gw.get())
	fmt.Println(gf(setf()), gf(1))
	fmt.Println(giface.step() + seti()*giface.step())
	gw.take(gw.step(), gw.step())
	pw := &gw
	ps := []*W{pw, {7}}
	k := 0
	next := func() int { k++; return k }
	ps[k].take(k, k+next())
	ps[k%2].take(k, next())
	var f func(int, int)
	f = pw.take
	f(next(), gw.step())
	f = ps[k%2].take
	f(k, next())
	a := [3]int{k, next(), k}
	fmt.Println(a)
	b := []any{k, next(), k, a, "s" + fmt.Sprint(next()), k}
	fmt.Println(b...)
	m := map[int]any{k: next(), next(): k, next() + k: k + next()}
	fmt.Println(len(m), m)
	c := struct {
		a, b int
		w    W
	}{k, next(), W{k}}
	fmt.Println(c)
	s := "x"
	ap := func(t string) string { s += t; return t }
	fmt.Println(s+ap("y")+s, ap("z")+s, len(s)+len(ap("q")))
	bs := []byte(s)
	mod := func(i int) int { bs[i] = 'Q'; return i }
	fmt.Println(string(bs)+fmt.Sprint(mod(0)), string(bs[mod(1):])+string(bs))
	fmt.Println(bs[0] == 'Q' && mod(2) == 2 && bs[2] == 'Q', bs[mod(3)], string(bs))
	ch := make(chan int, 3)
	ch <- k + next()
	ch <- next() + k
	fmt.Println(<-ch+k, <-ch+next(), k)
	arr := [3][2]int{}
	ch2 := func(i int) int { arr[i][0]++; return i }
	fmt.Println(arr, ch2(1), arr)
	fmt.Println(arr[1][0]+ch2(1), arr[ch2(0)][0], arr[1])
	w := W{1}
	inc := func() int { w.n++; return w.n }
	fmt.Println(w, inc(), w, w.n, any(w), inc())
	fmt.Println(w == W{inc()}, w.n+inc(), inc() == w.n)
	func(v W, n int) { fmt.Println(v, n, w) }(w, inc())
	go func(a, b int) { ch <- a*1000 + b }(k+next(), next())
	fmt.Println(<-ch)
	defer func(a, b, c int) { fmt.Println(a, b, c) }(k, next(), k)
	defer pw.take(k+next(), next())
	defer fmt.Println(k, next(), k)
	switch k + next() {
	case next() + k:
		fmt.Println("eq")
	case k + next(), next():
		fmt.Println("other")
	}
	var q, r int = k + next(), next()
	fmt.Println(q, r, min(k, next()), max(next(), k), append([]int{k}, next(), k))
	fmt.Println(cap(make([]int, k, k+next())), copy(bs[k%2:], fmt.Sprint(next())), string(bs))
	if k+next() < next()+k || next() > k {
		fmt.Println("lt", k)
	}
	for i := k + next() - k; i < next()+i; i += next() {
		fmt.Println(i, k)
		if k > 60 {
			break
		}
	}
	fmt.Println(ret())
	fmt.Println(named())
	fmt.Println(gen(3, func() int { k++; return k }), k)
	var z *W
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		fmt.Println(z.n, next())
	}()
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		fmt.Println(bs[100+k], next())
	}()
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		bs[100+k] = byte(next())
	}()
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		z.n = next()
	}()
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		z.n, k = next(), next()
	}()
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		var nm map[int]int
		nm[next()] = next()
	}()
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		var e any = "s"
		fmt.Println(e.(int)+next(), next())
	}()
	func() {
		defer func() { fmt.Println("rec", recover(), k) }()
		zero := k - k
		fmt.Println(next()/zero, next())
	}()
}

func ret() (int, string, [2]int) { return gi + one(), fmt.Sprint(gi), [2]int{gi, one()} }
func named() (a, b int) {
	f := func() int { a++; return a }
	return a + f(), f() + a
}
func gen[T int | float64](a T, f func() T) T { return a + f()*a + f() - a*f() }

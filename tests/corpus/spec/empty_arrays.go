// run

// Indexing what has no elements, or elements without size: the pointer is looked at first, then the index.
package main

import "fmt"

type huge [2000]int

type S struct {
	a, b string
	c    any
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

var n = 0

//go:noinline
func get(i int) int { var w [0]int; return w[i] }

//go:noinline
func gets(i int) S { var w [0]S; return w[i] }

//go:noinline
func geth(i int) huge { var w [0]huge; return w[i] }

//go:noinline
func field(i int) string { var w [0]S; return w[i].b }

//go:noinline
func deep(i int) int { var w [0][3]int; return w[i][i] }

//go:noinline
func set(i int) { var w [0]int; w[i] = 5; w[i]++; w[i] += 2 }

//go:noinline
func setf(i int) { var w [0]S; w[i].b = "x"; w[i].c = i }

//go:noinline
func addr(i int) *int { var w [0]int; return &w[i] }

//go:noinline
func addrf(i int) *string {
	var w [0]S
	return &w[i].b
}

//go:noinline
func ptr(p *[0]int, i int) int { return p[i] }

//go:noinline
func hptr(p *[0]huge, i int) int { return p[i][i] }

//go:noinline
func mp(m map[int][0]S, i int) S { return m[i][i] }

//go:noinline
func cx(i int) complex128 { var w [0]complex128; return w[i] }

//go:noinline
func sl(i int) []int { var w [0][4]int; return w[i][:] }

//go:noinline
func lit(i int) int { return [0]int{}[i] }

//go:noinline
func call() [0]S { return [0]S{} }

//go:noinline
func viaCall(i int) (any, string) { return call()[i].c, call()[i].a }

//go:noinline
func iface(i int) any { var w [0]any; return w[i] }

//go:noinline
func fn(i int) { var w [0]func(); w[i]() }

//go:noinline
func arr(i int) int {
	var w [2][0]int
	return w[1][i]
}

func main() {
	var s struct{ x [0]S }
	try(func() { get(n) })
	try(func() { gets(n) })
	try(func() { geth(n) })
	try(func() { field(n) })
	try(func() { deep(n) })
	try(func() { set(n) })
	try(func() { setf(n) })
	try(func() { addr(n) })
	try(func() { addrf(n) })
	try(func() { ptr(&[0]int{}, n) })
	try(func() { ptr(nil, n) })
	try(func() { hptr(&[0]huge{}, n) })
	try(func() { mp(map[int][0]S{}, n) })
	try(func() { mp(nil, n) })
	try(func() { cx(n) })
	try(func() { sl(n) })
	try(func() { lit(n) })
	try(func() { viaCall(n) })
	try(func() { iface(n) })
	try(func() { fn(n) })
	try(func() { arr(n) })
	try(func() { s.x[n].a = "y" })
	try(func() { fmt.Println(s.x[n]) })
	try(func() {
		for i, v := range s.x {
			fmt.Println(i, v)
		}
		x, y := s.x[n].a, s.x[n].b
		fmt.Println(x, y)
	})
}

type none struct{}

//go:noinline
func empties(p *[3]none, i int) none { return p[i] }

//go:noinline
func emptyOf(w [3]none, i int) none { return w[i] }

func init() {
	try(func() { empties(nil, 1) })
	try(func() { empties(nil, n+5) })
	try(func() { empties(&[3]none{}, n+5) })
	try(func() { emptyOf([3]none{}, n+5) })
	try(func() { fmt.Println(emptyOf([3]none{}, n+2)) })
	var q *[0]int
	try(func() {
		for i := range q {
			fmt.Println(i)
		}
		fmt.Println(len(q))
		for i, v := range q {
			fmt.Println(i, v)
		}
	})
	try(func() { q[n] = 3 })
	try(func() { fmt.Println(&q[n]) })
	try(func() { fmt.Println(q[:]) })
}

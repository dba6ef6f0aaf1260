// What the programs of order.rs begin with: functions that change what others read.
package main

import "fmt"

type pair struct{ a, b int }

func (p pair) value(n int) int   { return p.a*3 + n }
func (p *pair) change(n int) int { p.a += n & 63; return p.b + n }
func (p *pair) self(n int) *pair { p.b ^= n & 255; return p }

type valuer interface{ value(int) int }

var (
	g0, g1  = 1, 2
	text    = "ab"
	list    = []int{1, 2, 3, 4}
	array   = [4]int{5, 6, 7, 8}
	table   = map[int]int{1: 1}
	both    pair
	pointer        = &pair{3, 4}
	held    valuer = pair{1, 2}
	empty   any    = 7
	call           = func(n int) int { return n + 1 }
	queue          = make(chan int, 1_000_000)
	behind         = &array
	bytes          = []byte("hello")
)

//go:noinline
func f(n int) int {
	g0 = (g0 + n&7) & 0xffff
	g1 = (g1 ^ g0) & 0xffff
	list[n&3] = (list[n&3] + g1) & 0xfff
	array[g0&3] ^= n & 31
	table[n&7] = g0
	both.a = (both.a + 1) & 255
	both.b ^= n & 15
	if n&3 == 0 {
		pointer = &pair{pointer.b & 255, g0}
		held = pair{g1, g0}
		list = append([]int{g0}, list[:3]...)
	} else {
		pointer.a++
		empty = g0
		text = (text + "x")[len(text)/4:]
	}
	if n&7 == 5 {
		k := g0
		call = func(n int) int { return n + k }
		bytes = append(bytes[1:], byte('a'+g0&15))
	}
	bytes[n&1] = 'a' + bytes[n&1]&15
	queue <- g0
	return (g0*5 + n) & 1023
}

func small(n int) int { g0 += n & 3; return n ^ g0 }

//go:noinline
func two(n int) (int, int) { return f(n), f(n + 1) }

//go:noinline
func digits(n int) string { return fmt.Sprint(f(n) & 63) }

//go:noinline
func even(n int) bool { return f(n)&1 == 0 }

type wide struct {
	a, b, c, d, e, f int
	held             any
}

func (w wide) total(n int) int { return w.a + w.c*3 + w.f + n }

//go:noinline
func widen(w wide, n int) wide { w.c += n & 255; large.b = f(n); return w }

var (
	large  = wide{a: 1, f: 6}
	ratio  = 1.5
	nested = [3][2]int{{1, 2}, {3, 4}, {5, 6}}
	byName = map[string]*pair{"a": {1, 2}, "b": {3, 4}}
	lists  = [][]int{{1, 2}, {3, 4}}
)

//go:noinline
func real2(n int) float64 {
	ratio = ratio/2 + float64(f(n)&7)
	nested[n&1][g0&1] = n & 255
	large.d++
	large.held = n
	lists[n&1] = []int{g0, g1}
	holder.pair = &pair{g0, n & 255}
	byName["a"] = &pair{g1, g0}
	return ratio
}

func apply(f func(int) int, n int) int { return f(n) }

func adder(a int) func(int) int { return func(b int) int { return a + b + g0 } }

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n & 3 {
			g0++
			if !yield(i + g0) {
				return
			}
		}
	}
}

type outer struct{ *pair }

type box[T any] struct{ v T }

func (b *box[T]) swap(v T) T { old := b.v; b.v = v; g1++; return old }

var (
	boxed  = &box[int]{5}
	holder = outer{&pair{5, 6}}
)

func add(a, b, c int) int { return (a + b*3 + c*7) & 0xfffff }

//go:noinline
func sum(all ...int) int {
	x := 0
	for i, v := range all {
		x += v * (i + 1)
	}
	return x & 0xfffff
}

func first[V any](a V, n int) V { f(n); return a }

func main() {
	for i := range 10_000 {
		queue <- i
	}
	body()
}

// What the programs of exits.rs begin with: sequences that end in every way, and things to assign,
// compare and index that panic now and then.
package main

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
)

var (
	ticks, lines int

	one, two, three, five, seven = 1, 2, 3, 5, 7

	text     = "ab"
	list     = []int{1, 2, 3}
	array    = [3]int{4, 5, 6}
	table    = map[int]int{1: 1}
	byAny    = map[any]int{}
	byKey    = map[key]int{}
	noTable  map[int]int
	nothing  *pair
	spot     = &pair{1, 2}
	whole    outer
	anything any = 3
	queue        = make(chan int, 1000)
	tiny     int8
	small    uint16
	ratio    = 1.5
)

type pair struct{ a, b int }

type inner struct {
	pair
	name string
}

type outer struct {
	inner
	*side
	held any
}

type side struct{ s, t int }

type key struct {
	what any
	n    int
}

func (p pair) value(n int) int   { return p.a + n }
func (p *pair) change(n int) int { p.a += n & 7; return p.b + n }

// A box has methods with type parameters of their own.
type box[T any] struct{ held T }

func (b box[T]) with[U any](f func(T) U) box[U] { return box[U]{f(b.held)} }
func (b *box[T]) put[U any](u U, f func(U) T) T {
	old := b.held
	b.held = f(u)
	say("put", b.held)
	return old
}

func pick[S ~[]E, E any](s S, i int, or ...E) E {
	if i&7 < len(s) {
		return s[i&7]
	}
	return or[0]
}

func both[A, B any](a A, f func(A) B) B { return f(a) }

func same[T comparable](a, b T) bool { return a == b }

func digits(n int) string { say("digits", n); return fmt.Sprint(n & 63) }

func say(what string, values ...any) {
	if lines++; lines < 4000 {
		fmt.Println(append([]any{what}, values...)...)
	}
}

// f has an effect that is seen, and changes what others read.
func f(n int) int {
	ticks++
	list[ticks%len(list)] ^= n & 7
	array[n&1] += ticks & 3
	spot.a ^= n & 15
	say("f", n&1023)
	return (n + ticks) & 1023
}

// odd is true every other time or so.
func odd(n int) bool { ticks++; return (ticks*7+n)&3 < 2 }

func bad(n int) int {
	if odd(n) {
		panic(fmt.Sprint("bad ", n&63))
	}
	return n & 3
}

var errPlain = errors.New("plain")

// ---- Sequences.

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n & 3 {
			if !yield(i) {
				return
			}
		}
	}
}

func deferring(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer say("over", n)
		for i := range n&3 + 1 {
			defer func() { say("round", i) }()
			if !yield(i) {
				say("left", i)
				return
			}
		}
	}
}

func recovering(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer func() { say("recovers", told(recover())) }()
		for i := range n&3 + 1 {
			if !yield(i) {
				return
			}
		}
	}
}

func failing(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer say("fails", n)
		for i := range n & 3 {
			if !yield(i) {
				return
			}
		}
		panic(errPlain)
	}
}

func deaf(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n&3 + 1 {
			say("told", yield(i))
		}
	}
}

func nested(n int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := range deferring(n) {
			for j := range upTo(n + 1) {
				if !yield(i, fmt.Sprint(j)) {
					return
				}
			}
		}
	}
}

func passing(n int) func(func() bool) {
	return func(yield func() bool) {
		defer func() {
			if r := recover(); r != nil {
				say("passes", told(r))
				panic(r)
			}
		}()
		for range n&1 + 1 {
			if !yield() {
				return
			}
		}
	}
}

func leaving(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer say("leaves", n)
		if yield(n&3) && n&7 == 5 {
			runtime.Goexit()
		}
	}
}

// ---- What comes of it.

func told(r any) string {
	switch r := r.(type) {
	case nil:
		return "nothing"
	case runtime.Error:
		return "runtime: " + r.Error()
	case error:
		return "error: " + r.Error()
	}
	return fmt.Sprintf("%T %v", r, r)
}

// tell is deferred by what may panic.
func tell() {
	if r := recover(); r != nil {
		say("panics", told(r))
	}
}

// part runs body in a goroutine of its own, and says how it ends.
func part(n int, body func() (int, string)) {
	lines, ticks = 0, n
	done := make(chan bool)
	go func() {
		how := "gone"
		defer func() {
			if r := recover(); r != nil {
				how = told(r)
			}
			fmt.Println("part", n, how, ticks, text, list, array, table, len(byAny), byKey, *spot, whole.inner, whole.held, tiny, small, ratio)
			close(done)
		}()
		a, b := body()
		how = fmt.Sprint("returned ", a, " ", b)
	}()
	<-done
}

var nan = math.NaN()

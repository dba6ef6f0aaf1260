package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

var (
	_ = errors.New
	_ = maps.Keys[map[int]int]
	_ = math.Pi
	_ = os.Exit
	_ = strconv.Itoa
	_ = strings.ToUpper
	_ sync.Mutex
	_ atomic.Int64
	_ unsafe.Pointer
	_ = slices.Max[[]int]
)

// The calls made, as a number that depends on their order.
var trail uint64

// How many lines each part of the program has printed.
var lines int

func show(what string, values ...any) {
	if lines++; lines > 60 {
		for _, v := range values {
			trail = trail*31 + uint64(len(fmt.Sprint(v)))
		}
		return
	}
	fmt.Println(append([]any{what}, values...)...)
}

func form(format string, values ...any) string { return cut(fmt.Sprintf(format, values...)) }

func step[T any](n uint64, x T) T { trail = trail*1000003 + n; return x }

func id[T any](x T) T { return x }

func either[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// Runs body, and shows what it panics with.
func try(what string, body func()) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error:
			show(what, "runtime", r.Error())
		case error:
			show(what, "error", r.Error(), errors.Is(r, errPlain))
		default:
			show(what, fmt.Sprintf("%T %v", r, r))
		}
	}()
	body()
}

func part(what string, body func()) {
	lines, trail = 0, 0
	try(what, body)
	fmt.Println(what, "trail", trail)
}

func cut(s string) string {
	if len(s) > 60 {
		return s[:60]
	}
	return s
}

func few[S ~[]T, T any](s S) S {
	if len(s) > 20 {
		return s[:20:20]
	}
	return s
}

func at[S ~[]T, T any](s S, i int) (x T) {
	if len(s) > 0 {
		x = s[uint(i)%uint(len(s))]
	}
	return
}

func span[S ~[]T, T any](s S, i, j int) S {
	n := uint(len(s)) + 1
	a, b := uint(i)%n, uint(j)%n
	return s[min(a, b):max(a, b)]
}

func text(s string, i, j int) string {
	n := uint(len(s)) + 1
	a, b := uint(i)%n, uint(j)%n
	return s[min(a, b):max(a, b)]
}

func whole(f float64) int {
	if !(f > -1e15 && f < 1e15) {
		return -1
	}
	return int(f)
}

func as[T any](x any) T { v, _ := x.(T); return v }

func is[T any](x any) bool { _, ok := x.(T); return ok }

func each[T, U any](s []T, f func(T) U) []U {
	var out []U
	for _, x := range s {
		out = append(out, f(x))
	}
	return slices.Clip(out)
}

func fold[T, A any](s []T, a A, f func(A, T) A) A {
	for _, x := range s {
		a = f(a, x)
	}
	return a
}

func keep[S ~[]T, T any](s S, f func(T) bool) S {
	out := S{}
	for _, x := range s {
		if f(x) {
			out = append(out, x)
		}
	}
	return slices.Clip(out)
}

func total[M ~map[K]V, K cmp.Ordered, V any, A any](m M, a A, f func(A, K, V) A) A {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		a = f(a, k, m[k])
	}
	return a
}

type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type Number interface{ Integer | ~float32 | ~float64 }

func sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer func() { trail = trail*7 + 3 }()
		for i := range n {
			if !yield(i) {
				trail++
				return
			}
		}
	}
}

func pairs[T any](s []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, x := range s {
			if !yield(i, x) {
				return
			}
		}
	}
}

type Pair[A, B any] struct {
	a A
	b B
}

func pair[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }

func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.b, p.a} }
func (p *Pair[A, B]) Put(a A) (old A) { old, p.a = p.a, a; return }

type List[T any] struct {
	head *link[T]
	n    int
}

type link[T any] struct {
	x    T
	next *link[T]
}

func (l *List[T]) Push(x T) *List[T] { l.head = &link[T]{x, l.head}; l.n++; return l }

func (l *List[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for e := l.head; e != nil && yield(e.x); e = e.next {
		}
	}
}

var errPlain = errors.New("plain")

type Coded struct {
	code int
	why  string
}

func (c Coded) Error() string { return fmt.Sprint(c.why, "#", c.code) }

type Marked struct{ inner error }

func (m *Marked) Error() string { return "marked: " + m.inner.Error() }
func (m *Marked) Unwrap() error { return m.inner }

func failure(n int) error {
	switch uint(n) % 4 {
	case 0:
		return errPlain
	case 1:
		return Coded{n, "coded"}
	case 2:
		return &Marked{failure(n + 1)}
	}
	return fmt.Errorf("wrapped %d: %w", n, errPlain)
}

type Shape interface {
	Size(k int) int
	Name() string
}

// run
// What matches though it is not identical: channels of one direction, defined types and literals,
// interfaces and what has their methods; functions that are generic still.
package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

type source[T any] interface{ Next() (T, bool) }

var early = drain(counted{2}) // the methods of counted come later

type list[T any] struct{ rest []T }

func (l *list[T]) Next() (x T, ok bool) {
	if ok = len(l.rest) > 0; ok {
		x, l.rest = l.rest[0], l.rest[1:]
	}
	return
}

type counted struct{ n int }

type mapped[T, U any] struct {
	from source[T]
	f    func(T) U
}

func (m *mapped[T, U]) Next() (u U, ok bool) {
	x, ok := m.from.Next()
	if ok {
		u = m.f(x)
	}
	return u, ok
}

func of[T any](xs ...T) *list[T]                        { return &list[T]{xs} }
func each[T, U any](s source[T], f func(T) U) source[U] { return &mapped[T, U]{s, f} }
func text[T any](x interface{ String() T }) T           { return x.String() }
func minus[D, T any](x interface{ Sub(T) D }, y T) D    { return x.Sub(y) }
func drain[T any](s source[T]) (r []T) {
	for x, ok := s.Next(); ok && len(r) < 3; x, ok = s.Next() {
		r = append(r, x)
	}
	return
}

func (c counted) Next() (int, bool) { return c.n, true }

type pred[T any] func(T) bool

func never[T any](T) pred[<-chan T]      { return nil }
func typed[T any](x T, p pred[T]) string { return fmt.Sprintf("%T %T", x, p) }
func join[T any](a, b T) string          { return fmt.Sprintf("%T", a) }

type loose[P any] any

func takes[P any](l loose[P], p P) string { return fmt.Sprintf("%T", p) }

type handler func(string) string
type ids []int
type names = []string

func put[M ~map[K]V, K comparable, V any](m M, k K, v V) M { m[k] = v; return m }
func last[S ~[]E, E any](e E, s S) S                       { return append(s, e) }
func send[C ~chan E | ~chan<- E, E any](c C, e E)          { c <- e }

func id[T any](x T) T                           { return x }
func conv[P, Q any](p P) (q Q)                  { *any(&q).(*string) = fmt.Sprint(p); return }
func both[K comparable, V any](k K, v V) string { return fmt.Sprint(k, v) }
func calls(f func(int) string, g ...func(string) string) string {
	for _, g := range g {
		f = func(f func(int) string) func(int) string {
			return func(i int) string { return g(f(i)) }
		}(f)
	}
	return f(7)
}
func chain[A, B, C any](f func(A) B, g func(B) C, a A) C { return g(f(a)) }

type unary func(int) int

type set[E any] []E

func (s set[E]) into[S ~[]E](to S) S                        { return append(to, s[0]) }
func (s set[E]) keyed[M ~map[K]E, K comparable](m M, k K) M { m[k] = s[0]; return m }
func (s set[E]) out[P *E](p P)                              { *p = s[0] }
func (s set[E]) by[F ~func(E) R, R any](f F) R              { return f(s[0]) }
func (s set[E]) get[D interface{ Default(E) E }](d D) E     { return d.Default(s[0]) }

type plus struct{}

func (plus) Default(i int) int { return i + 6 }

func main() {
	fmt.Println(early, drain(of(1, 2, 3)), drain(&list[string]{[]string{"a"}}), drain(of(true)))
	fmt.Println(drain(each(of(1, 2), func(i int) string { return fmt.Sprint(i, "!") })))
	var s source[bool] = of(true)
	fmt.Println(drain(s), text(time.Second), minus(time.Unix(5, 0), time.Unix(2, 0)))

	c, r := make(chan int), make(<-chan int)
	fmt.Println(typed(make(chan string), never("")), join(c, r), join(r, c))
	var l loose[int] = 1
	fmt.Println(takes(l, 1.5), join(ids{}, []int{}), join([]int{}, ids{}), join(names{}, nil))

	hs := slices.Insert([]handler{}, 0, func(s string) string { return s })
	is := slices.Insert([]ids{}, 0, []int{1})
	ch := make(chan ids, 1)
	send(ch, []int{2})
	m := put(map[string]ids{}, "k", []int{3})
	fmt.Println(len(hs), is, <-ch, m, len(last(strings.ToUpper, hs)))

	fmt.Println(calls(conv[int]), calls(conv, id, strings.ToUpper, id[string]))
	fmt.Println(unary(id)(8), (func(string, int) string)(both)("k", 2), any(unary(id)).(unary)(9))
	fmt.Println(chain(id[int], conv[int, string], 3), chain(id, strings.ToUpper, "u"))
	fs := map[string]unary{"id": id}
	fs["other"] = id
	sent := make(chan unary, 1)
	sent <- id
	fmt.Println(fs["other"](1), (<-sent)(2), []unary{id}[0](3), struct{ f unary }{id}.f(4))

	e, x := set[int]{4}, 0
	e.out(&x)
	fmt.Println(e.into(ids{1}), e.keyed(map[string]int{}, "a"), x, e.get(plus{}))
	fmt.Println(e.by(func(i int) string { return fmt.Sprint("r", i) }))
}

// run
// What go1.27 added: methods with type parameters of their own, and inference in conversions.
package main

import (
	"fmt"
	"strconv"
)

type list[T any] []T

func (l list[T]) each[U any](f func(T) U) list[U] {
	r := make(list[U], len(l))
	for i, x := range l {
		r[i] = f(x)
	}
	return r
}

func (l list[T]) fold[A any](a A, f func(A, T) A) A {
	for _, x := range l {
		a = f(a, x)
	}
	return a
}

func (l list[T]) zip[U any](m list[U]) []pair[T, U] {
	var r []pair[T, U]
	for i := range min(len(l), len(m)) {
		r = append(r, pair[T, U]{l[i], m[i]})
	}
	return r
}

type pair[A, B any] struct {
	a A
	b B
}

func (p pair[A, B]) with[C any](c C) pair[A, C]       { return pair[A, C]{p.a, c} }
func (p *pair[A, B]) put[X interface{ ~[]A }](from X) { p.a = from[0] }

type parser struct{ base int }

func (p parser) parse[N ~int | ~int64](s string) N {
	n, _ := strconv.ParseInt(s, p.base, 64)
	return N(n)
}

type embedding struct{ *parser }
type small int

func same[T any](x T) T { return x }

type unary func(string) string

func main() {
	l := list[int]{1, 2, 3}
	words := l.each(func(i int) string { return fmt.Sprint("w", i) })
	fmt.Println(words, l.fold("", func(s string, i int) string { return s + strconv.Itoa(i) }))
	fmt.Println(l.zip(words), l.zip(list[bool]{true}))
	p := pair[int, bool]{1, true}
	p.put([]int{8})
	fmt.Printf("%+v %T\n", p.with('x').with("y"), p.with(1.5))
	e := embedding{&parser{16}}
	fmt.Println(e.parse[int]("ff"), e.parse[small]("10"))
	parse := e.parse[int64]
	e.base = 2
	fmt.Println(parse("11"), e.parse[int]("11"), parser.parse[int](parser{8}, "17"))
	var infer func(string) small = e.parse
	fmt.Println(infer("101"), unary(same)("same"))
	done := make(chan bool)
	go func() { defer close(done); defer l.each[int](func(i int) int { fmt.Print(i, " "); return i }) }()
	<-done
	fmt.Println()
}

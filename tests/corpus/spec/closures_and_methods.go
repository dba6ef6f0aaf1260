// run
package main

import (
	"errors"
	"fmt"
	"strings"
)

type Shape interface {
	Area() float64
	Name() string
}
type Rect struct{ w, h float64 }
type Square struct {
	Rect
	label string
}

func (r Rect) Area() float64   { return r.w * r.h }
func (r Rect) Name() string    { return "rect" }
func (s *Square) Name() string { return "square " + s.label }

type Counter int

func (c *Counter) Inc() int { *c++; return int(*c) }
func (c Counter) Get() int  { return int(c) }

type Func func(int) int

func (f Func) Twice(x int) int { return f(f(x)) }

type List struct {
	v    int
	next *List
}

func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return 1 + l.next.Len()
}

type Stringer interface{ String() string }
type T struct{ n int }

func (t T) String() string { return fmt.Sprintf("T<%d>", t.n) }

type Wrapper struct{ Stringer }

type MyErr struct{ code int }

func (e *MyErr) Error() string { return fmt.Sprint("code ", e.code) }

func fails(n int) error {
	if n == 0 {
		return nil
	}
	if n == 1 {
		return &MyErr{n}
	}
	return fmt.Errorf("wrapped: %w", &MyErr{n})
}

func variadic(pre string, xs ...int) string {
	return fmt.Sprint(pre, len(xs), xs, xs == nil)
}

func multi() (int, string, error) { return 1, "two", nil }
func take(i int, s string, e error) string {
	return fmt.Sprint(i, s, e)
}

func fibs() func() int {
	a, b := 0, 1
	return func() int {
		defer func() { a, b = b, a+b }()
		return a
	}
}

func apply(n int, f func(int) int) int { return f(n) }

func main() {
	sq := &Square{Rect{2, 3}, "s"}
	shapes := []Shape{Rect{1, 2}, sq, &Rect{3, 4}}
	for _, s := range shapes {
		fmt.Println(s.Name(), s.Area())
	}
	var c Counter
	inc := c.Inc
	get := c.Get
	inc()
	inc()
	fmt.Println(c, get(), c.Get())
	n := (*Counter).Inc(&c)
	fmt.Println(n, Counter.Get(c))
	area := Rect.Area
	name := (*Square).Name
	iarea := Shape.Area
	fmt.Println(area(Rect{5, 5}), name(sq), iarea(sq))
	fmt.Println(Func(func(x int) int { return x * 3 }).Twice(2))
	fmt.Println((&List{1, &List{2, nil}}).Len(), (*List)(nil).Len())
	w := Wrapper{T{4}}
	var st Stringer = w
	fmt.Println(w, st.String(), w.String())
	for i := range 3 {
		err := fails(i)
		var me *MyErr
		fmt.Println(err, err == nil, errors.As(err, &me), me != nil && me.code == i)
	}
	fmt.Println(variadic("a"), variadic("b", 1), variadic("c", []int{1, 2}...), variadic("d", nil...))
	fmt.Println(take(multi()))
	f := fibs()
	for range 10 {
		fmt.Print(f(), " ")
	}
	fmt.Println()
	x := 10
	add := func(y int) int { x += y; return x }
	fmt.Println(apply(5, add), x, apply(7, func(n int) int { return n * x }))
	var rec func(int) int
	rec = func(n int) int {
		if n < 2 {
			return 1
		}
		return n * rec(n-1)
	}
	fmt.Println(rec(10), strings.Map(func(r rune) rune { return r + 1 }, "HAL"))
	m := map[string]func(...interface{}) string{"s": fmt.Sprint}
	fmt.Println(m["s"](1, 2, "x"))
	var iface interface{} = sq
	if s, ok := iface.(Shape); ok {
		fmt.Println(s.Area())
	}
	_, ok := iface.(fmt.Stringer)
	_, ok2 := iface.(*Rect)
	fmt.Println(ok, ok2)
	var e error
	fmt.Println(e == nil, e)
	var np *MyErr
	e = np
	fmt.Println(e == nil, e != nil)
	func(args ...string) { fmt.Println(len(args), args) }("p", "q")
	type local struct{ a, b int }
	fn := func() (l local) { l.a = 1; defer func() { l.b = 2 }(); return local{a: 7} }
	fmt.Println(fn())
	go func() {}()
	var eq1, eq2 interface{} = T{1}, T{1}
	fmt.Println(eq1 == eq2, eq1 != nil, eq1 == interface{}(T{2}), interface{}(1) == interface{}(int64(1)))
}

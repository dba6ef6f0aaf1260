// run
// A method with type parameters as a value, as an expression, behind go and defer; promoted, by
// value and by pointer, of instances, and inside generic functions.
package main

import "fmt"

type point struct{ n int }

func (p point) with[A any](a A) string                        { return fmt.Sprint(p.n, a) }
func (p *point) grow[N ~int | ~int64](n N) *point             { p.n += int(n); return p }
func (p point) pair[K comparable, V any](k K, v V) map[K]V    { return map[K]V{k: v} }
func (p point) count[A any](as ...A) int                      { return len(as) + p.n }
func (p point) send[A any](c chan A, a A)                     { c <- a }
func (p point) show[A any](a A)                               { fmt.Println("show", p.n, a) }
func (p point) large[A any](a A) (r [40]A, s string, ok bool) { r[39] = a; return r, "s", p.n > 0 }

type around struct {
	*point
	x int
}
type twice struct{ around }

type box[A any] struct{ a A }

func (b box[A]) to[B any](f func(A) B) box[B]       { return box[B]{f(b.a)} }
func (b *box[A]) first[S interface{ ~[]A }](from S) { b.a = from[0] }

func apply[X any](x X, f func(X) string) string { return f(x) }

func inside[Q any](q Q) (fs []func() string) {
	p := point{5}
	value, expr, grow := p.with[Q], point.with[Q], (*point).grow[int]
	grow(&p, 1)
	b := box[Q]{q}
	to := b.to[string]
	fs = append(fs, func() string { return value(q) }, func() string { return expr(p, q) })
	return append(fs, func() string { return to(func(q Q) string { return fmt.Sprintf("%T", q) }).a })
}

func main() {
	p := point{1}
	value := p.with[int]
	p.n = 9
	fmt.Println(value(1), p.with("x"), point.with[bool](p, true), (*point).with[string](&p, "p"))
	grow := p.grow[int64]
	fmt.Println(grow(5).n, p.n)

	t := twice{around{&point{3}, 2}}
	fmt.Println(t.with[int](4), twice.with[int](t, 5), (*twice).with[string](&t, "t"), t.grow(3).n)
	promoted := t.grow[int]
	promoted(10)
	fmt.Println(t.n, t.around.point.n)

	var inferred func(int) string = t.with
	fmt.Println(inferred(3), apply(7, t.with), apply("z", point{4}.with))
	fmt.Println(p.pair[string, int]("a", 1), (point.pair[int, bool])(p, 1, true), p.pair(1.5, 'c'))
	count := point.count[int]
	fmt.Println(count(p, 1, 2, 3), count(p, []int{1}...))
	r, s, ok := point{1}.large[int8](7)
	large := point.large[string]
	r2, _, ok2 := large(point{0}, "end")
	fmt.Println(r[39], s, ok, r2[39], ok2)

	to := box[int]{3}.to[string]
	fmt.Println(to(func(i int) string { return fmt.Sprint("#", i) }))
	back := box[int].to[float64]
	fmt.Println(back(box[int]{2}, func(i int) float64 { return float64(i) / 4 }))
	bs := &box[string]{}
	first := bs.first[[]string]
	first([]string{"q"})
	fmt.Println(bs.a)

	done := make(chan bool)
	go p.send[bool](done, true)
	fmt.Println(<-done)
	go t.point.send(done, false)
	fmt.Println(<-done)
	go point.send[bool](p, done, true)
	fmt.Println(<-done)

	for _, f := range inside([]int{1}) {
		fmt.Println(f())
	}
	defer func() {
		fmt.Println(recover())
		var none *twice
		defer func() { fmt.Println(recover()) }()
		_ = none.with[int]
	}()
	defer p.show[int](1)
	defer t.show("promoted")
	defer point.show[float64](point{8}, 2.5)
	defer (*box[string]).first[[]string](bs, []string{"w"})
	var none *point
	_ = none.with[int]
}

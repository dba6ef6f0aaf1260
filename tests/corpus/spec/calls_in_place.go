// run

// Small functions, which a compiler may compile in place: arguments and results that share variables, parameters that are assigned,
// constants, generic and recursive ones, several results, and what runtime.Callers says of them.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

type vec struct{ x, y, z int32 }

func (v vec) add(o vec) vec    { return vec{v.x + o.x, v.y + o.y, v.z + o.z} }
func (v vec) turned() vec      { return vec{v.z, v.x, v.y} }
func (v vec) swapped() (r vec) { r.x, r.y, r.z = v.y, v.x, v.z; return }
func (v *vec) grow(k int32)    { v.x += k; v.y += k; v.z += k }
func (v *vec) self() *vec      { return v }
func pair(v vec) [2]vec        { return [2]vec{v, v.turned()} }
func first(vs [2]vec) vec      { return vs[0] }
func second(vs [2]vec) vec     { vs[1].x++; return vs[1] }

type particle struct {
	pos, vel vec
	age      int32
}

func rotr(x uint32, k uint) uint32 { return x>>k | x<<(32-k) }
func shift(x int32, k int) int32   { return x << k }
func scale(x int8, k int8) int8    { return x*k - 100 }
func pick(c bool, a, b string) string {
	if c {
		return a
	}
	return b
}
func level(k int) string {
	switch {
	case k > 10:
		return "high"
	case k < -10:
		return "low"
	}
	return "middle"
}

func swap(a, b int) (int, int) { return b, a }
func sorted(a, b int) (lo, hi int) {
	lo, hi = a, b
	if lo > hi {
		return hi, lo
	}
	return
}
func count(n int) (sum int) {
	for n > 0 {
		sum += n
		n--
	}
	return
}
func addr(n int) *int { return &n }
func half(n int) (int, error) {
	if n%2 != 0 {
		return 0, errors.New("odd")
	}
	return n / 2, nil
}
func quarter(n int) (int, error) {
	h, err := half(n)
	if err != nil {
		return 0, fmt.Errorf("quarter of %d: %w", n, err)
	}
	return half(h)
}

func even(n int) bool { return n == 0 || odd(n-1) }
func odd(n int) bool  { return n != 0 && even(n-1) }

type number interface{ ~int | ~float64 | ~string }

func biggest[T number](a, b, c T) T {
	if b > a {
		a = b
	}
	if c > a {
		a = c
	}
	return a
}

type stack[E any] struct{ s []E }

func (s *stack[E]) push(e E) *stack[E] { s.s = append(s.s, e); return s }
func (s *stack[E]) pop() (E, bool) {
	var zero E
	if len(s.s) == 0 {
		return zero, false
	}
	e := s.s[len(s.s)-1]
	s.s = s.s[:len(s.s)-1]
	return e, true
}
func both[A, B any](s *stack[A], t *stack[B]) (a A, b B) {
	a, _ = s.pop()
	b, _ = t.pop()
	return
}

type shape interface{ area() int }
type square int

func (s square) area() int { return int(s * s) }
func area(s shape) int     { return s.area() }
func asAny(x any) any      { return x }
func sum(xs ...int) (s int) {
	for _, x := range xs {
		s += x
	}
	return
}
func must(n int, err error) int {
	if err != nil {
		panic(err)
	}
	return n
}

var trail []string

func note(s string, n int) int { trail = append(trail, s); return n }

func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}
func lineOfCaller() int { return line() }

func frames() string {
	pcs := make([]uintptr, 20)
	fs := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var all []string
	for {
		f, more := fs.Next()
		all = append(all, fmt.Sprint(strings.TrimPrefix(f.Function, "main."), ":", f.Line))
		if !more || f.Function == "main.main" {
			return strings.Join(all, " ")
		}
	}
}
func inner() string                 { return frames() }
func middle() string                { return "<" + inner() + ">" }
func (v vec) method() string        { return middle() }
func generic[T any](x T) (s string) { s = middle(); return }

func caught(f func() int) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	return fmt.Sprint(f())
}
func keep(n int) (kept int) {
	defer func() { recover() }()
	kept = 7
	kept = must(half(n))
	return
}

func split(n int) vec       { return vec{int32(n), int32(100 / n), 1} }
func splitTwice(n int) vec  { return split(n) }
func slowly(n int) (v vec)  { v.x = 50; v.y = int32(100 / n); return }
func slowlyTwice(n int) vec { return slowly(n) }
func keepVec(n int) (kept, other vec, last vec) {
	defer func() { recover() }()
	kept, other, last = vec{7, 7, 7}, vec{8, 8, 8}, vec{9, 9, 9}
	switch n {
	case 0:
		kept = splitTwice(n)
	case 1:
		other = slowlyTwice(n - 1)
	case 2:
		last = split(n - 2).add(kept)
	case 3:
		return split(1), slowly(2), splitTwice(n - 3)
	}
	return
}

func main() {
	p := particle{vec{1, 2, 3}, vec{10, 20, 30}, 5}
	p.pos = p.pos.add(p.vel)
	p.pos = p.pos.add(p.pos)
	p.vel = p.pos.turned().turned()
	v := p.pos
	v = v.turned()
	v = v.add(v.turned())
	v = v.swapped()
	v = second(pair(first(pair(v))))
	v.self().grow(2)
	v.self().self().grow(v.x)
	fmt.Println(p, v)
	fmt.Printf("%08x %08x %d %d\n", rotr(0xdeadbeef, 8), rotr(1, 1)^rotr(2, 3), shift(1, 31), shift(7, 40))
	fmt.Println(scale(100, 3), pick(true, "a", "b"), pick(v.x == 0, "a", "b"), level(11), level(-11), level(0), level(int(v.x)))
	a, b := 1, 2
	a, b = swap(a, b)
	b, a = sorted(a, b)
	fmt.Println(a, b)
	fmt.Println(swap(sorted(swap(3, 4))))
	n := 5
	n = count(n) + n
	q := addr(n)
	*q += count(*q)
	fmt.Println(n, *q, *addr(n))
	fmt.Println(quarter(12))
	fmt.Println(quarter(6))
	fmt.Println(even(10), odd(10), even(7))
	fmt.Println(biggest(1, 5, 3), biggest(2.5, 1, 0.5), biggest("b", "a", "c"), biggest(biggest(1, 2, 3), biggest(7, 5, 6), 4))
	s, t := new(stack[string]), new(stack[vec])
	s.push("a").push("b").push("c")
	t.push(v).push(v.turned())
	x, ok := s.pop()
	fmt.Println(x, ok)
	fmt.Println(both(s, t))
	fmt.Println(both(s, t))
	fmt.Println(both(s, t))
	fmt.Println(area(square(3)), asAny(square(4)), asAny(v), asAny(nil), sum(), sum(1, 2, 3), sum([]int{4, 5}...))
	fmt.Println(note("a", 1)+note("b", 2)*note("c", 3), sum(note("d", 4), note("e", 5)), trail)
	fmt.Println(line(), lineOfCaller())
	fmt.Println(inner())
	fmt.Println(middle())
	fmt.Println(v.method(), generic(1))
	fmt.Println(caught(func() int { return must(half(4)) }), caught(func() int { return must(half(3)) }))
	fmt.Println(caught(func() int { var v *vec; v.grow(1); return 0 }))
	fmt.Println(caught(func() int { k := -1; return int(shift(1, k)) }))
	fmt.Println(caught(func() int { return int(shift(1, -int(v.x*0+1))) }))
	fmt.Println(keep(8), keep(9))
	for n := range 5 {
		fmt.Println(keepVec(n))
	}
	for i := range 3 {
		defer func() { fmt.Println("deferred", i, biggest(i, 1, 1)) }()
	}
}

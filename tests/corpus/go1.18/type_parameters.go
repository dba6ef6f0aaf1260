// run
// What go1.18 added: type parameters of functions and types, constraints, type sets, any and
// comparable, inference from arguments and from constraints.
package main

import "fmt"

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

type ordered interface {
	integer | ~uint | ~float64 | ~string
}

type stringer interface {
	comparable
	fmt.Stringer
}

type celsius float64
type id int

func (i id) String() string { return fmt.Sprintf("#%d", int(i)) }

func largest[T ordered](first T, rest ...T) T {
	for _, x := range rest {
		if x > first {
			first = x
		}
	}
	return first
}

func index[T comparable](xs []T, x T) int {
	for i, y := range xs {
		if x == y {
			return i
		}
	}
	return -1
}

func scale[S ~[]E, E integer](s S, by E) S {
	r := make(S, len(s))
	for i, x := range s {
		r[i] = x * by
	}
	return r
}

func text[K stringer](k K, same ...K) (s string) {
	s = k.String()
	for _, o := range same {
		s += fmt.Sprint(" ", k == o)
	}
	return
}

func pointer[T any, P interface {
	*T
	set(string)
}](from ...string) []T {
	r := make([]T, len(from))
	for i, s := range from {
		P(&r[i]).set(s)
	}
	return r
}

type word struct{ s string }

func (w *word) set(s string) { w.s = "<" + s + ">" }

type stack[T any] struct {
	top   *node[T]
	count int
}

type node[T any] struct {
	value T
	below *node[T]
}

func (s *stack[T]) push(x T) *stack[T] {
	s.top, s.count = &node[T]{x, s.top}, s.count+1
	return s
}

func (s *stack[_]) size() int { return s.count }

func (s *stack[T]) pop() (x T, ok bool) {
	if s.top == nil {
		return
	}
	x, s.top, s.count = s.top.value, s.top.below, s.count-1
	return x, true
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

type table[K comparable, V any] map[K][]V

func (t table[K, V]) add(k K, vs ...V) { t[k] = append(t[k], vs...) }

func sorted[K ordered, V any](m map[K]V) (r []pair[K, V]) {
	for k, v := range m {
		at := 0
		for at < len(r) && r[at].key < k {
			at++
		}
		r = append(r, pair[K, V]{})
		copy(r[at+1:], r[at:])
		r[at] = pair[K, V]{k, v}
	}
	return
}

func kind[T any](x T) string {
	switch any(x).(type) {
	case int, string:
		return "basic"
	case []T:
		return "slice of itself"
	case interface{ size() int }:
		return "sized"
	}
	return fmt.Sprintf("%T", x)
}

type ids []id

func main() {
	fmt.Println(largest(1, 7, 3), largest(celsius(1.5), -2), largest("a"), largest[float64](1, 2.5))
	fmt.Println(index([]string{"a", "b"}, "b"), index([]any{1, "x", nil}[:1], any(2)), index([]id{4}, 4))
	s := scale(ids{1, 2}, 3)
	fmt.Printf("%T %v %v\n", s, s, scale([]int8{100}, 2))
	fmt.Println(text(id(3), 3, 4), pointer[word]("a", "b"))
	var st stack[pair[string, int]]
	fmt.Println(st.push(pair[string, int]{"one", 1}).push(pair[string, int]{value: 2}).size())
	for x, ok := st.pop(); ok; x, ok = st.pop() {
		fmt.Printf("%+v %T\n", x, x)
	}
	t := table[string, int]{}
	t.add("x", 1, 2)
	t.add("a")
	t.add("x", 3)
	fmt.Println(sorted(t), sorted(map[id]bool{2: true, 1: false}))
	fmt.Println(kind(1), kind(&st), kind(st), kind(table[bool, error](nil)))
	f := largest[string]
	fmt.Printf("%T %v\n", f, f("p", "q"))
}

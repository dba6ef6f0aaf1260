// run

// Containers with type parameters, sequences, sorting by several keys.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

type Number interface {
	~int | ~int64 | ~float64
}

func Map[T, U any](s []T, f func(T) U) []U {
	out := make([]U, 0, len(s))
	for _, v := range s {
		out = append(out, f(v))
	}
	return out
}

func Reduce[T, A any](s []T, a A, f func(A, T) A) A {
	for _, v := range s {
		a = f(a, v)
	}
	return a
}

func Sum[N Number](ns ...N) (t N) {
	for _, n := range ns {
		t += n
	}
	return
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v ...T) { s.items = append(s.items, v...) }

var ErrEmpty = errors.New("empty stack")

func (s *Stack[T]) Pop() (T, error) {
	var zero T
	if len(s.items) == 0 {
		return zero, ErrEmpty
	}
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, nil
}

func (s *Stack[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := len(s.items) - 1; i >= 0; i-- {
			if !yield(len(s.items)-1-i, s.items[i]) {
				return
			}
		}
	}
}

type Tree[K cmp.Ordered, V any] struct {
	root *node[K, V]
	size int
}

type node[K cmp.Ordered, V any] struct {
	k           K
	v           V
	left, right *node[K, V]
}

func (t *Tree[K, V]) Put(k K, v V) {
	p := &t.root
	for *p != nil {
		switch c := cmp.Compare(k, (*p).k); {
		case c < 0:
			p = &(*p).left
		case c > 0:
			p = &(*p).right
		default:
			(*p).v = v
			return
		}
	}
	*p = &node[K, V]{k: k, v: v}
	t.size++
}

func (n *node[K, V]) walk(yield func(K, V) bool) bool {
	return n == nil || n.left.walk(yield) && yield(n.k, n.v) && n.right.walk(yield)
}

func (t *Tree[K, V]) All() iter.Seq2[K, V] { return func(y func(K, V) bool) { t.root.walk(y) } }

type Set[T comparable] map[T]struct{}

func SetOf[T comparable](vs ...T) Set[T] {
	s := Set[T]{}
	for _, v := range vs {
		s[v] = struct{}{}
	}
	return s
}

func (s Set[T]) Union(o Set[T]) Set[T] {
	u := maps.Clone(s)
	maps.Copy(u, o)
	return u
}

func (s Set[T]) Has(v T) bool { _, ok := s[v]; return ok }

type Celsius float64

func (c Celsius) String() string { return fmt.Sprintf("%.1f°C", float64(c)) }

type Pair[A, B any] struct {
	First  A
	Second B
}

func Zip[A, B any](a []A, b []B) iter.Seq[Pair[A, B]] {
	return func(yield func(Pair[A, B]) bool) {
		for i := range min(len(a), len(b)) {
			if !yield(Pair[A, B]{a[i], b[i]}) {
				return
			}
		}
	}
}

type Cache[K comparable, V any] struct {
	data  map[K]V
	order []K
	cap   int
	onEvict func(K, V)
}

func NewCache[K comparable, V any](n int, evict func(K, V)) *Cache[K, V] {
	return &Cache[K, V]{data: make(map[K]V), cap: n, onEvict: evict}
}

func (c *Cache[K, V]) Put(k K, v V) {
	if _, ok := c.data[k]; !ok {
		if len(c.order) == c.cap {
			old := c.order[0]
			c.order = slices.Delete(c.order, 0, 1)
			if c.onEvict != nil {
				c.onEvict(old, c.data[old])
			}
			delete(c.data, old)
		}
		c.order = append(c.order, k)
	}
	c.data[k] = v
}

func main() {
	fmt.Println(Map([]int{1, 2, 3}, func(i int) string { return strings.Repeat("x", i) }))
	fmt.Println(Reduce([]string{"a", "b"}, 0, func(n int, s string) int { return n + len(s) }))
	fmt.Println(Sum(1, 2, 3), Sum(1.5, 2.5), Sum[Celsius](20, 1.5), Sum[int]())
	var s Stack[Celsius]
	s.Push(1, 2, 3)
	for i, v := range s.All() {
		fmt.Println(i, v)
	}
	for {
		v, err := s.Pop()
		if err != nil {
			fmt.Println(err, v)
			break
		}
		fmt.Print(v, " ")
	}
	var t Tree[string, int]
	for i, w := range strings.Fields("the quick brown fox jumps over the lazy dog") {
		t.Put(w, i)
	}
	for k, v := range t.All() {
		if k == "quick" {
			break
		}
		fmt.Print(k, "=", v, " ")
	}
	fmt.Println(t.size)
	u := SetOf(1, 2, 3).Union(SetOf(3, 4))
	fmt.Println(slices.Sorted(maps.Keys(u)), u.Has(4), len(u), u)
	for p := range Zip([]int{1, 2, 3}, []string{"a", "b"}) {
		fmt.Printf("%v %+v %#v %T\n", p, p, p, p)
	}
	c := NewCache(2, func(k string, v int) { fmt.Println("evict", k, v) })
	for i, k := range []string{"a", "b", "a", "c", "d"} {
		c.Put(k, i)
	}
	fmt.Printf("%v %T\n", c.data, c)
	people := []struct {
		Name string
		Age  int
	}{{"Bob", 30}, {"Alice", 30}, {"Eve", 25}}
	slices.SortFunc(people, func(a, b struct {
		Name string
		Age  int
	}) int {
		return cmp.Or(cmp.Compare(a.Age, b.Age), strings.Compare(a.Name, b.Name))
	})
	fmt.Printf("%+v\n", people)
	idx, found := slices.BinarySearchFunc(people, 30, func(p struct {
		Name string
		Age  int
	}, age int) int {
		return cmp.Compare(p.Age, age)
	})
	fmt.Println(idx, found, slices.Collect(slices.Chunk([]int{1, 2, 3, 4, 5}, 2)))
	next, stop := iter.Pull(maps.Values(map[int]int{1: 2}))
	fmt.Println(next())
	fmt.Println(next())
	stop()
}

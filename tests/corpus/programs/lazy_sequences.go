// run

// Sequences that are computed when they are read: iterators with generic steps, and generators.
package main

import (
	"bufio"
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

func Map[A, B any](s iter.Seq[A], f func(A) B) iter.Seq[B] {
	return func(yield func(B) bool) {
		for a := range s {
			if !yield(f(a)) {
				return
			}
		}
	}
}

func Filter[A any](s iter.Seq[A], keep func(A) bool) iter.Seq[A] {
	return func(yield func(A) bool) {
		s(func(a A) bool { return !keep(a) || yield(a) })
	}
}

func Take[A any](s iter.Seq[A], n int) iter.Seq[A] {
	return func(yield func(A) bool) {
		if n <= 0 {
			return
		}
		i := 0
		for a := range s {
			if i++; !yield(a) || i == n {
				return
			}
		}
	}
}

func Zip[A, B any](a iter.Seq[A], b iter.Seq[B]) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		next, stop := iter.Pull(b)
		defer stop()
		for x := range a {
			y, ok := next()
			if !ok || !yield(x, y) {
				return
			}
		}
	}
}

func Merge[A any](less func(A, A) int, a, b iter.Seq[A]) iter.Seq[A] {
	return func(yield func(A) bool) {
		na, sa := iter.Pull(a)
		defer sa()
		nb, sb := iter.Pull(b)
		defer sb()
		x, okx := na()
		y, oky := nb()
		for okx || oky {
			if okx && (!oky || less(x, y) <= 0) {
				if !yield(x) {
					return
				}
				x, okx = na()
			} else {
				if !yield(y) {
					return
				}
				y, oky = nb()
			}
		}
	}
}

func Fold[A, B any](s iter.Seq[A], acc B, f func(B, A) B) B {
	for a := range s {
		acc = f(acc, a)
	}
	return acc
}

func Sum[N Number](s iter.Seq[N]) N { return Fold(s, 0, func(a, b N) N { return a + b }) }

func Windows[A any](s iter.Seq[A], n int) iter.Seq[[]A] {
	return func(yield func([]A) bool) {
		var w []A
		for a := range s {
			if w = append(w, a); len(w) > n {
				w = w[1:]
			}
			if len(w) == n && !yield(slices.Clone(w)) {
				return
			}
		}
	}
}

func GroupBy[K cmp.Ordered, A any](s iter.Seq[A], key func(A) K) iter.Seq2[K, []A] {
	return func(yield func(K, []A) bool) {
		m := map[K][]A{}
		for a := range s {
			m[key(a)] = append(m[key(a)], a)
		}
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

func Naturals(yield func(int) bool) {
	for n := 0; yield(n); n++ {
	}
}

func Fib[N Number]() iter.Seq[N] {
	return func(yield func(N) bool) {
		for a, b := N(0), N(1); yield(a); a, b = b, a+b {
		}
	}
}

func Primes() iter.Seq[int] {
	return func(yield func(int) bool) {
		var known []int
	next:
		for n := 2; ; n++ {
			for _, p := range known {
				if p*p > n {
					break
				}
				if n%p == 0 {
					continue next
				}
			}
			known = append(known, n)
			if !yield(n) {
				return
			}
		}
	}
}

func Permutations[A any](list []A) iter.Seq[[]A] {
	return func(yield func([]A) bool) {
		list := slices.Clone(list)
		var gen func(int) bool
		gen = func(n int) bool {
			if n <= 1 {
				return yield(list)
			}
			for i := range n {
				if !gen(n - 1) {
					return false
				}
				if n%2 == 0 {
					list[i], list[n-1] = list[n-1], list[i]
				} else {
					list[0], list[n-1] = list[n-1], list[0]
				}
			}
			return true
		}
		gen(len(list))
	}
}

type Tree[T cmp.Ordered] struct {
	left, right *Tree[T]
	v           T
}

func (t *Tree[T]) Insert(v T) *Tree[T] {
	switch {
	case t == nil:
		return &Tree[T]{v: v}
	case v < t.v:
		t.left = t.left.Insert(v)
	case v > t.v:
		t.right = t.right.Insert(v)
	}
	return t
}

func (t *Tree[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) { t.push(yield) }
}

func (t *Tree[T]) push(yield func(T) bool) bool {
	return t == nil || t.left.push(yield) && yield(t.v) && t.right.push(yield)
}

func Lines(s string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		sc := bufio.NewScanner(strings.NewReader(s))
		for n := 1; sc.Scan(); n++ {
			if !yield(n, sc.Text()) {
				return
			}
		}
	}
}

func find(s iter.Seq[int], want int) (steps int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("recovered: %v", p)
		}
	}()
	for n := range s {
		steps++
		if n == want {
			return steps, nil
		}
		if n > want {
			return steps, errors.New("not there")
		}
		defer func() { steps++ }()
	}
	return
}

func main() {
	squares := Map(Filter(Naturals, func(n int) bool { return n%3 == 1 }),
		func(n int) int { return n * n })
	fmt.Println(slices.Collect(Take(squares, 5)), Sum(Take(squares, 100)))
	fmt.Println(slices.Collect(Take(Fib[float64](), 12)), Sum(Take(Fib[int64](), 80)))
	for p, f := range Zip(Primes(), Take(Fib[int](), 6)) {
		fmt.Print(p, ":", f, " ")
	}
	fmt.Println()
	fmt.Println(slices.Collect(Take(Merge(cmp.Compare, Take(squares, 4), Take(Primes(), 8)), 10)))
	for w := range Windows(Take(Primes(), 6), 3) {
		fmt.Print(w)
	}
	fmt.Println()
	for k, v := range GroupBy(strings.FieldsSeq("one two three four five six seven"),
		func(s string) int { return len(s) }) {
		fmt.Print(k, v, " ")
	}
	fmt.Println()
	n := 0
	for p := range Permutations([]string{"a", "b", "c", "d"}) {
		if n++; n%8 == 0 {
			fmt.Print(p)
		}
	}
	fmt.Println(n)
	var t *Tree[string]
	for w := range strings.SplitSeq("m,c,x,a,d,z,y", ",") {
		t = t.Insert(w)
	}
	fmt.Println(slices.Collect(t.All()), slices.Collect(Take(t.All(), 3)))
outer:
	for n, line := range Lines("a b\nc d e\n\nf") {
		for w := range strings.FieldsSeq(line) {
			if w == "d" {
				continue outer
			}
			if w == "f" {
				break outer
			}
			fmt.Print(n, w, " ")
		}
	}
	fmt.Println()
	fmt.Println(find(Primes(), 31))
	fmt.Println(find(Primes(), 32))
	fmt.Println(find(func(yield func(int) bool) { yield(1); panic("in the sequence") }, 5))
	fmt.Println(find(func(yield func(int) bool) {
		for yield(9) {
		}
		yield(10)
	}, 9))
	next, stop := iter.Pull2(maps.All(map[string]int{"only": 1}))
	fmt.Println(next())
	fmt.Println(next())
	stop()
	fmt.Println(slices.Collect(slices.Chunk([]int{1, 2, 3, 4, 5}, 2)),
		slices.Sorted(maps.Values(map[int]int{1: 5, 2: 4})))
	for i := range slices.Backward([]string{"x", "y"}) {
		fmt.Print(i)
	}
	for i := range 3 {
		defer fmt.Print(i, "\n")
	}
	fmt.Println()
}

package main

import "fmt"

// Functions as values: generic Map, Filter and Reduce, lazy sequences that pull from
// one another, memoised recursion, and curried and composed functions.

func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func Filter[T any](xs []T, keep func(T) bool) []T {
	var out []T
	for _, x := range xs {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

func Reduce[T, A any](xs []T, start A, f func(A, T) A) A {
	for _, x := range xs {
		start = f(start, x)
	}
	return start
}

func Memo[K comparable, V any](f func(self func(K) V, k K) V) func(K) V {
	known := map[K]V{}
	var self func(K) V
	self = func(k K) V {
		if v, ok := known[k]; ok {
			return v
		}
		v := f(self, k)
		known[k] = v
		return v
	}
	return self
}

// A stream gives its next element, and false once there is none.
type stream[T any] func() (T, bool)

func count(from, to int) stream[int] {
	return func() (int, bool) {
		from++
		return from - 1, from <= to
	}
}

func (s stream[T]) where(keep func(T) bool) stream[T] {
	return func() (T, bool) {
		for {
			x, ok := s()
			if !ok || keep(x) {
				return x, ok
			}
		}
	}
}

func transform[T, U any](s stream[T], f func(T) U) stream[U] {
	return func() (u U, ok bool) {
		x, ok := s()
		if ok {
			u = f(x)
		}
		return u, ok
	}
}

func compose[T any](fs ...func(T) T) func(T) T {
	return Reduce(fs, func(x T) T { return x }, func(g, f func(T) T) func(T) T {
		return func(x T) T { return f(g(x)) }
	})
}

type pair struct{ n, k int }

func main() {
	add := func(a int) func(int) int { return func(b int) int { return a + b } }
	times := func(a int) func(int) int { return func(b int) int { return a * b % 10007 } }
	numbers := make([]int, 1000)
	for i := range numbers {
		numbers[i] = i
	}
	total := 0
	for round := 0; round < 700; round++ {
		odd := Filter(numbers, func(n int) bool { return n%3 != round%3 })
		halves := Map(odd, func(n int) float64 { return float64(n) / 2 })
		total += int(Reduce(halves, 0, func(a, h float64) float64 { return a + h }))
	}
	fmt.Println("eager", total)

	f := compose(add(3), times(7), add(-1), times(11), add(5))
	digest := 0
	sevens := count(0, 2500000).where(func(n int) bool { return n%7 == 0 })
	next := transform(transform(sevens, f), func(n int) bool { return n&1 == 1 })
	for odd, ok := next(); ok; odd, ok = next() {
		digest++
		if odd {
			digest = digest * 3 % 1000003
		}
	}
	fmt.Println("lazy", digest, f(1))

	binomial := Memo(func(self func(pair) int, p pair) int {
		if p.k == 0 || p.k == p.n {
			return 1
		}
		return (self(pair{p.n - 1, p.k - 1}) + self(pair{p.n - 1, p.k})) % 1000000007
	})
	fmt.Println("memo", binomial(pair{600, 250}), binomial(pair{300, 42}))
}

// run
// Iterators made of iterators: filters, maps, takes and zips of one another, in every order of ending.
package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func filter[T any](s iter.Seq[T], ok func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for x := range s {
			if ok(x) && !yield(x) {
				return
			}
		}
	}
}

func mapped[T, U any](s iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for x := range s {
			if !yield(f(x)) {
				return
			}
		}
	}
}

func take[T any](s iter.Seq[T], n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		if n <= 0 {
			return
		}
		left := n
		for x := range s {
			left--
			if !yield(x) || left == 0 {
				return
			}
		}
	}
}

func chunks[T any](s iter.Seq[T], n int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		var c []T
		for x := range s {
			if c = append(c, x); len(c) == n {
				if !yield(c) {
					return
				}
				c = nil
			}
		}
		if len(c) > 0 {
			yield(c)
		}
	}
}

func numbered[T any](s iter.Seq[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for x := range s {
			if !yield(i, x) {
				break
			}
			i++
		}
	}
}

func chained[T any](all ...iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, s := range all {
			for x := range s {
				if !yield(x) {
					return
				}
			}
		}
	}
}

// It goes on when it should not.
func stubborn[T any](s iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for x := range s {
			yield(x)
		}
	}
}

func first(s iter.Seq[int], ok func(int) bool) (int, bool) {
	for x := range filter(s, ok) {
		return x, true
	}
	return 0, false
}

func grid(w, h int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for x := range count(w) {
			for y := range count(h) {
				if !yield(x, y) {
					return
				}
			}
		}
	}
}

func main() {
	even := func(x int) bool { return x%2 == 0 }
	square := func(x int) int { return x * x }
	for x := range take(mapped(filter(count(100), even), square), 5) {
		fmt.Print(x, " ")
	}
	fmt.Println()
	sum, seen := 0, 0
	for x := range filter(mapped(count(1000), square), even) {
		seen++
		if x > 5000 {
			break
		}
		if x%3 == 0 {
			continue
		}
		sum += x
	}
	fmt.Println(sum, seen)
	s := filter(count(20), even)
	for x := range s {
		fmt.Print(x, " ")
	}
	t := mapped(s, func(x int) string { return strings.Repeat("*", x/4) })
	for i, x := range numbered(take(t, 7)) {
		fmt.Print(i, x, " ")
		if i == 5 {
			break
		}
	}
	fmt.Println(slices.Collect(t))
	for c := range chunks(count(7), 3) {
		fmt.Print(c, " ")
	}
	for c := range chunks(chunks(count(9), 2), 2) {
		if fmt.Print(c, " "); len(c) == 1 {
			break
		}
	}
	fmt.Println()
	not3 := func(x int) bool { return x%3 != 0 }
	for x := range filter(filter(filter(count(40), even), not3), func(x int) bool { return x > 9 }) {
		if x > 30 {
			break
		}
		fmt.Print(x, " ")
	}
	add := func(k int) func(int) int { return func(x int) int { return x + k } }
	for i, x := range numbered(mapped(mapped(take(take(count(9), 6), 4), add(10)), add(300))) {
		fmt.Print(i, x, " ")
	}
	fmt.Println()
	for x := range take(chained(count(3), take(count(5), 2), s), 9) {
		fmt.Print(x, " ")
	}
	fmt.Println(first(count(50), func(x int) bool { return x*x > 800 }))
	fmt.Println(first(count(5), func(x int) bool { return x*x > 800 }))
outer:
	for x, y := range grid(4, 4) {
		for z := range take(count(10), x+1) {
			switch {
			case z == 2:
				continue outer
			case x == 2 && y == 2:
				break outer
			}
			fmt.Print(x, y, z, " ")
		}
	}
	fmt.Println()
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		for x := range stubborn(filter(count(9), even)) {
			if fmt.Print(x, " "); x == 4 {
				break
			}
		}
	}()
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		for x := range mapped(take(count(9), 4), func(x int) int { return 6 / (2 - x) }) {
			fmt.Print(x, " ")
		}
	}()
	var kept []func() int
	for x := range mapped(count(3), square) {
		kept = append(kept, func() int { x += 10; return x })
	}
	for _, f := range kept {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println(slices.Sorted(filter(maps.Keys(map[int]bool{5: true, 2: true, 8: false}), even)))
	next, stop := iter.Pull(take(filter(count(100), even), 3))
	for {
		x, ok := next()
		if !ok {
			break
		}
		fmt.Print(x, " ")
	}
	stop()
	fmt.Println()
}

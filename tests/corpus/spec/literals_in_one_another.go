// run
// Literals and iterators inside others of the same text, each with its own variables.
package main

import (
	"fmt"
	"iter"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func scaled(k int, f func(int) int) func(int) int {
	return func(x int) int { a := f(x) * k; return a + k }
}

func power(k int) func(int) int {
	return func(x int) int {
		r := 1
		if k > 0 {
			r = power2(k-1)(x) * x
		}
		return r + k
	}
}

func power2(k int) func(int) int {
	return func(x int) int { return scaled(k, func(y int) int { return y + k })(x) + k }
}

func limited(n int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := 0; i < n; i++ {
			m := n - i
			total := 0
			for range count(m) {
				total += n
			}
			if !yield(m, total) {
				return
			}
		}
	}
}

func main() {
	for x := range count(2) {
		for y := range count(5) {
			for z := range count(3) {
				fmt.Print(x, y, z, " ")
			}
		}
	}
	fmt.Println()
	f := scaled(3, func(x int) int { return scaled(5, func(y int) int { return y + x })(2) + x })
	fmt.Println(f(1), f(2))
	g := scaled(2, scaled(7, scaled(11, func(x int) int { return x })))
	fmt.Println(g(1), power(3)(2), power2(4)(3))
	h := func(x int) int { return scaled(x, func(y int) int { return y * x })(x) }
	for x := range count(3) {
		for y := range count(h(x)) {
			fmt.Print(x, y, " ")
			if y > x {
				break
			}
		}
	}
	for a, b := range limited(4) {
		for c := range count(a) {
			fmt.Print(a, b, c, " ")
		}
	}
	fmt.Println()
}

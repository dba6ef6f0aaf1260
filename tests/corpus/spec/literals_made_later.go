// run
// Literals in place of functions that their own text calls, made after all.
package main

import (
	"fmt"
	"iter"
	"slices"
)

func down(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n > 0 {
			for x := range down(n - 1) {
				if !yield(x + n) {
					return
				}
			}
		}
		yield(n)
	}
}

func nth(n int) func(int) int {
	return func(x int) int {
		if x <= 0 {
			return n
		}
		return nth(n*2)(x-1) + n
	}
}

//go:noinline
func use(f func(int) int) int { return f(3) }

func main() {
	s := down(3)
	fmt.Println(slices.Collect(s))
	for x := range s {
		fmt.Print(x, " ")
	}
	f := nth(5)
	fmt.Println(f(2), use(f), use(nth(7)), f(0))
	go func() {}()
	d := down(2)
	func() {
		for x := range d {
			defer fmt.Print(x, ";")
		}
	}()
	fmt.Println()
}

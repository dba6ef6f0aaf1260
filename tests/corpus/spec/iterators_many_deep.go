// run
// Loops over iterators that each loop twice over another, forty deep: compiled in no time.
package main

import (
	"fmt"
	"iter"
)

func dup(s iter.Seq[int]) iter.Seq[int] {
	return func(yield func(int) bool) {
		n := 0
		for range s {
			n++
		}
		for x := range s {
			if !yield(x + n) {
				return
			}
		}
	}
}

func one(yield func(int) bool) { yield(1) }

func main() {
	k := 0
	if k > 0 {
		for x := range dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(dup(func(yield func(int) bool) { yield(1) })))))))))))))))))))))))))))))))))))))))) {
			fmt.Println(x)
		}
	}
	for x := range dup(dup(dup(dup(dup(dup(func(yield func(int) bool) { yield(1) })))))) {
		fmt.Println(x)
	}
}

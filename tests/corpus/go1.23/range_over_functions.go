// run
// What go1.23 added: ranges over functions of one, two and no values.
package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Print("; ")
		for i := range n {
			if !yield(i) {
				fmt.Print("stopped")
				return
			}
		}
	}
}

func pairs[K comparable, V any](ks []K, vs ...V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i, k := range ks {
			if !yield(k, vs[i%len(vs)]) {
				return
			}
		}
	}
}

func find(n int) (found int) {
	defer func() { found++ }()
	for i := range upTo(10) {
		for j := range upTo(i) {
			if i*j == n {
				return i
			}
		}
	}
	return -1
}

func main() {
	for i := range upTo(3) {
		fmt.Print(i, " ")
	}
outer:
	for i := range upTo(5) {
		for j := range upTo(5) {
			switch {
			case j == 2:
				continue outer
			case i == 2:
				break outer
			}
			defer fmt.Println("deferred", i, j)
		}
	}
	fmt.Println(find(6))
	n := 0
	for range func(yield func() bool) { _ = yield() && yield() && yield() } {
		n++
	}
	for k, v := range pairs([]string{"a", "b", "c"}, 1, 2) {
		fmt.Print(k, v, " ")
	}
	fmt.Println(n, slices.Collect(maps.Values(maps.Collect(pairs([]int{1}, "one")))))
	func() {
		defer func() { fmt.Println(recover()) }()
		for range func(yield func() bool) { yield(); yield() } {
			break
		}
	}()
	next, stop := iter.Pull(upTo(2))
	fmt.Print(next())
	fmt.Print(next())
	fmt.Print(next())
	stop()
	fmt.Println()
}

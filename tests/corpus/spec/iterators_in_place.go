// run
// Loops over functions that are compiled where the loop stands: every way out of their bodies, what they share with their
// surroundings, and iterators that do not keep to the rules.
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
		for i := 0; i < n; i++ {
			if !yield(i) {
				fmt.Print("stop ")
				return
			}
		}
		fmt.Print("end ")
	}
}

func pairs[K comparable, V any](ks []K, vs []V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i, k := range ks {
			if !yield(k, vs[i]) {
				return
			}
		}
	}
}

func none(yield func() bool) {
	for yield() {
	}
}

type list struct {
	head int
	tail *list
}

func (l *list) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; l != nil; l = l.tail {
			if !yield(l.head) {
				return
			}
		}
	}
}

type tree struct {
	l, r *tree
	v    int
}

func (t *tree) walk(yield func(int) bool) bool {
	return t == nil || t.l.walk(yield) && yield(t.v) && t.r.walk(yield)
}

func (t *tree) all() iter.Seq[int] {
	return func(yield func(int) bool) { t.walk(yield) }
}

func find(n, want int) int {
	for x := range count(n) {
		if x*x == want {
			return x
		}
	}
	return -1
}

func named(n int) (found int, err error) {
	defer func() { found *= 2 }()
	for x := range count(n) {
		found = x
		if x == 3 {
			return x + 100, fmt.Errorf("at %d", x)
		}
	}
	return
}

func two(n int) (int, string) {
	for x := range count(n) {
		for y := range count(n) {
			if x+y == 5 {
				return x, strings.Repeat("y", y)
			}
		}
	}
	return 0, ""
}

func labels() (trail []string) {
	note := func(f string, a ...any) { trail = append(trail, fmt.Sprintf(f, a...)) }
outer:
	for x := range count(4) {
		for y := range count(4) {
			switch {
			case y == 1 && x == 0:
				continue outer
			case y == 2 && x == 1:
				continue
			case x == 2:
				break outer
			}
			note("%d%d", x, y)
		}
	}
	for i := range 3 {
	inner:
		for x := range count(5) {
			for j := 0; ; j++ {
				if j == i {
					continue inner
				}
				if x == 3 {
					break inner
				}
				note("%d%d%d", i, x, j)
			}
		}
	}
	i := 0
again:
	for x := range count(3) {
		if x == 1 && i < 2 {
			i++
			goto again
		}
		if i == 2 {
			goto out
		}
	}
out:
	note("i=%d", i)
	return
}

func sum(xs ...int) (s int) {
	for x := range slices.Values(xs) {
		s += x
	}
	return
}

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, r)
		}
	}()
	f()
	fmt.Println(name, "fine")
}

func main() {
	n := 3
	for x := range count(n) {
		n = 100
		x += 10
		fmt.Print(x, " ")
	}
	fmt.Println(n, find(10, 49), find(3, 49))
	fmt.Println(named(9))
	fmt.Println(named(2))
	fmt.Println(two(4))
	fmt.Println(two(2))
	fmt.Println(labels())
	fmt.Println(sum(1, 2, 3), sum())

	total := 0
	for k, v := range pairs([]string{"a", "b", "c"}, []float64{1.5, 2.5, 3.5}) {
		if k == "b" {
			continue
		}
		total += len(k)
		fmt.Print(k, v, " ")
	}
	for k := range pairs([]string{"x"}, []int{1}) {
		fmt.Print(k, " ")
	}
	for range pairs([]string{"x"}, []int{1}) {
		total++
	}
	for range none {
		if total++; total > 10 {
			break
		}
	}
	fmt.Println(total)
	l := &list{1, &list{2, &list{3, nil}}}
	for v := range l.all() {
		fmt.Print(v, " ")
	}
	seq := l.all()
	for v := range seq {
		fmt.Print(v, " ")
	}
	for v := range seq {
		fmt.Print(v, " ")
	}
	t := &tree{&tree{nil, nil, 1}, &tree{nil, nil, 3}, 2}
	for v := range t.all() {
		if v == 3 {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println(l.head)

	// Variables of the body and of its surroundings in closures.
	var fs []func() int
	k := 0
	for x := range count(3) {
		k += x
		fs = append(fs, func() int { x++; k++; return x*100 + k })
	}
	for _, f := range fs {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println(k)
	var a [3]int
	var m = map[int]string{}
	i := 0
	for i, m[i] = range pairs([]int{0, 1, 2}, []string{"p", "q", "r"}) {
		a[i] = len(m)
	}
	for a[0] = range count(5) {
	}
	fmt.Println(i, m, a)
	big := func(yield func([5]int, error) bool) {
		x := [5]int{1, 2, 3, 4, 5}
		for yield(x, nil) {
			x[0]++
		}
	}
	for x, err := range big {
		x[1] = 7
		if x[0] > 3 || err != nil {
			fmt.Println(x)
			break
		}
	}

	// Literals that use the variables of the loop.
	for step := range count(3) {
		local := func(yield func(int) bool) {
			for i := step; i < 6; i += step + 1 {
				if !yield(i * step) {
					return
				}
			}
		}
		for v := range local {
			fmt.Print(v, " ")
			if v > 8 {
				break
			}
		}
	}
	fmt.Println()
	for i, v := range slices.Backward([]string{"a", "b"}) {
		fmt.Print(i, v, " ")
	}
	fmt.Println(slices.Sorted(maps.Keys(map[string]int{"z": 1, "y": 2})))
	for part := range strings.SplitSeq("a,b,c", ",") {
		fmt.Print(part, ";")
	}
	fmt.Println()
	func() {
		defer fmt.Println("deferred")
		for x := range count(2) {
			defer fmt.Print("d", x, " ")
		}
	}()

	// Iterators that break the rules, and panics.
	stubborn := func(yield func(int) bool) { _ = yield(1) || yield(2) }
	try("stubborn", func() {
		for range stubborn {
			break
		}
	})
	twice := func(yield func(int) bool) {
		for i := range 3 {
			yield(i)
		}
	}
	try("twice", func() {
		for x := range twice {
			fmt.Print(x, " ")
			if x == 1 {
				break
			}
		}
	})
	try("panics", func() {
		for x := range count(3) {
			if x == 1 {
				panic(fmt.Sprint("at ", x))
			}
		}
	})
	try("index", func() {
		for x := range count(9) {
			fmt.Print(a[x], " ")
		}
	})
	try("nil", func() {
		var f iter.Seq[int]
		for range f {
		}
	})
	var kept func(int) bool
	try("keeps", func() {
		for range func(yield func(int) bool) { kept = yield; yield(1) } {
		}
		kept(2)
	})
	fmt.Println(func() (r int) {
		defer func() { r, _ = recover().(int) }()
		for x := range func(yield func(int) bool) {
			if !yield(5) {
				panic(77)
			}
		} {
			return x
		}
		return 0
	}())
}

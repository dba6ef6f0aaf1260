// run

// Packages slices, maps, cmp and iter.
package main

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"
)

type person struct {
	name string
	age  int
}

func try(what string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(what, "panics:", r)
		}
	}()
	f()
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Println("count ends")
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func main() {
	s := []int{3, 1, 4, 1, 5, 9, 2, 6}
	t := slices.Clone(s)
	slices.Sort(t)
	fmt.Println(t, slices.IsSorted(t), slices.IsSorted(s), slices.Min(s), slices.Max(s))
	fmt.Println(slices.BinarySearch(t, 4))
	fmt.Println(slices.BinarySearch(t, 7))
	fmt.Println(slices.Index(s, 4), slices.Index(s, 7), slices.Contains(s, 9), slices.IndexFunc(s, func(x int) bool { return x > 4 }), slices.ContainsFunc(s, func(x int) bool { return x < 0 }))
	fmt.Println(slices.Equal(s, t), slices.Equal(s, slices.Clone(s)), slices.Compare(s, t), slices.Compare(t, t), slices.Compare(t[:2], t))
	fmt.Println(slices.Insert([]int{1, 2, 3}, 1, 8, 9), slices.Insert([]int(nil), 0, 1), slices.Insert([]int{1}, 1, 2))
	u := append(make([]int, 0, 20), 1, 2, 3, 4)
	fmt.Println(slices.Insert(u, 1, u[2:4]...), u)
	u = []int{1, 2, 3, 4, 5}
	v := slices.Delete(u, 1, 3)
	fmt.Println(v, u)
	fmt.Println(slices.DeleteFunc([]int{1, 2, 3, 4, 5, 6}, func(x int) bool { return x%2 == 0 }))
	fmt.Println(slices.Replace([]int{1, 2, 3, 4}, 1, 3, 7, 8, 9), slices.Replace([]int{1, 2, 3, 4}, 0, 3, 7))
	fmt.Println(slices.Compact([]int{1, 1, 2, 3, 3, 3, 1}), slices.CompactFunc([]string{"a", "A", "b", "B", "b"}, strings.EqualFold))
	fmt.Println(slices.Concat([]int{1}, nil, []int{2, 3}), slices.Repeat([]int{1, 2}, 3), cap(slices.Clip(append(make([]int, 0, 9), 1))), cap(slices.Grow([]int{1}, 10)) >= 11)
	slices.Reverse(t)
	fmt.Println(t)
	people := []person{{"d", 3}, {"a", 1}, {"c", 2}, {"b", 1}, {"e", 3}}
	byAge := func(a, b person) int { return cmp.Compare(a.age, b.age) }
	p := slices.Clone(people)
	slices.SortStableFunc(p, byAge)
	fmt.Println(p)
	p = nil
	for i := range 60 {
		p = append(p, person{fmt.Sprint(i), i * 7 % 5})
	}
	slices.SortFunc(p, byAge)
	fmt.Println(p, slices.IsSortedFunc(p, byAge))
	fmt.Println(slices.MinFunc(people, byAge), slices.MaxFunc(people, byAge))
	fmt.Println(slices.BinarySearchFunc(p, 3, func(a person, n int) int { return a.age - n }))
	f := []float64{2, math.NaN(), 1, math.Inf(-1)}
	slices.Sort(f)
	fmt.Println(f, slices.Min(f), cmp.Compare(math.NaN(), 1), cmp.Less(math.NaN(), 1), cmp.Compare(math.NaN(), math.NaN()), cmp.Or(0, 0, 3, 4), cmp.Or[string]())
	type words []string
	w := words{"b", "a"}
	slices.Sort(w)
	fmt.Printf("%T %v\n", slices.Clone(w), w)

	for i, x := range slices.Backward(s) {
		if i == 4 {
			break
		}
		fmt.Print(i, x, " ")
	}
	fmt.Println()
	for c := range slices.Chunk([]int{1, 2, 3, 4, 5}, 2) {
		fmt.Print(c, cap(c), " ")
	}
	fmt.Println(slices.Collect(slices.Values(s)), slices.Sorted(slices.Values(s)), slices.AppendSeq([]int{0}, slices.Values(s[:2])))
	m := map[string]int{"x": 1, "y": 2, "z": 3}
	fmt.Println(slices.Sorted(maps.Keys(m)), slices.Sorted(maps.Values(m)), maps.Equal(m, maps.Clone(m)))
	maps.DeleteFunc(m, func(k string, v int) bool { return v > 1 })
	maps.Insert(m, maps.All(map[string]int{"q": 9}))
	maps.Copy(m, map[string]int{"x": 7})
	fmt.Println(m, maps.Collect(slices.All([]string{"a", "b"})), maps.EqualFunc(m, m, func(a, b int) bool { return a == b }))

	next, stop := iter.Pull(count(3))
	fmt.Println(next())
	fmt.Println(next())
	fmt.Println(next())
	fmt.Println(next())
	fmt.Println(next())
	stop()
	next, stop = iter.Pull(count(3))
	fmt.Println(next())
	stop()
	fmt.Println(next())
	_, stop = iter.Pull(count(3))
	stop()
	next2, stop2 := iter.Pull2(slices.All([]string{"a", "b"}))
	fmt.Println(next2())
	fmt.Println(next2())
	fmt.Println(next2())
	stop2()
	next, stop = iter.Pull(func(yield func(int) bool) {
		yield(1)
		panic("in the sequence")
	})
	fmt.Println(next())
	try("next", func() { next() })
	fmt.Println(next())
	before := runtime.NumGoroutine()
	for range 100 {
		n, s := iter.Pull(slices.Values(s))
		n()
		s()
	}
	for range 10_000 {
		if runtime.NumGoroutine() <= before+1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(runtime.NumGoroutine() <= before+1)

	try("min", func() { slices.Min([]int{}) })
	try("max", func() { slices.MaxFunc([]int{}, cmp.Compare) })
	try("insert", func() { slices.Insert([]int{1}, 2, 3) })
	try("delete", func() { slices.Delete([]int{1}, 1, 3) })
	try("grow", func() { slices.Grow([]int{1}, -1) })
	try("repeat", func() { slices.Repeat([]int{1}, -1) })
	try("chunk", func() { slices.Chunk([]int{1}, 0) })
}

// Package slices: what can be done with any slice.
package slices

import (
	"cmp"
	"iter"
	"sort"
)

// ---- Comparing and searching.

func Equal[S ~[]E, E comparable](s1, s2 S) bool {
	n := 0 // so many are equal
	if len(s1) == len(s2) {
		for n < len(s1) && s1[n] == s2[n] {
			n++
		}
	}
	return n == max(len(s1), len(s2))
}

func EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, eq func(E1, E2) bool) bool {
	n := 0
	if len(s1) == len(s2) {
		for n < len(s1) && eq(s1[n], s2[n]) {
			n++
		}
	}
	return n == max(len(s1), len(s2))
}

// Compare compares elements one by one, up to a difference; after that the lengths count.
func Compare[S ~[]E, E cmp.Ordered](s1, s2 S) int {
	n := min(len(s1), len(s2))
	i := 0
	for i < n && s1[i] == s2[i] {
		i++
	}
	for ; i < n; i++ {
		if c := cmp.Compare(s1[i], s2[i]); c != 0 { // NaNs are equal here
			return c
		}
	}
	return cmp.Compare(len(s1), len(s2))
}

// CompareFunc is Compare with an order of the caller's.
func CompareFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, compare func(E1, E2) int) int {
	c, n := 0, min(len(s1), len(s2))
	for i := 0; c == 0 && i < n; i++ {
		c = compare(s1[i], s2[i])
	}
	if c == 0 {
		c = cmp.Compare(len(s1), len(s2))
	}
	return c
}

func Contains[S ~[]E, E comparable](s S, wanted E) bool { return Index(s, wanted) >= 0 }

func Index[S ~[]E, E comparable](s S, wanted E) int {
	for i := range s {
		if s[i] == wanted {
			return i
		}
	}
	return -1
}

func ContainsFunc[S ~[]E, E any](s S, is func(E) bool) bool { return IndexFunc(s, is) >= 0 }

func IndexFunc[S ~[]E, E any](s S, is func(E) bool) int {
	for i := range s {
		if is(s[i]) {
			return i
		}
	}
	return -1
}

// first is the first element; there must be one.
func first[S ~[]E, E any](x S, name string) E {
	if len(x) == 0 {
		panic("slices." + name + ": empty list")
	}
	return x[0]
}

func Min[S ~[]E, E cmp.Ordered](x S) E {
	least := first(x, "Min")
	for i := 1; i < len(x); i++ {
		least = min(x[i], least)
	}
	return least
}

func Max[S ~[]E, E cmp.Ordered](x S) E {
	most := first(x, "Max")
	for i := 1; i < len(x); i++ {
		most = max(x[i], most)
	}
	return most
}

func MinFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	least := first(x, "MinFunc")
	for i := 1; i < len(x); i++ {
		if cmp(x[i], least) < 0 {
			least = x[i]
		}
	}
	return least
}

func MaxFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	most := first(x, "MaxFunc")
	for i := 1; i < len(x); i++ {
		if cmp(x[i], most) > 0 {
			most = x[i]
		}
	}
	return most
}

func BinarySearch[S ~[]E, E cmp.Ordered](x S, target E) (int, bool) {
	at := 0
	for n := len(x); n > 0; {
		half := n >> 1
		if n -= half + 1; cmp.Less(x[at+half], target) {
			at += half + 1
		} else {
			n = half
		}
	}
	return at, at < len(x) && !cmp.Less(target, x[at])
}

func BinarySearchFunc[S ~[]E, E, T any](x S, target T, cmp func(E, T) int) (int, bool) {
	at := 0
	for n := len(x); n > 0; {
		half := n >> 1
		if n -= half + 1; cmp(x[at+half], target) < 0 {
			at += half + 1
		} else {
			n = half
		}
	}
	return at, at < len(x) && cmp(x[at], target) == 0
}

// ---- Making others.

// Clone is nil of nil.
func Clone[S ~[]E, E any](s S) (twin S) {
	if s != nil {
		twin = append(S{}, s...)
	}
	return twin
}

// Grow makes room for n more elements.
func Grow[S ~[]E, E any](s S, n int) S {
	switch {
	case n < 0:
		panic("cannot be negative")
	case n > cap(s)-len(s):
		return append(s, make([]E, n)...)[:len(s)]
	}
	return s
}

// Clip has no room for more elements.
func Clip[S ~[]E, E any](list S) S { return list[:len(list):len(list)] }

// Concat makes one slice of all.
func Concat[S ~[]E, E any](slices ...S) S {
	all := Grow(S(nil), total(slices))
	for i := range slices {
		all = append(all, slices[i]...)
	}
	return all
}

// total is the number of all elements.
func total[S ~[]E, E any](slices []S) (n int) {
	for i := 0; i < len(slices) && n >= 0; i++ {
		n += len(slices[i])
	}
	if n < 0 {
		panic("len out of range")
	}
	return n
}

// Repeat makes a slice with x so many times.
func Repeat[S ~[]E, E any](x S, count int) S {
	const most = 1<<63 - 1
	switch {
	case count < 0:
		panic("cannot be negative")
	case count > 0 && most/count < len(x):
		panic("the result of (len(x) * count) overflows")
	}
	n := count * len(x)
	all := append(make(S, 0, n), x[:min(n, len(x))]...)
	for len(all) < n {
		all = append(all, all[:min(len(all), n-len(all))]...)
	}
	return all
}

// Insert puts v before the element at i.
func Insert[S ~[]E, E any](s S, i int, v ...E) S {
	tail := s[i:]
	switch size := len(s) + len(v); {
	case len(tail) == 0:
		return append(s, v...)
	case len(v) == 0:
		return s
	case size > cap(s):
		s = append(s[:i], make(S, size-i)...)
	default:
		v = append([]E(nil), v...) // it may lie where the tail goes
		s = s[:size]
	}
	copy(s[i+len(v):], tail)
	copy(s[i:], v)
	return s
}

// Delete takes out the elements from i to j.
func Delete[S ~[]E, E any](list S, i, j int) S {
	_ = list[i:j:len(list)] // in range
	if i == j {
		return list
	}
	kept := i + copy(list[i:], list[j:])
	clear(list[kept:])
	return list[:kept]
}

// DeleteFunc leaves what del does not say to delete.
func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	n := 0 // so many are left
	for i, v := range s {
		if !del(v) {
			if n < i {
				s[n] = v
			}
			n++
		}
	}
	return forget(s, s[:n])
}

// forget clears the elements of s that are behind those that are left, and gives the latter.
func forget[S ~[]E, E any](s, left S) S {
	if len(left) < len(s) {
		clear(s[len(left):])
	}
	return left
}

// Replace puts v in place of the elements from i to j.
func Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	_ = s[i:j] // in range
	tail := s[j:]
	if size := i + len(v) + len(tail); size > cap(s) {
		all := append(s[:i], make(S, size-i)...)
		copy(all[i+copy(all[i:], v):], tail)
		return all
	}
	if len(tail) > 0 && len(v) != j-i {
		v = append([]E(nil), v...) // it may lie where the tail goes
		copy(s[i+len(v):cap(s)], tail)
	}
	return forget(s, s[:i+copy(s[i:cap(s)], v)+len(tail)])
}

func Compact[S ~[]E, E comparable](s S) S {
	return CompactFunc(s, func(a, b E) bool { return a == b })
}

// CompactFunc leaves the first one of equal neighbours.
func CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	n := min(1, len(s)) // so many are left
	for i := n; i < len(s); i++ {
		if !eq(s[i], s[i-1]) { // which is still what it was
			if n < i {
				s[n] = s[i]
			}
			n++
		}
	}
	clear(s[n:])
	return s[:n]
}

func Reverse[S ~[]E, E any](s S) {
	for left, right := 0, len(s)-1; left < right; left, right = left+1, right-1 {
		s[left], s[right] = s[right], s[left]
	}
}

// ---- Sorting: the algorithm is package sort's.

type byLess[E cmp.Ordered] []E

func (s byLess[E]) Less(i, j int) bool { return cmp.Less(s[i], s[j]) }
func (s byLess[E]) Len() int           { return len(s) }
func (s byLess[E]) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

type byFunc[E any] struct {
	s   []E
	cmp func(a, b E) int
}

func (x *byFunc[E]) Len() int           { return len(x.s) }
func (x *byFunc[E]) Less(i, j int) bool { return x.cmp(x.s[i], x.s[j]) < 0 }
func (x *byFunc[E]) Swap(i, j int)      { x.s[i], x.s[j] = x.s[j], x.s[i] }

func Sort[S ~[]E, E cmp.Ordered](x S) {
	switch s := any([]E(x)).(type) {
	case []int:
		sort.Ints(s)
	case []string:
		sort.Strings(s)
	case []float64:
		sort.Float64s(s)
	default:
		sort.Sort(byLess[E](x))
	}
}

func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int)       { sort.Sort(&byFunc[E]{x, cmp}) }
func SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) { sort.Stable(&byFunc[E]{x, cmp}) }

func IsSorted[S ~[]E, E cmp.Ordered](x S) bool {
	i := len(x) - 1
	for i > 0 && !cmp.Less(x[i], x[i-1]) {
		i--
	}
	return i <= 0
}

func IsSortedFunc[S ~[]E, E any](x S, cmp func(a, b E) int) bool {
	i := len(x) - 1
	for i > 0 && cmp(x[i], x[i-1]) >= 0 {
		i--
	}
	return i <= 0
}

// ---- Sequences.

func Values[Slice ~[]E, E any](list Slice) iter.Seq[E] {
	return func(yield func(element E) bool) {
		for _, element := range list {
			if !yield(element) {
				return
			}
		}
	}
}

func All[Slice ~[]E, E any](list Slice) iter.Seq2[int, E] {
	return func(yield func(index int, element E) bool) {
		for i, element := range list {
			if !yield(i, element) {
				return
			}
		}
	}
}

// Backward is All from the end.
func Backward[Slice ~[]E, E any](list Slice) iter.Seq2[int, E] {
	return func(yield func(index int, element E) bool) {
		for n := len(list); n > 0 && yield(n-1, list[n-1]); n-- {
		}
	}
}

func Collect[E any](seq iter.Seq[E]) []E { return AppendSeq([]E(nil), seq) }

// AppendSeq appends what seq yields.
func AppendSeq[Slice ~[]E, E any](list Slice, seq iter.Seq[E]) Slice {
	for element := range seq {
		list = append(list, element)
	}
	return list
}

// Sorted collects what seq yields, and sorts it.
func Sorted[E cmp.Ordered](seq iter.Seq[E]) []E {
	all := Collect(seq)
	Sort(all)
	return all
}

// SortedStableFunc is Sorted by SortStableFunc.
func SortedStableFunc[E any](seq iter.Seq[E], cmp func(E, E) int) []E {
	all := Collect(seq)
	SortStableFunc(all, cmp)
	return all
}

// SortedFunc is Sorted by SortFunc.
func SortedFunc[E any](seq iter.Seq[E], cmp func(E, E) int) []E {
	all := Collect(seq)
	SortFunc(all, cmp)
	return all
}

// Chunk gives pieces of n elements; the last one may have fewer.
func Chunk[Slice ~[]E, E any](list Slice, n int) iter.Seq[Slice] {
	if n < 1 {
		panic("cannot be less than 1")
	}
	return func(yield func(chunk Slice) bool) {
		rest := list
		for len(rest) > n && yield(rest[:n:n]) {
			rest = rest[n:]
		}
		if k := len(rest); k > 0 && k <= n {
			yield(rest[:k:k])
		}
	}
}

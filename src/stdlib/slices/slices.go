// Package slices: what can be done with any slice.
package slices

import (
	"cmp"
	"iter"
	"sort"
)

// ---- Comparing and searching.

func Equal[S ~[]E, E comparable](s1, s2 S) bool {
	if len(s1) != len(s2) {
		return false
	}
	for i := range s1 {
		if s1[i] != s2[i] {
			return false
		}
	}
	return true
}

func EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, eq func(E1, E2) bool) bool {
	if len(s1) != len(s2) {
		return false
	}
	for i := range s1 {
		if !eq(s1[i], s2[i]) {
			return false
		}
	}
	return true
}

func Compare[S ~[]E, E cmp.Ordered](s1, s2 S) int {
	for i := range min(len(s1), len(s2)) {
		if c := cmp.Compare(s1[i], s2[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(s1), len(s2))
}

func CompareFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, compare func(E1, E2) int) int {
	for i := range min(len(s1), len(s2)) {
		if c := compare(s1[i], s2[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(s1), len(s2))
}

func Index[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if s[i] == v {
			return i
		}
	}
	return -1
}

func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

func Contains[S ~[]E, E comparable](s S, v E) bool         { return Index(s, v) >= 0 }
func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool { return IndexFunc(s, f) >= 0 }

func Min[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Min: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		m = min(m, v)
	}
	return m
}

func Max[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Max: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		m = max(m, v)
	}
	return m
}

func MinFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MinFunc: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		if cmp(v, m) < 0 {
			m = v
		}
	}
	return m
}

func MaxFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MaxFunc: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		if cmp(v, m) > 0 {
			m = v
		}
	}
	return m
}

func BinarySearch[S ~[]E, E cmp.Ordered](x S, target E) (int, bool) {
	from, to := 0, len(x)
	for from < to {
		mid := int(uint(from+to) / 2)
		if cmp.Less(x[mid], target) {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from, from < len(x) && (x[from] == target || x[from] != x[from] && target != target)
}

func BinarySearchFunc[S ~[]E, E, T any](x S, target T, cmp func(E, T) int) (int, bool) {
	from, to := 0, len(x)
	for from < to {
		mid := int(uint(from+to) / 2)
		if cmp(x[mid], target) < 0 {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from, from < len(x) && cmp(x[from], target) == 0
}

// ---- Making others.

func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return append(S{}, s...)
}

func Clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }

func Grow[S ~[]E, E any](s S, n int) S {
	if n < 0 {
		panic("cannot be negative")
	}
	if n -= cap(s) - len(s); n > 0 {
		s = append(s[:cap(s)], make([]E, n)...)[:len(s)]
	}
	return s
}

func Concat[S ~[]E, E any](slices ...S) S {
	size := 0
	for _, s := range slices {
		if size += len(s); size < 0 {
			panic("len out of range")
		}
	}
	all := Grow[S](nil, size)
	for _, s := range slices {
		all = append(all, s...)
	}
	return all
}

func Repeat[S ~[]E, E any](x S, count int) S {
	if count < 0 {
		panic("cannot be negative")
	}
	const most = 1<<63 - 1
	if count > 0 && len(x) > most/count {
		panic("the result of (len(x) * count) overflows")
	}
	all := make(S, len(x)*count)
	for n := copy(all, x); 0 < n && n < len(all); n *= 2 {
		copy(all[n:], all[:n])
	}
	return all
}

func Insert[S ~[]E, E any](s S, i int, v ...E) S {
	_ = s[i:] // in range
	n, added := len(s), len(v)
	if added == 0 {
		return s
	}
	if i == n {
		return append(s, v...)
	}
	if n+added > cap(s) {
		all := append(s[:i], make(S, n+added-i)...)
		copy(all[i:], v)
		copy(all[i+added:], s[i:])
		return all
	}
	// v may lie in s, and would be overwritten by the shift.
	v = append([]E(nil), v...)
	s = s[:n+added]
	copy(s[i+added:], s[i:n])
	copy(s[i:], v)
	return s
}

func Delete[S ~[]E, E any](s S, i, j int) S {
	_ = s[i:j:len(s)] // in range
	if i == j {
		return s
	}
	kept := i + copy(s[i:], s[j:])
	clear(s[kept:])
	return s[:kept]
}

func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	kept := IndexFunc(s, del)
	if kept < 0 {
		return s
	}
	for _, v := range s[kept+1:] {
		if !del(v) {
			s[kept] = v
			kept++
		}
	}
	clear(s[kept:])
	return s[:kept]
}

func Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	_ = s[i:j] // in range
	tail := s[j:]
	n, size := len(s), len(s)-(j-i)+len(v)
	if size > cap(s) {
		all := append(s[:i], make(S, size-i)...)
		copy(all[i:], v)
		copy(all[i+len(v):], tail)
		return all
	}
	v = append([]E(nil), v...)
	out := s[:size]
	copy(out[i+len(v):], tail)
	copy(out[i:], v)
	if size < n {
		clear(s[size:n])
	}
	return out
}

func Compact[S ~[]E, E comparable](s S) S {
	return CompactFunc(s, func(a, b E) bool { return a == b })
}

func CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	kept := min(1, len(s))
	for i := kept; i < len(s); i++ {
		if eq(s[i], s[i-1]) {
			continue
		}
		if kept < i { // s[i-1] is still what it was: kept is no larger
			s[kept] = s[i]
		}
		kept++
	}
	clear(s[kept:])
	return s[:kept]
}

func Reverse[S ~[]E, E any](s S) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

// ---- Sorting: the algorithm is package sort's, so that equal elements end up as Go leaves them.

type byLess[E cmp.Ordered] []E

func (s byLess[E]) Len() int           { return len(s) }
func (s byLess[E]) Less(i, j int) bool { return cmp.Less(s[i], s[j]) }
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
	for i := len(x) - 1; i > 0; i-- {
		if cmp.Less(x[i], x[i-1]) {
			return false
		}
	}
	return true
}

func IsSortedFunc[S ~[]E, E any](x S, cmp func(a, b E) int) bool {
	for i := len(x) - 1; i > 0; i-- {
		if cmp(x[i], x[i-1]) < 0 {
			return false
		}
	}
	return true
}

// ---- Sequences.

func All[Slice ~[]E, E any](s Slice) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i, v := range s {
			if !yield(i, v) {
				return
			}
		}
	}
}

func Backward[Slice ~[]E, E any](s Slice) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := len(s) - 1; i >= 0; i-- {
			if !yield(i, s[i]) {
				return
			}
		}
	}
}

func Values[Slice ~[]E, E any](s Slice) iter.Seq[E] {
	return func(yield func(E) bool) {
		for _, v := range s {
			if !yield(v) {
				return
			}
		}
	}
}

func AppendSeq[Slice ~[]E, E any](s Slice, seq iter.Seq[E]) Slice {
	for v := range seq {
		s = append(s, v)
	}
	return s
}

func Collect[E any](seq iter.Seq[E]) []E { return AppendSeq([]E(nil), seq) }

func Sorted[E cmp.Ordered](seq iter.Seq[E]) []E {
	s := Collect(seq)
	Sort(s)
	return s
}

func SortedFunc[E any](seq iter.Seq[E], cmp func(E, E) int) []E {
	s := Collect(seq)
	SortFunc(s, cmp)
	return s
}

func SortedStableFunc[E any](seq iter.Seq[E], cmp func(E, E) int) []E {
	s := Collect(seq)
	SortStableFunc(s, cmp)
	return s
}

func Chunk[Slice ~[]E, E any](s Slice, n int) iter.Seq[Slice] {
	if n < 1 {
		panic("cannot be less than 1")
	}
	return func(yield func(Slice) bool) {
		for rest := s; len(rest) > 0; {
			k := min(n, len(rest))
			if !yield(rest[:k:k]) {
				return
			}
			rest = rest[k:]
		}
	}
}

// Package sort: sorting and binary search.
//
// Sort is quicksort with samples for pivots, which stops at equal elements from both sides. It has a
// budget: a range that is still to be sorted when that is used up is sorted as a heap, so that no order
// of elements makes it quadratic. What is in order already, or nearly, is found to be so and mended.
// Stable is merge sort in place. What is short is sorted by insertion, in both.
package sort

import "math/bits"

// An Interface is a collection whose elements can be compared and exchanged by their places.
type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

// Sort sorts data. Which of equal elements comes first is not said.
func Sort(data Interface) {
	n := data.Len()
	if n < 2 {
		return
	}
	s := &sorter{data, 3 * n * bits.Len(uint(n)) / 2, uint64(n)}
	s.sort(0, n, true)
}

// Stable sorts data, and leaves equal elements in their order.
func Stable(data Interface) { mergeSort(data, 0, data.Len()) }

const (
	short   = 12 // and less: sorted by insertion
	long    = 50 // and more: pivots are medians of medians
	repairs = 8  // so many exchanges may mend a range that seems to be in order
)

type sorter struct {
	Interface
	budget int // how many more elements may be partitioned
	random uint64
}

// insert sorts by insertion, and gives up after so many exchanges; it says whether all is in order.
func insert(data Interface, a, b, exchanges int) bool {
	for next := a + 1; next < b; next++ {
		for i := next; i > a && data.Less(i, i-1); i-- {
			if exchanges == 0 {
				return false
			}
			exchanges--
			data.Swap(i, i-1)
		}
	}
	return true
}

// sort sorts the range [a, b). hopeful says that it may be in order.
func (s *sorter) sort(a, b int, hopeful bool) {
	for b-a > short {
		if hopeful && (s.turn(a, b) || insert(s.Interface, a, b, repairs)) {
			return
		}
		if s.budget -= b - a; s.budget < 0 {
			s.heap(a, b)
			return
		}
		s.Swap(a, s.sample(a, b))
		if a > 0 && !s.Less(a-1, a) {
			// A range begins behind a pivot. Where the next one is equal to it, so are others.
			a = s.pass(a, b)
			continue
		}
		pivot, moved := s.partition(a, b)
		hopeful = moved*32 < b-a
		// The shorter side first, so that the stack stays low.
		if pivot-a < b-pivot {
			s.sort(a, pivot, hopeful)
			a = pivot + 1
		} else {
			s.sort(pivot+1, b, hopeful)
			b = pivot
		}
	}
	insert(s.Interface, a, b, -1)
}

// pass brings what is equal to the first element of a range, which is the least, to its beginning, and
// tells what comes behind that.
func (s *sorter) pass(a, b int) int {
	end := a + 1
	for i := end; i < b; i++ {
		if !s.Less(a, i) {
			s.Swap(i, end)
			end++
		}
	}
	return end
}

// turn reverses a range in which each element is less than the one before it, and says whether it is
// one.
func (s *sorter) turn(a, b int) bool {
	for i := a + 1; i < b; i++ {
		if !s.Less(i, i-1) {
			return false
		}
	}
	reverse(s.Interface, a, b)
	return true
}

// partition brings the first element of a range to its place, behind all that is less, and counts the
// exchanges that others needed.
func (s *sorter) partition(a, b int) (place, moved int) {
	up, down := a+1, b-1
	for ; ; moved++ {
		for ; up <= down && s.Less(up, a); up++ {
		}
		for ; up < down && !s.Less(down, a); down-- {
		}
		if up >= down {
			break
		}
		s.Swap(up, down)
		up++
		down--
	}
	if place = up - 1; place != a {
		s.Swap(a, place)
	}
	return place, moved
}

// sample chooses a pivot: the median of three places, or of three such medians.
func (s *sorter) sample(a, b int) int {
	third := (b - a) / 3
	if b-a < long {
		return s.median(a, a+(b-a)/2, b-1)
	}
	var medians [3]int
	for i := range medians {
		from := a + i*third
		medians[i] = s.median(from+s.below(third), from+s.below(third), from+s.below(third))
	}
	return s.median(medians[0], medians[1], medians[2])
}

// below is a number below n by G. Marsaglia's xorshift: there is no order that foils it by chance.
func (s *sorter) below(n int) int {
	s.random ^= s.random << 13
	s.random ^= s.random >> 7
	s.random ^= s.random << 17
	return int(s.random % uint64(n))
}

// median is the one of three places whose element is between the others.
func (s *sorter) median(a, b, c int) int {
	if s.Less(b, a) {
		a, b = b, a
	}
	switch {
	case !s.Less(c, b):
		return b
	case s.Less(c, a):
		return a
	}
	return c
}

// heap sorts the range by I. Wegener's bottom-up heapsort. Nodes are counted from 1, so that the
// children of i are 2i and 2i+1.
func (s *sorter) heap(a, b int) {
	before := a - 1
	n := b - a
	for root := n / 2; root > 0; root-- {
		s.sink(before, root, n)
	}
	for ; n > 1; n-- {
		s.Swap(before+1, before+n)
		s.sink(before, 1, n-1)
	}
}

// sink moves the element at a root down to its place in a heap of n. The way down is along the greater
// children; its place on it is looked for from below.
func (s *sorter) sink(before, root, n int) {
	at := root
	for 2*at < n {
		if at *= 2; s.Less(before+at, before+at+1) {
			at++
		}
	}
	if 2*at == n {
		at = n
	}
	for at != root && s.Less(before+at, before+root) {
		at /= 2
	}
	for depth := bits.Len(uint(at)) - bits.Len(uint(root)); depth > 0; depth-- {
		s.Swap(before+at>>depth, before+at>>(depth-1))
	}
}

// mergeSort sorts [a, b): both halves, and then merges them.
func mergeSort(data Interface, a, b int) {
	if b-a <= 20 {
		insert(data, a, b, -1)
		return
	}
	middle := a + (b-a)/2
	mergeSort(data, a, middle)
	mergeSort(data, middle, b)
	merge(data, a, middle, b)
}

// merge merges the ordered ranges [a, m) and [m, b) in place. The middle of the longer one says how to
// cut the other, the inner parts change places, and both sides are merged.
func merge(data Interface, a, m, b int) {
	for a < m && m < b && data.Less(m, m-1) {
		var left, right int // where the ranges are cut
		if m-a > b-m {
			left = a + (m-a)/2
			right = cut(data, m, b, left, false)
		} else {
			right = m + (b-m)/2
			left = cut(data, a, m, right, true)
			if right == m && left < m { // a single element moves down
				right++
			}
		}
		exchangeParts(data, left, m, right)
		middle := left + right - m
		merge(data, a, left, middle)
		a, m, b = middle, right, b
	}
}

// exchangeParts lets the ranges [a, m) and [m, b) change places. What is reversed part by part, and then
// as a whole, is in order again.
func exchangeParts(data Interface, a, m, b int) {
	if b-m == 1 { // it goes down step by step
		for ; m > a; m-- {
			data.Swap(m-1, m)
		}
		return
	}
	reverse(data, a, m)
	reverse(data, m, b)
	reverse(data, a, b)
}

// cut is the first place in an ordered range whose element is greater than the one at pivot, or as great
// unless above says no.
func cut(data Interface, a, b, pivot int, above bool) int {
	for a < b {
		middle := a + (b-a)/2
		if above && data.Less(pivot, middle) || !above && !data.Less(middle, pivot) {
			b = middle
		} else {
			a = middle + 1
		}
	}
	return a
}

func reverse(data Interface, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		data.Swap(a, b)
	}
}

func IsSorted(data Interface) bool {
	for i := data.Len() - 1; i > 0; i-- {
		if data.Less(i, i-1) {
			return false
		}
	}
	return true
}

type reversed struct{ Interface }

func (r reversed) Less(i, j int) bool { return r.Interface.Less(j, i) }

func Reverse(data Interface) Interface { return &reversed{data} }

// anySlice sorts any slice, given its swap and a less function.
type anySlice struct {
	n    int
	less func(i, j int) bool
	swap func(i, j int)
}

func (l *anySlice) Len() int           { return l.n }
func (l *anySlice) Less(i, j int) bool { return l.less(i, j) }
func (l *anySlice) Swap(i, j int)      { l.swap(i, j) }

func Slice(x any, less func(i, j int) bool) {
	Sort(&anySlice{length(x), less, swapper(x)})
}

func SliceStable(x any, less func(i, j int) bool) {
	Stable(&anySlice{length(x), less, swapper(x)})
}

func SliceIsSorted(x any, less func(i, j int) bool) bool {
	for i := length(x) - 1; i > 0; i-- {
		if less(i, i-1) {
			return false
		}
	}
	return true
}

// length is the length of a slice of any type; it panics for what is no slice.
func length(x any) int

// swapElements exchanges two elements of a slice of any type.
func swapElements(x any, i, j int)

func swapper(x any) func(i, j int) {
	switch s := x.(type) {
	case []int:
		return func(i, j int) { s[i], s[j] = s[j], s[i] }
	case []string:
		return func(i, j int) { s[i], s[j] = s[j], s[i] }
	}
	return func(i, j int) { swapElements(x, i, j) }
}

type IntSlice []int

func (x IntSlice) Len() int           { return len(x) }
func (x IntSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x IntSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x IntSlice) Sort()              { Ints(x) }
func (p IntSlice) Search(x int) int   { return SearchInts(p, x) }

type Float64Slice []float64

func (x Float64Slice) Len() int { return len(x) }

// Less puts NaN first.
func (x Float64Slice) Less(i, j int) bool   { return x[i] < x[j] || x[i] != x[i] && x[j] == x[j] }
func (x Float64Slice) Swap(i, j int)        { x[i], x[j] = x[j], x[i] }
func (x Float64Slice) Sort()                { Float64s(x) }
func (p Float64Slice) Search(x float64) int { return SearchFloat64s(p, x) }

type StringSlice []string

func (x StringSlice) Len() int            { return len(x) }
func (x StringSlice) Less(i, j int) bool  { return x[i] < x[j] }
func (x StringSlice) Swap(i, j int)       { x[i], x[j] = x[j], x[i] }
func (x StringSlice) Sort()               { Strings(x) }
func (p StringSlice) Search(x string) int { return SearchStrings(p, x) }

// These three have no callbacks: sorted natively.

// Ints sorts x.
func Ints(x []int)

// Float64s sorts x; NaNs come first.
func Float64s(x []float64)

// Strings sorts x.
func Strings(x []string)

func IntsAreSorted(x []int) bool         { return IsSorted(IntSlice(x)) }
func Float64sAreSorted(x []float64) bool { return IsSorted(Float64Slice(x)) }
func StringsAreSorted(x []string) bool   { return IsSorted(StringSlice(x)) }

func Search(n int, f func(int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if f(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func Find(n int, cmp func(int) int) (i int, found bool) {
	i = Search(n, func(at int) bool { return cmp(at) <= 0 })
	return i, i < n && cmp(i) == 0
}

func SearchInts(a []int, x int) int {
	lo, hi := 0, len(a)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if a[mid] >= x {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func SearchFloat64s(a []float64, x float64) int {
	return Search(len(a), func(i int) bool { return a[i] >= x })
}

func SearchStrings(a []string, x string) int {
	return Search(len(a), func(i int) bool { return a[i] >= x })
}

// Package sort: sorting and binary search.
//
// Which elements are compared and exchanged, and when, is not said, and yet programs print what comes
// of it: the order of equal elements, counts, logs. So all is chosen as in Go, step by step. Sort is
// pattern-defeating quicksort (O. Peters, 2021); a range is divided by one routine, whether what equals
// the pivot goes to its left or to its right. Stable merges in place (P. Kim and A. Kutzner, Stable
// Minimum Storage Merging by Symmetric Comparisons, 2004). What is short is sorted by insertion, in both.
package sort

import (
	"internal/reflectlite"
	"math/bits"
)

// An Interface is a collection whose elements can be compared and exchanged by their places.
type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

// Sort sorts data. Which of equal elements comes first is not said.
func Sort(data Interface) {
	n := data.Len()
	s := sorter{data, bits.Len(uint(n))}
	s.sort(0, n)
}

// Stable sorts data, and leaves equal elements in their order.
func Stable(data Interface) {
	const block = 20
	n := data.Len()
	for a := 0; a < n; a += block {
		insert(data, a, min(a+block, n))
	}
	for size := block; size < n; size *= 2 {
		for a := 0; a+size < n; a += 2 * size {
			merge(data, a, a+size, min(a+2*size, n))
		}
	}
}

const (
	short   = 12 // and less: sorted by insertion
	long    = 50 // and more: pivots are medians of medians, and what is nearly sorted is mended
	repairs = 5  // so many places that are out of order may be mended
)

// A sorter sorts ranges [a, b) of its elements.
type sorter struct {
	Interface
	failures int // so many more pivots may divide badly, before a range is sorted as a heap
}

// insert sorts by insertion.
func insert(data Interface, a, b int) {
	for next := a + 1; next < b; next++ {
		down(data, next, a)
	}
}

// down lets the element at i change places with those before it that are greater, down to least.
func down(data Interface, i, least int) {
	for ; i > least && data.Less(i, i-1); i-- {
		data.Swap(i, i-1)
	}
}

func (s sorter) sort(a, b int) {
	isEven, isUntouched := true, true // how the division before went
	for b-a > short {
		if s.failures == 0 {
			s.heap(a, b)
			return
		}
		if !isEven {
			s.scatter(a, b)
			s.failures--
		}
		pivot, inversions := s.sample(a, b)
		if inversions == allInverted {
			reverse(s.Interface, a, b)
			pivot, inversions = a+b-1-pivot, 0
		}
		if isEven && isUntouched && inversions == 0 && s.mend(a, b) {
			return
		}
		if a > 0 && !s.Less(a-1, pivot) {
			// A range begins behind a pivot, and is not less. Its least elements equal that one.
			a, _ = s.divide(a, b, pivot, true)
			continue
		}
		end, untouched := s.divide(a, b, pivot, false)
		pivot = end - 1
		s.Swap(pivot, a)
		isUntouched = untouched
		left, right := pivot-a, b-pivot
		isEven = min(left, right) >= (b-a)/8
		// The shorter side first, so that the stack stays low.
		if left < right {
			s.sort(a, pivot)
			a = pivot + 1
		} else {
			s.sort(pivot+1, b)
			b = pivot
		}
	}
	insert(s.Interface, a, b)
}

// divide brings the pivot to the beginning of a range, and what is less behind it, with what equals it
// or without; it says where the others begin, and whether all was in its place.
func (s sorter) divide(a, b, pivot int, withEqual bool) (right int, untouched bool) {
	s.Swap(a, pivot)
	untouched = true
	for i, j := a+1, b-1; ; i, j = i+1, j-1 {
		for i <= j && (withEqual && !s.Less(a, i) || !withEqual && s.Less(i, a)) {
			i++
		}
		for i <= j && (withEqual && s.Less(a, j) || !withEqual && !s.Less(j, a)) {
			j--
		}
		if i > j {
			return i, untouched
		}
		s.Swap(i, j)
		untouched = false
	}
}

// mend puts a few elements in their places, and says whether all is in order then.
func (s sorter) mend(a, b int) bool {
	at := a + 1
	for range repairs {
		for at < b && !s.Less(at, at-1) {
			at++
		}
		if at == b || b-a < long {
			return at == b
		}
		s.Swap(at, at-1)
		// The lesser may have further to go down, past the begin of the range even; the greater up.
		if at-a >= 2 {
			down(s.Interface, at-1, 0)
		}
		for i := at + 1; i < b && s.Less(i, i-1); i++ {
			s.Swap(i, i-1)
		}
	}
	return false
}

// scatter exchanges three elements in the middle for others: the order there misleads.
func (s sorter) scatter(a, b int) {
	n := b - a
	random, mask := uint64(n), uint64(1)<<bits.Len(uint(n))-1
	for i := a + n/4*2 - 1; i <= a+n/4*2+1; i++ {
		// G. Marsaglia's xorshift
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		other := int(random & mask)
		if other >= n {
			other -= n
		}
		s.Swap(i, a+other)
	}
}

// allInverted is how many comparisons for the median of three medians find the greater one first, if
// all do.
const allInverted = 4 * 3

// sample chooses a pivot: the median of three, or of three medians of neighbours. It tells how many
// comparisons found the greater one first.
func (s sorter) sample(a, b int) (pivot, inversions int) {
	// inOrder gives two places, that with the lesser element first.
	inOrder := func(i, j int) (int, int) {
		if s.Less(j, i) {
			inversions++
			return j, i
		}
		return i, j
	}
	median := func(i, j, k int) int {
		i, j = inOrder(i, j)
		j, _ = inOrder(j, k)
		_, j = inOrder(i, j)
		return j
	}
	quarter := (b - a) / 4
	at := [3]int{a + quarter, a + 2*quarter, a + 3*quarter}
	if b-a >= long {
		for i, middle := range at {
			at[i] = median(middle-1, middle, middle+1)
		}
	}
	return median(at[0], at[1], at[2]), inversions
}

// heap sorts by heapsort (J. Williams): the greatest element is the root.
func (s sorter) heap(a, b int) {
	n := b - a
	for root := (n - 1) / 2; root >= 0; root-- {
		s.sink(a, root, n)
	}
	for last := n - 1; last >= 0; last-- {
		s.Swap(a, a+last)
		s.sink(a, 0, last)
	}
}

// sink lets the element at top, of a heap of n that begins at a, change places with greater children.
func (s sorter) sink(a, top, n int) {
	for child := 2*top + 1; child < n; child = 2*top + 1 {
		if child+1 < n && s.Less(a+child, a+child+1) {
			child++
		}
		if !s.Less(a+top, a+child) {
			break
		}
		s.Swap(a+top, a+child)
		top = child
	}
}

// merge merges the ordered ranges [a, m) and [m, b) in place. What is on the wrong side of the middle
// are two ranges side by side, as far from it on either; they change places, and each half is merged.
func merge(data Interface, a, m, b int) {
	if m-a == 1 {
		for behind := cut(data, m, b, a, false); a+1 < behind; a++ {
			data.Swap(a, a+1)
		}
		return
	}
	if b-m == 1 {
		for place := cut(data, a, m, m, true); m > place; m-- {
			data.Swap(m, m-1)
		}
		return
	}
	middle := (a + b) / 2
	mirror := middle + m
	left, end := a, m
	if m > middle {
		left, end = mirror-b, middle
	}
	for left < end {
		if c := (left + end) / 2; data.Less(mirror-1-c, c) {
			end = c
		} else {
			left = c + 1
		}
	}
	right := mirror - left
	if left < m && m < right {
		exchangeParts(data, left, m, right)
	}
	if a < left && left < middle {
		merge(data, a, left, middle)
	}
	if middle < right && right < b {
		merge(data, middle, right, b)
	}
}

// cut is the first place in an ordered range whose element is not less than the one at pivot; with above
// set, greater.
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

// exchangeParts lets the ranges [a, m) and [m, b) change places: the shorter one with the far end of
// the longer one, which is in its place then, until what is left has one length.
func exchangeParts(data Interface, a, m, b int) {
	for a < m && m < b {
		n := min(m-a, b-m)
		from, to := a, m
		if b-m > n {
			to = b - n
			b = to
		} else {
			a += n
		}
		for i := range n {
			data.Swap(from+i, to+i)
		}
	}
}

func reverse(data Interface, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		data.Swap(a, b)
	}
}

func IsSorted(data Interface) bool {
	i := data.Len() - 1
	for i > 0 && !data.Less(i, i-1) {
		i--
	}
	return i <= 0
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
	Sort(&anySlice{sliceLength(x), less, swapper(x)})
}

func SliceStable(x any, less func(i, j int) bool) {
	Stable(&anySlice{sliceLength(x), less, swapper(x)})
}

func SliceIsSorted(x any, less func(i, j int) bool) bool {
	i := length(x) - 1
	for i > 0 && !less(i, i-1) {
		i--
	}
	return i <= 0
}

// measure gives a value's length, -1 if it has none, and its kind, a reflectlite.Kind.
func measure(x any) (n int, kind uint)

// length is the length of what has one.
func length(x any) int {
	n, kind := measure(x)
	if n < 0 {
		panic(&reflectlite.ValueError{Method: "reflectlite.Value.Len", Kind: reflectlite.Kind(kind)})
	}
	return n
}

// sliceLength is that of a slice.
func sliceLength(x any) int {
	n, number := measure(x)
	if kind := reflectlite.Kind(number); kind.String() != "slice" {
		panic(&reflectlite.ValueError{Method: "Swapper", Kind: kind})
	}
	return n
}

// swapElements exchanges two elements of a slice of any type.
func swapElements(x any, i, j int)

func swapper(x any) func(i, j int) {
	switch list := x.(type) {
	case []int:
		return func(i, j int) { list[i], list[j] = list[j], list[i] }
	case []string:
		return func(i, j int) { list[i], list[j] = list[j], list[i] }
	default:
		return func(i, j int) { swapElements(x, i, j) }
	}
}

type (
	IntSlice     []int
	Float64Slice []float64
	StringSlice  []string
)

func (list IntSlice) Sort()                 { Ints(list) }
func (list IntSlice) Search(wanted int) int { return SearchInts(list, wanted) }
func (list IntSlice) Len() int              { return len(list) }
func (list IntSlice) Less(i, j int) bool    { return list[i] < list[j] }
func (list IntSlice) Swap(i, j int)         { list[i], list[j] = list[j], list[i] }

func (list StringSlice) Sort()                    { Strings(list) }
func (list StringSlice) Search(wanted string) int { return SearchStrings(list, wanted) }
func (list StringSlice) Len() int                 { return len(list) }
func (list StringSlice) Less(i, j int) bool       { return list[i] < list[j] }
func (list StringSlice) Swap(i, j int)            { list[i], list[j] = list[j], list[i] }

func (list Float64Slice) Sort()                     { Float64s(list) }
func (list Float64Slice) Search(wanted float64) int { return SearchFloat64s(list, wanted) }
func (list Float64Slice) Len() int                  { return len(list) }
func (list Float64Slice) Swap(i, j int)             { list[i], list[j] = list[j], list[i] }

// Less puts NaN first.
func (list Float64Slice) Less(i, j int) bool {
	a, b := list[i], list[j]
	return a < b || a != a && b == b
}

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

// firstFrom is the first place of one in order that is x or more.
func firstFrom[E int | float64 | string](a []E, x E) int {
	from, to := 0, len(a)
	for from < to {
		if middle := int(uint(from+to) >> 1); a[middle] >= x {
			to = middle
		} else {
			from = middle + 1
		}
	}
	return from
}

func SearchInts(a []int, x int) int             { return firstFrom(a, x) }
func SearchFloat64s(a []float64, x float64) int { return firstFrom(a, x) }
func SearchStrings(a []string, x string) int    { return firstFrom(a, x) }

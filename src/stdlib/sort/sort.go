// Package sort: sorting and binary search.
//
// Sorting is pattern-defeating quicksort (see sorter). Stable sorting merges in place, block by block.
package sort

type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

func Sort(data Interface) {
	n := data.Len()
	if n > 1 {
		s := sorter{data}
		s.quick(0, n, bitLen(n))
	}
}

func bitLen(n int) int {
	bits := 0
	for ; n > 0; n >>= 1 {
		bits++
	}
	return bits
}

const (
	shortRange   = 12 // and less: insertion sort
	nintherRange = 50 // and more: the pivot is a median of medians
	repairs      = 5  // how many misplaced pairs a nearly ordered range may have
)

// What sampling for a pivot lets expect of a range.
type hint int

const (
	mixed hint = iota
	rising
	falling
)

// sorter does pattern-defeating quicksort. Which of several equal elements comes first is not specified, but programs print it; so every
// choice (samples, thresholds, order of swaps) is the one that Go makes.
type sorter struct{ Interface }

func (s sorter) quick(a, b, unbalancedLeft int) {
	balanced, wasSplit := true, true
	for {
		n := b - a
		if n <= shortRange {
			insertionSort(s, a, b)
			return
		}
		if unbalancedLeft == 0 {
			heapSort(s, a, b)
			return
		}
		if !balanced {
			s.scatter(a, b)
			unbalancedLeft--
		}
		pivot, pattern := s.choosePivot(a, b)
		if pattern == falling {
			reverse(s, a, b)
			pivot = b - 1 - (pivot - a)
			pattern = rising
		}
		if balanced && wasSplit && pattern == rising && s.repair(a, b) {
			return
		}
		if a > 0 && !s.Less(a-1, pivot) { // nothing is less than the pivot: set aside what equals it
			a = s.splitEqual(a, b, pivot)
			continue
		}
		var mid int
		mid, wasSplit = s.split(a, b, pivot)
		left, right := mid-a, b-mid
		balanced = min(left, right) >= n/8
		if left < right {
			s.quick(a, mid, unbalancedLeft)
			a = mid + 1
		} else {
			s.quick(mid+1, b, unbalancedLeft)
			b = mid
		}
	}
}

// split moves what is less than the pivot before it, and tells where the pivot is and whether all was in place already.
func (s sorter) split(a, b, pivot int) (mid int, wasSplit bool) {
	s.Swap(a, pivot)
	i, j := a+1, b-1
	wasSplit = true
	for {
		for i <= j && s.Less(i, a) {
			i++
		}
		for i <= j && !s.Less(j, a) {
			j--
		}
		if i > j {
			s.Swap(j, a)
			return j, wasSplit
		}
		wasSplit = false
		s.Swap(i, j)
		i++
		j--
	}
}

// splitEqual moves what equals the pivot to the front and returns the place after it.
func (s sorter) splitEqual(a, b, pivot int) int {
	s.Swap(a, pivot)
	i, j := a+1, b-1
	for {
		for i <= j && !s.Less(a, i) {
			i++
		}
		for i <= j && s.Less(a, j) {
			j--
		}
		if i > j {
			return i
		}
		s.Swap(i, j)
		i++
		j--
	}
}

// repair mends a nearly ordered range and tells whether it is ordered now.
func (s sorter) repair(a, b int) bool {
	for at, left := a+1, repairs; left > 0; left-- {
		for at < b && !s.Less(at, at-1) {
			at++
		}
		if at == b || b-a < nintherRange {
			return at == b
		}
		s.Swap(at, at-1)
		// Both may have further to go; what is smaller even past a, as with Go.
		if at > a+1 {
			for i := at - 1; i > 0 && s.Less(i, i-1); i-- {
				s.Swap(i, i-1)
			}
		}
		for i := at + 1; i < b && s.Less(i, i-1); i++ {
			s.Swap(i, i-1)
		}
	}
	return false
}

// scatter swaps three elements around the middle with others, to break a pattern that splits badly.
func (s sorter) scatter(a, b int) {
	n := b - a
	if n < 8 {
		return
	}
	random := uint64(n)
	mask := uint(1)<<bitLen(n) - 1
	first := a + n/4*2 - 1
	for i := range 3 {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		other := int(uint(random) & mask)
		if other >= n {
			other -= n
		}
		s.Swap(first+i, a+other)
	}
}

func (s sorter) choosePivot(a, b int) (pivot int, pattern hint) {
	n := b - a
	swaps := 0
	i, j, k := a+n/4, a+n/4*2, a+n/4*3
	if n >= 8 {
		if n >= nintherRange {
			i = s.median(i-1, i, i+1, &swaps)
			j = s.median(j-1, j, j+1, &swaps)
			k = s.median(k-1, k, k+1, &swaps)
		}
		j = s.median(i, j, k, &swaps)
	}
	switch swaps {
	case 0:
		return j, rising
	case 4 * 3: // every comparison was the wrong way round
		return j, falling
	}
	return j, mixed
}

// median names the median of three places, counting in swaps how far they are from being in order.
func (s sorter) median(a, b, c int, swaps *int) int {
	if s.Less(b, a) {
		*swaps++
		a, b = b, a
	}
	if s.Less(c, b) {
		*swaps++
		b, c = c, b
	}
	if s.Less(b, a) {
		*swaps++
		b = a
	}
	return b
}

func insertionSort(data Interface, a, b int) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && data.Less(j, j-1); j-- {
			data.Swap(j, j-1)
		}
	}
}

// siftDown lets the element at root sink in a heap of n elements, which begins at first, until it is no less than its children.
func siftDown(data Interface, root, n, first int) {
	for child := 2*root + 1; child < n; child = 2*root + 1 {
		if right := child + 1; right < n && data.Less(first+child, first+right) {
			child = right
		}
		if !data.Less(first+root, first+child) {
			return
		}
		data.Swap(first+root, first+child)
		root = child
	}
}

func heapSort(data Interface, a, b int) {
	n := b - a
	for i := (n - 1) / 2; i >= 0; i-- {
		siftDown(data, i, n, a)
	}
	for i := n - 1; i >= 0; i-- {
		data.Swap(a, a+i)
		siftDown(data, 0, i, a)
	}
}

func Stable(data Interface) {
	n := data.Len()
	block := 20
	a := 0
	for ; a+block < n; a += block {
		insertionSort(data, a, a+block)
	}
	insertionSort(data, a, n)
	for ; block < n; block *= 2 {
		a := 0
		for ; a+2*block <= n; a += 2 * block {
			merge(data, a, a+block, a+2*block)
		}
		if a+block < n {
			merge(data, a, a+block, n)
		}
	}
}

// merge merges the ordered ranges [a, m) and [m, b) in place, by SymMerge (Kim and Kutzner, Stable Minimum Storage Merging by Symmetric
// Comparisons): what is on the wrong side of the middle forms two neighbouring ranges, which change places; then each half is merged by itself.
func merge(data Interface, a, m, b int) {
	if m-a == 1 { // one element: carry it up to its place in [m, b)
		for to := notLess(data, a, m, b); a+1 < to; a++ {
			data.Swap(a, a+1)
		}
		return
	}
	if b-m == 1 { // likewise down, into [a, m)
		for to := greater(data, m, a, m); to < m; m-- {
			data.Swap(m, m-1)
		}
		return
	}
	middle := (a + b) / 2
	// lo finds the first element of [a, m) that belongs behind the middle; mirrored at sum, its partner ends the other range.
	sum := middle + m
	lo, hi := a, m
	if m > middle {
		lo, hi = sum-b, middle
	}
	for lo < hi {
		if c := (lo + hi) / 2; data.Less(sum-1-c, c) {
			hi = c
		} else {
			lo = c + 1
		}
	}
	end := sum - lo
	if lo < m && m < end {
		rotate(data, lo, m, end)
	}
	if a < lo && lo < middle {
		merge(data, a, lo, middle)
	}
	if middle < end && end < b {
		merge(data, middle, end, b)
	}
}

// notLess is the first place in the ordered range [lo, hi) whose element is not less than the one at pivot.
func notLess(data Interface, pivot, lo, hi int) int {
	for lo < hi {
		if mid := lo + (hi-lo)/2; data.Less(mid, pivot) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// greater is the first place in the ordered range [lo, hi) whose element is greater than the one at pivot.
func greater(data Interface, pivot, lo, hi int) int {
	for lo < hi {
		if mid := lo + (hi-lo)/2; data.Less(pivot, mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// rotate exchanges the neighbours [a, m) and [m, b): the shorter one changes places with the far end of the longer one, which is then in
// its place, until what is left are two of one length.
func rotate(data Interface, a, m, b int) {
	left, right := m-a, b-m
	for left != right {
		if left > right {
			exchange(data, m-left, m, right)
			left -= right
		} else {
			exchange(data, m-left, m+right-left, left)
			right -= left
		}
	}
	exchange(data, m-left, m, left)
}

// exchange swaps the n elements from a on with those from b on.
func exchange(data Interface, a, b, n int) {
	for end := a + n; a < end; a, b = a+1, b+1 {
		data.Swap(a, b)
	}
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

// lessSwap sorts any slice, given its swap and a less function.
type lessSwap struct {
	n    int
	less func(i, j int) bool
	swap func(i, j int)
}

func (l *lessSwap) Len() int           { return l.n }
func (l *lessSwap) Less(i, j int) bool { return l.less(i, j) }
func (l *lessSwap) Swap(i, j int)      { l.swap(i, j) }

func Slice(x any, less func(i, j int) bool) {
	Sort(&lessSwap{length(x), less, swapper(x)})
}

func SliceStable(x any, less func(i, j int) bool) {
	Stable(&lessSwap{length(x), less, swapper(x)})
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
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if cmp(mid) > 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < n && cmp(lo) == 0
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

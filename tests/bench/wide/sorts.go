package main

import "fmt"

// Records sorted in three ways by hand: quicksort with a median of three, a stable
// merge sort by name, and a radix sort by bytes of the key.

type record struct {
	key    uint32
	weight float32
	name   string
	serial int
}

func quick(rs []record) {
	for len(rs) > 10 {
		mid, last := len(rs)/2, len(rs)-1
		if rs[mid].key < rs[0].key {
			rs[mid], rs[0] = rs[0], rs[mid]
		}
		if rs[last].key < rs[0].key {
			rs[last], rs[0] = rs[0], rs[last]
		}
		if rs[last].key < rs[mid].key {
			rs[last], rs[mid] = rs[mid], rs[last]
		}
		pivot := rs[mid].key
		i, j := 0, last
		for i <= j {
			for rs[i].key < pivot {
				i++
			}
			for rs[j].key > pivot {
				j--
			}
			if i <= j {
				rs[i], rs[j] = rs[j], rs[i]
				i++
				j--
			}
		}
		quick(rs[:j+1])
		rs = rs[i:]
	}
	for i := 1; i < len(rs); i++ {
		r := rs[i]
		j := i
		for ; j > 0 && rs[j-1].key > r.key; j-- {
			rs[j] = rs[j-1]
		}
		rs[j] = r
	}
}

func merge(rs, spare []record) {
	if len(rs) < 2 {
		return
	}
	mid := len(rs) / 2
	merge(rs[:mid], spare[:mid])
	merge(rs[mid:], spare[mid:])
	copy(spare, rs)
	a, b := spare[:mid], spare[mid:]
	for i := range rs {
		if len(b) == 0 || len(a) > 0 && a[0].name <= b[0].name {
			rs[i], a = a[0], a[1:]
		} else {
			rs[i], b = b[0], b[1:]
		}
	}
}

func radix(rs []record) []record {
	out := make([]record, len(rs))
	for shift := 0; shift < 32; shift += 8 {
		var starts [257]int
		for _, r := range rs {
			starts[r.key>>shift&255+1]++
		}
		for d := 1; d < len(starts); d++ {
			starts[d] += starts[d-1]
		}
		for _, r := range rs {
			d := r.key >> shift & 255
			out[starts[d]] = r
			starts[d]++
		}
		rs, out = out, rs
	}
	return rs
}

func digest(what string, rs []record) {
	h := uint64(14695981039346656037)
	for _, r := range rs {
		h = (h ^ uint64(r.serial)) * 1099511628211
	}
	fmt.Printf("%s %v %v %x\n", what, rs[0], rs[len(rs)-1].key, h)
}

func main() {
	const n = 60000
	var rs []record
	x := uint32(3)
	for i := 0; i < n; i++ {
		x = x*1664525 + 1013904223
		rs = append(rs, record{x, float32(x>>7%100000) / 8, fmt.Sprint("n", x>>20), i})
	}
	a := append([]record(nil), rs...)
	quick(a)
	digest("quick", a)
	b := append([]record(nil), rs...)
	merge(b, make([]record, n))
	digest("merge", b)
	c := radix(append([]record(nil), rs...))
	digest("radix", c)
}

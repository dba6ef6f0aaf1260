// run

// Which elements Sort and Stable compare and swap, in order: programs that count or log them see Go's own sequence.
package main

import (
	"fmt"
	"math/rand"
	"sort"
)

type log struct {
	data []int
	hash uint64
	less int
	swap int
}

func (l *log) Len() int { return len(l.data) }
func (l *log) Less(i, j int) bool {
	l.less++
	l.hash = (l.hash^uint64(i*7919+j))*1099511628211 + 1
	return l.data[i]>>4 < l.data[j]>>4
}
func (l *log) Swap(i, j int) {
	l.swap++
	l.hash = (l.hash^uint64(i*104729+j))*1099511628211 + 2
	l.data[i], l.data[j] = l.data[j], l.data[i]
}

func main() {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{0, 1, 2, 7, 12, 13, 20, 21, 40, 50, 51, 200, 1000, 5000} {
		for _, shape := range []string{"random", "few", "rising", "falling", "nearly", "saw"} {
			data := make([]int, n)
			for i := range data {
				switch shape {
				case "random":
					data[i] = r.Intn(1 << 20)
				case "few":
					data[i] = r.Intn(64)
				case "rising":
					data[i] = i * 3
				case "falling":
					data[i] = (n - i) * 3
				case "nearly":
					data[i] = i * 16
				case "saw":
					data[i] = i % 100 * 16
				}
			}
			if shape == "nearly" && n > 2 {
				for range 3 {
					i, j := r.Intn(n), r.Intn(n)
					data[i], data[j] = data[j], data[i]
				}
			}
			a := &log{data: append([]int(nil), data...)}
			sort.Sort(a)
			b := &log{data: append([]int(nil), data...)}
			sort.Stable(b)
			fmt.Println(n, shape, a.less, a.swap, a.hash, b.less, b.swap, b.hash)
			fmt.Println(sort.IsSorted(a), sort.IsSorted(b))
		}
	}
}

// run

// How often Sort and Stable compare and swap: never much more than n·log n times, whatever is to be sorted; and Stable is stable.
package main

import (
	"fmt"
	"math/bits"
	"math/rand"
	"sort"
)

type log struct {
	data []int
	less int
	swap int
}

func (l *log) Len() int { return len(l.data) }
func (l *log) Less(i, j int) bool {
	l.less++
	return l.data[i]>>4 < l.data[j]>>4
}
func (l *log) Swap(i, j int) {
	l.swap++
	l.data[i], l.data[j] = l.data[j], l.data[i]
}

func main() {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{0, 1, 2, 7, 12, 13, 20, 21, 40, 50, 51, 200, 1000} {
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
			log2 := bits.Len(uint(n))
			few := a.less <= 20+3*n*log2 && a.swap <= 50+3*n*log2 && b.less <= 100+3*n*log2
			fmt.Println(n, shape, few, b.data)
			fmt.Println(sort.IsSorted(a), sort.IsSorted(b))
		}
	}
}

// run

// Boards as bit sets: queens counted by several goroutines, a knight's tour, polyominoes, knapsacks.
package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

func queens(n int, cols, d1, d2 uint32) (count int) {
	full := uint32(1)<<n - 1
	if cols == full {
		return 1
	}
	for free := full &^ (cols | d1 | d2); free != 0; free &= free - 1 {
		bit := free & -free
		count += queens(n, cols|bit, (d1|bit)<<1, (d2|bit)>>1)
	}
	return count
}

func queensParallel(n int) int {
	results := make(chan int)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			bit := uint32(1) << i
			results <- queens(n, bit, bit<<1, bit>>1)
		})
	}
	go func() { wg.Wait(); close(results) }()
	total := 0
	for r := range results {
		total += r
	}
	return total
}

type square struct{ x, y int }

var jumps = [8]square{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}

func tour(n int, start square) (order map[square]int, ok bool) {
	order = map[square]int{start: 0}
	next := func(s square) (out []square) {
		for _, j := range jumps {
			t := square{s.x + j.x, s.y + j.y}
			if _, used := order[t]; !used && t.x >= 0 && t.y >= 0 && t.x < n && t.y < n {
				out = append(out, t)
			}
		}
		return out
	}
	var step func(s square, k int) bool
	tries := 0
	step = func(s square, k int) bool {
		if k == n*n {
			return true
		}
		if tries++; tries > 200000 {
			return false
		}
		opts := next(s)
		slices.SortStableFunc(opts, func(a, b square) int { return len(next(a)) - len(next(b)) })
		for _, t := range opts {
			order[t] = k
			if step(t, k+1) {
				return true
			}
			delete(order, t)
		}
		return false
	}
	return order, step(start, 1)
}

type shape [][2]int

func normal(s shape) string {
	best := ""
	for range 2 {
		for range 4 {
			t := make(shape, len(s))
			minX, minY := 99, 99
			for i, c := range s {
				s[i] = [2]int{-c[1], c[0]}
				minX, minY = min(minX, s[i][0]), min(minY, s[i][1])
			}
			for i, c := range s {
				t[i] = [2]int{c[0] - minX, c[1] - minY}
			}
			slices.SortFunc(t, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
			if k := fmt.Sprint(t); best == "" || k < best {
				best = k
			}
		}
		for i, c := range s {
			s[i] = [2]int{-c[0], c[1]}
		}
	}
	return best
}

func polyominoes(n int) map[string]shape {
	found := map[string]shape{"": {{0, 0}}}
	for range n - 1 {
		next := map[string]shape{}
		for _, s := range found {
			for _, c := range s {
				for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
					cell := [2]int{c[0] + d[0], c[1] + d[1]}
					if slices.Contains(s, cell) {
						continue
					}
					t := append(slices.Clone(s), cell)
					next[normal(slices.Clone(t))] = t
				}
			}
		}
		found = next
	}
	return found
}

func knapsack(limit int, weights, values []int) (best int, picked []int) {
	table := make([][]int, len(weights)+1)
	table[0] = make([]int, limit+1)
	for i, w := range weights {
		table[i+1] = slices.Clone(table[i])
		for c := w; c <= limit; c++ {
			table[i+1][c] = max(table[i][c], table[i][c-w]+values[i])
		}
	}
	c := limit
	for i := len(weights); i > 0; i-- {
		if table[i][c] != table[i-1][c] {
			picked = append(picked, i-1)
			c -= weights[i-1]
		}
	}
	slices.Reverse(picked)
	return table[len(weights)][limit], picked
}

func lcs(a, b string) string {
	x, y := []rune(a), []rune(b)
	t := make([][]int, len(x)+1)
	for i := range t {
		t[i] = make([]int, len(y)+1)
	}
	for i := range x {
		for j := range y {
			if x[i] == y[j] {
				t[i+1][j+1] = t[i][j] + 1
			} else {
				t[i+1][j+1] = max(t[i][j+1], t[i+1][j])
			}
		}
	}
	var out []rune
	for i, j := len(x), len(y); i > 0 && j > 0; {
		switch {
		case x[i-1] == y[j-1]:
			out = append(out, x[i-1])
			i, j = i-1, j-1
		case t[i-1][j] >= t[i][j-1]:
			i--
		default:
			j--
		}
	}
	slices.Reverse(out)
	return string(out)
}

func hanoi(n int, from, to, via string, move func(string, string)) {
	if n > 0 {
		hanoi(n-1, from, via, to, move)
		move(from, to)
		hanoi(n-1, via, to, from, move)
	}
}

func main() {
	for n := 1; n <= 10; n++ {
		fmt.Print(queens(n, 0, 0, 0), " ")
	}
	fmt.Println(queensParallel(11))
	for _, n := range []int{5, 6, 8} {
		order, ok := tour(n, square{0, 0})
		fmt.Println(n, ok, len(order))
		if n == 5 {
			for y := range n {
				for x := range n {
					fmt.Printf("%3d", order[square{x, y}])
				}
				fmt.Println()
			}
		}
	}
	_, ok := tour(4, square{0, 0})
	fmt.Println(ok)
	for n := 1; n <= 6; n++ {
		fmt.Print(len(polyominoes(n)), " ")
	}
	fmt.Println()
	fmt.Println(knapsack(50, []int{10, 20, 30, 5, 12}, []int{60, 100, 120, 40, 61}))
	fmt.Printf("%q\n", lcs("der Straßenbahnfahrer", "die Eisenbahnstraße"))
	var log []string
	hanoi(4, "A", "C", "B", func(a, b string) { log = append(log, a+b) })
	fmt.Println(len(log), strings.Join(log, " "))
	fmt.Println(bits.OnesCount64(0xF0F0), bits.Reverse8(0b00010110), bits.Len(1000),
		bits.RotateLeft32(1, 31))
	hi, lo := bits.Mul64(1<<63, 6)
	q, r := bits.Div64(hi, lo, 7)
	sum, carry := bits.Add64(1<<63, 1<<63, 1)
	fmt.Println(hi, lo, q, r, sum, carry)
}

package main

import "fmt"

// Four classics of dynamic programming: edit distance with two rows, the longest
// common subsequence with a whole table and the way back, a knapsack, and the order
// in which to multiply a chain of matrices.

func editDistance(a, b string) int {
	prev, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
		}
		prev, row = row, prev
	}
	return prev[len(b)]
}

func longestCommon(a, b []byte) []byte {
	table := make([][]uint16, len(a)+1)
	for i := range table {
		table[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	var common []byte
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common = append(common, a[i])
			i++
			j++
		case table[i+1][j] >= table[i][j+1]:
			i++
		default:
			j++
		}
	}
	return common
}

type item struct{ weight, worth int }

func knapsack(items []item, room int) int {
	best := make([]int, room+1)
	for _, it := range items {
		for r := room; r >= it.weight; r-- {
			best[r] = max(best[r], best[r-it.weight]+it.worth)
		}
	}
	return best[room]
}

// chain is the least number of multiplications; matrix i has dims[i] rows and dims[i+1] columns.
func chain(dims []int) int {
	n := len(dims) - 1
	cost := make([][]int, n)
	for i := range cost {
		cost[i] = make([]int, n)
	}
	for length := 2; length <= n; length++ {
		for i := 0; i+length <= n; i++ {
			j := i + length - 1
			cost[i][j] = int(^uint(0) >> 1)
			for k := i; k < j; k++ {
				cost[i][j] = min(cost[i][j], cost[i][k]+cost[k+1][j]+dims[i]*dims[k+1]*dims[j+1])
			}
		}
	}
	return cost[0][n-1]
}

func main() {
	seed := uint32(17)
	random := func(n int) int {
		seed = seed*1103515245 + 12345
		return int(seed>>16) % n
	}
	a, b := make([]byte, 2600), make([]byte, 2400)
	for i := range a {
		a[i] = "acgt"[random(4)]
	}
	for i := range b {
		b[i] = a[i]
		if random(5) == 0 {
			b[i] = "acgt"[random(4)]
		}
	}
	fmt.Println("edit distance", editDistance(string(a), string(b)))
	common := longestCommon(a, b)
	fmt.Println("common", len(common), string(common[:30]))
	var items []item
	for i := 0; i < 600; i++ {
		items = append(items, item{10 + random(90), 1 + random(1000)})
	}
	fmt.Println("knapsack", knapsack(items, 16000))
	dims := make([]int, 251)
	for i := range dims {
		dims[i] = 1 + random(60)
	}
	fmt.Println("chain", chain(dims))
}

package main

import "fmt"

// Percolation by Monte Carlo: cells of a grid open in random order until water finds
// a way from the top to the bottom. Union-find tells when; a flood fill of the byte
// grid looks at each result again and counts what is wet.

// sets holds the parent of each element; a root is its own.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) find(x int32) int32 {
	for s[x] != x {
		s[x] = s[s[x]]
		x = s[x]
	}
	return x
}

func (s sets) union(a, b int32) { s[s.find(a)] = s.find(b) }

var state uint64 = 0x2545f4914f6cdd1d

func random(n int) int {
	state ^= state >> 12
	state ^= state << 25
	state ^= state >> 27
	return int((state * 2685821657736338717) >> 33 % uint64(n))
}

const side = 64

type point struct{ x, y int }

var around = [4]point{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// percolate opens cells until top and bottom meet.
func percolate(grid []byte, order []int) int {
	for i := range grid {
		grid[i] = '#'
		order[i] = i
	}
	for i := len(order) - 1; i > 0; i-- {
		j := random(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	s := newSets(side*side + 2)
	const top, bottom = side * side, side*side + 1
	for n, cell := range order {
		grid[cell] = '.'
		x, y := cell%side, cell/side
		if y == 0 {
			s.union(int32(cell), top)
		}
		if y == side-1 {
			s.union(int32(cell), bottom)
		}
		for _, d := range around {
			u, v := x+d.x, y+d.y
			if u >= 0 && u < side && v >= 0 && v < side && grid[v*side+u] == '.' {
				s.union(int32(cell), int32(v*side+u))
			}
		}
		if s.find(top) == s.find(bottom) {
			return n + 1
		}
	}
	return -1
}

// flood pours water in at the top, and tells how many cells are wet and how deep it comes.
func flood(grid []byte) (wet, depth int) {
	var queue []point
	for x := 0; x < side; x++ {
		if grid[x] == '.' {
			grid[x] = '~'
			queue = append(queue, point{x, 0})
		}
	}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		wet++
		depth = max(depth, p.y)
		for _, d := range around {
			q := point{p.x + d.x, p.y + d.y}
			if q.x < 0 || q.x >= side || q.y < 0 || q.y >= side || grid[q.y*side+q.x] != '.' {
				continue
			}
			grid[q.y*side+q.x] = '~'
			queue = append(queue, q)
		}
	}
	return wet, depth
}

func main() {
	grid, order := make([]byte, side*side), make([]int, side*side)
	const trials = 200
	opened, wet := 0, 0
	for i := 0; i < trials; i++ {
		opened += percolate(grid, order)
		w, depth := flood(grid)
		if depth != side-1 {
			panic("no way down")
		}
		wet += w
	}
	fmt.Printf("threshold %.5f, wet %d of %d\n", float64(opened)/trials/side/side, wet, opened)
}

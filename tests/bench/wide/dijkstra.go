package main

import "fmt"

// Shortest ways over a hilly grid by Dijkstra's algorithm, with a binary heap that is
// generic over its elements and written by hand, and by A* with the same heap.

type heap[T any] struct {
	items []T
	less  func(a, b T) bool
}

func (h *heap[T]) push(x T) {
	h.items = append(h.items, x)
	i := len(h.items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !h.less(h.items[i], h.items[parent]) {
			break
		}
		h.items[i], h.items[parent] = h.items[parent], h.items[i]
		i = parent
	}
}

func (h *heap[T]) pop() T {
	top := h.items[0]
	last := len(h.items) - 1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && h.less(h.items[child+1], h.items[child]) {
			child++
		}
		if !h.less(h.items[child], h.items[i]) {
			break
		}
		h.items[i], h.items[child] = h.items[child], h.items[i]
		i = child
	}
	return top
}

type point struct{ x, y int }

type step struct {
	cost, guess int
	at          point
}

type terrain struct {
	w, h   int
	height []int
}

func (t *terrain) index(p point) int { return p.y*t.w + p.x }

// cost is what a step takes: more uphill than downhill.
func (t *terrain) cost(from, to point) int {
	d := t.height[t.index(to)] - t.height[t.index(from)]
	return 1 + max(3*d, -d/2)
}

func (t *terrain) shortest(from, to point, guess func(p point) int) (cost, length, looked int) {
	dist := make([]int, t.w*t.h)
	for i := range dist {
		dist[i] = -1
	}
	came := map[point]point{}
	open := &heap[step]{less: func(a, b step) bool { return a.cost+a.guess < b.cost+b.guess }}
	dist[t.index(from)] = 0
	open.push(step{0, guess(from), from})
	for len(open.items) > 0 {
		s := open.pop()
		if s.cost > dist[t.index(s.at)] {
			continue
		}
		looked++
		if s.at == to {
			for p := to; p != from; p = came[p] {
				length++
			}
			return s.cost, length, looked
		}
		for _, m := range [...]point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			next := point{s.at.x + m.x, s.at.y + m.y}
			if next.x < 0 || next.x >= t.w || next.y < 0 || next.y >= t.h {
				continue
			}
			c := s.cost + t.cost(s.at, next)
			if old := dist[t.index(next)]; old < 0 || c < old {
				dist[t.index(next)] = c
				came[next] = s.at
				open.push(step{c, guess(next), next})
			}
		}
	}
	return -1, 0, looked
}

func main() {
	t := &terrain{w: 220, h: 160, height: make([]int, 220*160)}
	seed := uint64(42)
	for i := range t.height {
		seed = seed*6364136223846793005 + 1442695040888963407
		x, y := i%t.w, i/t.w
		t.height[i] = (x*y/97)%11 + int(seed>>60)
	}
	abs := func(n int) int { return max(n, -n) }
	for _, to := range []point{{219, 159}, {219, 0}, {110, 80}} {
		near := func(p point) int { return abs(to.x-p.x) + abs(to.y-p.y) }
		fmt.Println(t.shortest(point{0, 0}, to, func(point) int { return 0 }))
		fmt.Println(t.shortest(point{0, 0}, to, near))
	}
}

// run

// Routes in a graph: Dijkstra with a heap, A* on a grid, strongly connected parts, orders, colours.
package main

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

type Graph[N cmp.Ordered] map[N]map[N]float64

func (g Graph[N]) Edge(a, b N, w float64) {
	for _, n := range []N{a, b} {
		if g[n] == nil {
			g[n] = map[N]float64{}
		}
	}
	g[a][b] = w
}

type item[N any] struct {
	node N
	cost float64
}

type queue[N any] []item[N]

func (q queue[N]) Len() int           { return len(q) }
func (q queue[N]) Less(i, j int) bool { return q[i].cost < q[j].cost }
func (q queue[N]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue[N]) Push(x any)        { *q = append(*q, x.(item[N])) }
func (q *queue[N]) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

var ErrNoRoute = errors.New("no route")

func Search[N comparable](from N, goal func(N) bool, next func(N) map[N]float64,
	guess func(N) float64) ([]N, float64, error) {
	best := map[N]float64{from: 0}
	via := map[N]N{}
	q := &queue[N]{{from, guess(from)}}
	for q.Len() > 0 {
		at := heap.Pop(q).(item[N]).node
		if goal(at) {
			path := []N{at}
			for at != from {
				at = via[at]
				path = append(path, at)
			}
			slices.Reverse(path)
			return path, best[path[len(path)-1]], nil
		}
		for n, w := range next(at) {
			if c := best[at] + w; c < valueOr(best, n, math.Inf(1)) {
				best[n], via[n] = c, at
				heap.Push(q, item[N]{n, c + guess(n)})
			}
		}
	}
	return nil, 0, ErrNoRoute
}

func valueOr[K comparable, V any](m map[K]V, k K, def V) V {
	if v, ok := m[k]; ok {
		return v
	}
	return def
}

// SCC is Tarjan's algorithm.
func SCC[N cmp.Ordered](g Graph[N]) (parts [][]N) {
	index, low, on := map[N]int{}, map[N]int{}, map[N]bool{}
	var stack []N
	var visit func(n N)
	visit = func(n N) {
		index[n] = len(index) + 1
		low[n] = index[n]
		stack = append(stack, n)
		on[n] = true
		for _, m := range slices.Sorted(maps.Keys(g[n])) {
			if index[m] == 0 {
				visit(m)
				low[n] = min(low[n], low[m])
			} else if on[m] {
				low[n] = min(low[n], index[m])
			}
		}
		if low[n] == index[n] {
			i := slices.Index(stack, n)
			part := slices.Clone(stack[i:])
			for _, m := range part {
				on[m] = false
			}
			stack = stack[:i]
			slices.Sort(part)
			parts = append(parts, part)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(g)) {
		if index[n] == 0 {
			visit(n)
		}
	}
	return parts
}

type CycleError[N any] struct{ Path []N }

func (e *CycleError[N]) Error() string { return fmt.Sprintf("cycle through %v", e.Path) }

func Order[N cmp.Ordered](g Graph[N]) (order []N, err error) {
	indegree := map[N]int{}
	for n, out := range g {
		indegree[n] += 0
		for m := range out {
			indegree[m]++
		}
	}
	for len(indegree) > 0 {
		var free []N
		for n, d := range indegree {
			if d == 0 {
				free = append(free, n)
			}
		}
		if free == nil {
			return order, &CycleError[N]{slices.Sorted(maps.Keys(indegree))}
		}
		n := slices.Min(free)
		order = append(order, n)
		delete(indegree, n)
		for m := range g[n] {
			indegree[m]--
		}
	}
	return order, nil
}

const maze = `
S.#.......
..#.####.#
..#....#.#
...###.#.#
.#...#.#..
.###.#.##.
...#.#....
##.#.##.#.
...#....#E`

func main() {
	g := Graph[string]{}
	for _, line := range strings.Split("A B 7,A C 9,A F 14,B C 10,B D 15,C D 11,C F 2,D E 6,F E 9,E A 1,G H 1", ",") {
		var a, b string
		var w float64
		fmt.Sscan(line, &a, &b, &w)
		g.Edge(a, b, w)
	}
	zero := func(string) float64 { return 0 }
	for _, to := range []string{"E", "D", "A", "H"} {
		path, cost, err := Search("A", func(n string) bool { return n == to },
			func(n string) map[string]float64 { return g[n] }, zero)
		fmt.Println(to, path, cost, err, errors.Is(err, ErrNoRoute))
	}
	fmt.Println(SCC(g))
	_, err := Order(g)
	var cycle *CycleError[string]
	fmt.Println(err, errors.As(err, &cycle))
	delete(g["E"], "A")
	fmt.Println(Order(g))

	type pos struct{ x, y int }
	rows := strings.Fields(maze)
	var start, end pos
	for y, row := range rows {
		if x := strings.IndexByte(row, 'S'); x >= 0 {
			start = pos{x, y}
		}
		if x := strings.IndexByte(row, 'E'); x >= 0 {
			end = pos{x, y}
		}
	}
	steps := 0
	path, cost, err := Search(start, func(p pos) bool { return p == end },
		func(p pos) map[pos]float64 {
			steps++
			out := map[pos]float64{}
			for _, d := range []pos{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				q := pos{p.x + d.x, p.y + d.y}
				if q.y >= 0 && q.y < len(rows) && q.x >= 0 && q.x < len(rows[q.y]) && rows[q.y][q.x] != '#' {
					out[q] = 1
				}
			}
			return out
		}, func(p pos) float64 { return math.Abs(float64(p.x-end.x)) + math.Abs(float64(p.y-end.y)) })
	fmt.Println(len(path), cost, err, steps <= 100)
	grid := make([][]byte, len(rows))
	for i := range rows {
		grid[i] = []byte(rows[i])
	}
	for _, p := range path[1 : len(path)-1] {
		grid[p.y][p.x] = '*'
	}
	fmt.Println(strings.Count(string(slices.Concat(grid...)), "*"))
}

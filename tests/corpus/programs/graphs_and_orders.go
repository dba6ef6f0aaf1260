// run exit=2

// Shortest paths, topological order, permutations as a sequence.
package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
)

type Graph map[string]map[string]float64

func (g Graph) Edge(a, b string, w float64) Graph {
	for _, p := range [][2]string{{a, b}, {b, a}} {
		if g[p[0]] == nil {
			g[p[0]] = map[string]float64{}
		}
		g[p[0]][p[1]] = w
	}
	return g
}

func (g Graph) Shortest(from, to string) (path []string, dist float64, err error) {
	if _, ok := g[from]; !ok {
		return nil, 0, fmt.Errorf("no node %q", from)
	}
	d := map[string]float64{from: 0}
	prev := map[string]string{}
	todo := map[string]bool{from: true}
	for len(todo) > 0 {
		best, bd := "", math.Inf(1)
		for n := range todo {
			if d[n] < bd || d[n] == bd && n < best {
				best, bd = n, d[n]
			}
		}
		delete(todo, best)
		for _, n := range slices.Sorted(maps.Keys(g[best])) {
			if nd, ok := d[n]; !ok || bd+g[best][n] < nd {
				d[n] = bd + g[best][n]
				prev[n] = best
				todo[n] = true
			}
		}
	}
	dist, ok := d[to]
	if !ok {
		return nil, math.NaN(), errors.New("unreachable")
	}
	for n := to; ; n = prev[n] {
		path = append(path, n)
		if n == from {
			break
		}
	}
	slices.Reverse(path)
	return
}

func topo(deps map[string][]string) (order []string, err error) {
	state := map[string]int{}
	var visit func(n string, stack []string) error
	visit = func(n string, stack []string) error {
		switch state[n] {
		case 1:
			return fmt.Errorf("cycle: %s", strings.Join(append(stack, n), " -> "))
		case 2:
			return nil
		}
		state[n] = 1
		for _, d := range deps[n] {
			if err := visit(d, append(stack, n)); err != nil {
				return err
			}
		}
		state[n] = 2
		order = append(order, n)
		return nil
	}
	for _, n := range slices.Sorted(maps.Keys(deps)) {
		if err := visit(n, nil); err != nil {
			return order, err
		}
	}
	return order, nil
}

func permutations[T any](xs []T) func(func(int, []T) bool) {
	return func(yield func(int, []T) bool) {
		n := 0
		var rec func(k int) bool
		rec = func(k int) bool {
			if k == len(xs) {
				n++
				return yield(n, xs)
			}
			for i := k; i < len(xs); i++ {
				xs[k], xs[i] = xs[i], xs[k]
				ok := rec(k + 1)
				xs[k], xs[i] = xs[i], xs[k]
				if !ok {
					return false
				}
			}
			return true
		}
		rec(0)
	}
}

func fib() func() uint64 {
	var a, b uint64 = 0, 1
	return func() uint64 {
		defer func() { a, b = b, a+b }()
		return a
	}
}

func ack(m, n int) int {
	if m == 0 {
		return n + 1
	}
	if n == 0 {
		return ack(m-1, 1)
	}
	return ack(m-1, ack(m, n-1))
}

func main() {
	g := Graph{}.Edge("a", "b", 4).Edge("a", "c", 1).Edge("c", "b", 2).Edge("b", "d", 5).Edge("x", "y", 1)
	for _, q := range [][2]string{{"a", "d"}, {"a", "a"}, {"a", "x"}, {"q", "a"}} {
		p, d, err := g.Shortest(q[0], q[1])
		fmt.Println(p, d, err)
	}
	fmt.Println(topo(map[string][]string{"app": {"lib", "log"}, "lib": {"core"}, "log": {"core"}, "core": nil}))
	fmt.Println(topo(map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"a"}}))
	for i, p := range permutations([]string{"x", "y", "z"}) {
		fmt.Print(i, p, " ")
		if i == 4 {
			break
		}
	}
	fmt.Println()
	f := fib()
	for range 10 {
		fmt.Print(f(), " ")
	}
	fmt.Println(f(), f(), ack(2, 3))
	type kv struct {
		k string
		v int
	}
	var kvs []kv
	for i, w := range strings.Fields("b a d c a b a") {
		kvs = append(kvs, kv{w, i})
	}
	sort.SliceStable(kvs, func(i, j int) bool { return kvs[i].k < kvs[j].k })
	fmt.Printf("%v\n%+v\n", kvs, kvs[0])
	groups := map[string][]int{}
	for _, e := range kvs {
		groups[e.k] = append(groups[e.k], e.v)
	}
	fmt.Println(groups, len(groups["zzz"]))
	ks := slices.SortedFunc(maps.Keys(groups), func(a, b string) int { return len(groups[b]) - len(groups[a]) })
	fmt.Println(ks[0], slices.Max(ks), slices.Index(ks, "d") >= 0, slices.Contains(ks, "q"), slices.Compact([]int{1, 1, 2, 2, 1}))
	counter := 0
	next := func() int { counter++; return counter }
	fmt.Println(next(), counter, next(), counter)
	arr := [...]int{2: next(), 0: next(), 1: counter}
	fmt.Println(arr, []int{counter, next(), counter})
	x, y := counter, next()
	fmt.Println(x, y)
	func() (int, int) { return counter, next() }()
	var deep func(n int) int
	deep = func(n int) int {
		if n == 0 {
			return 0
		}
		return 1 + deep(n-1)
	}
	fmt.Println(deep(100000))
	fmt.Fprintln(os.Stderr, "done", len(os.Args))
	var inf func(int) int
	inf = func(n int) int { return inf(n+1) + 1 }
	_ = inf
	os.Exit(len(g) % 4)
}

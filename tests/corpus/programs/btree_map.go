// run

// An ordered map as a B-tree with generic keys, with checks of its shape and tests by package quick.
package main

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing/quick"
)

const degree = 3

type node[K, V any] struct {
	keys     []K
	values   []V
	children []*node[K, V]
}

type Map[K, V any] struct {
	root *node[K, V]
	less func(a, b K) int
	size int
}

func NewMap[K cmp.Ordered, V any]() *Map[K, V] { return NewMapFunc[K, V](cmp.Compare[K]) }

func NewMapFunc[K, V any](less func(a, b K) int) *Map[K, V] {
	return &Map[K, V]{root: &node[K, V]{}, less: less}
}

func (m *Map[K, V]) find(n *node[K, V], k K) (int, bool) {
	return slices.BinarySearchFunc(n.keys, k, m.less)
}

func (m *Map[K, V]) Get(k K) (v V, ok bool) {
	for n := m.root; n != nil; {
		i, found := m.find(n, k)
		if found {
			return n.values[i], true
		}
		if n.children == nil {
			break
		}
		n = n.children[i]
	}
	return v, false
}

func (n *node[K, V]) split(i int) {
	child := n.children[i]
	right := &node[K, V]{
		keys:   slices.Clone(child.keys[degree:]),
		values: slices.Clone(child.values[degree:]),
	}
	if child.children != nil {
		right.children = slices.Clone(child.children[degree:])
		child.children = child.children[:degree]
	}
	n.keys = slices.Insert(n.keys, i, child.keys[degree-1])
	n.values = slices.Insert(n.values, i, child.values[degree-1])
	n.children = slices.Insert(n.children, i+1, right)
	child.keys, child.values = child.keys[:degree-1], child.values[:degree-1]
}

func (m *Map[K, V]) Set(k K, v V) {
	if len(m.root.keys) == 2*degree-1 {
		m.root = &node[K, V]{children: []*node[K, V]{m.root}}
		m.root.split(0)
	}
	n := m.root
	for {
		i, found := m.find(n, k)
		if found {
			n.values[i] = v
			return
		}
		if n.children == nil {
			n.keys = slices.Insert(n.keys, i, k)
			n.values = slices.Insert(n.values, i, v)
			m.size++
			return
		}
		if len(n.children[i].keys) == 2*degree-1 {
			n.split(i)
			continue
		}
		n = n.children[i]
	}
}

func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.root.walk(yield) }
}

func (n *node[K, V]) walk(yield func(K, V) bool) bool {
	for i, k := range n.keys {
		if n.children != nil && !n.children[i].walk(yield) || !yield(k, n.values[i]) {
			return false
		}
	}
	return n.children == nil || n.children[len(n.keys)].walk(yield)
}

// Range gives the keys from lo up to hi.
func (m *Map[K, V]) Range(lo, hi K) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range m.All() {
			if m.less(k, hi) >= 0 {
				return
			}
			if m.less(k, lo) >= 0 && !yield(k, v) {
				return
			}
		}
	}
}

func (m *Map[K, V]) check() error {
	depths := map[int]bool{}
	var visit func(n *node[K, V], depth int) error
	visit = func(n *node[K, V], depth int) error {
		if n != m.root && len(n.keys) < degree-1 || len(n.keys) > 2*degree-1 {
			return fmt.Errorf("%d keys", len(n.keys))
		}
		if n.children == nil {
			depths[depth] = true
			return nil
		}
		if len(n.children) != len(n.keys)+1 {
			return fmt.Errorf("%d children of %d keys", len(n.children), len(n.keys))
		}
		for _, c := range n.children {
			if err := visit(c, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(m.root, 0); err != nil {
		return err
	}
	if len(depths) != 1 {
		return fmt.Errorf("leaves at %v", depths)
	}
	return nil
}

func main() {
	m := NewMap[string, int]()
	for i, w := range strings.Fields("the quick brown fox jumps over the lazy dog and runs away from all of them") {
		m.Set(w, i)
	}
	for k, v := range m.All() {
		fmt.Print(k, ":", v, " ")
	}
	fmt.Println(m.size, m.check())
	for k := range m.Range("d", "l") {
		fmt.Print(k, " ")
	}
	fmt.Println()
	fmt.Println(m.Get("the"))
	fmt.Println(m.Get("nothing"))

	same := func(keys []int16) bool {
		m, model := NewMap[int16, int](), map[int16]int{}
		for i, k := range keys {
			m.Set(k, i)
			model[k] = i
		}
		sorted := slices.Sorted(maps.Keys(model))
		i := 0
		for k, v := range m.All() {
			if k != sorted[i] || v != model[k] {
				return false
			}
			i++
		}
		return i == len(sorted) && m.size == len(model) && m.check() == nil
	}
	fmt.Println(quick.Check(same, &quick.Config{MaxCount: 300}))
	fmt.Println(quick.CheckEqual(func(a, b string) int { return cmp.Compare(a, b) },
		strings.Compare, nil))
	broken := func(a uint8) bool { return a < 200 }
	err := quick.Check(broken, nil)
	e, ok := err.(*quick.CheckError)
	fmt.Println(ok, e != nil && e.In[0].(uint8) >= 200)

	type point struct{ x, y int }
	byDistance := NewMapFunc[point, string](func(a, b point) int {
		return cmp.Or(cmp.Compare(a.x*a.x+a.y*a.y, b.x*b.x+b.y*b.y), cmp.Compare(a.x, b.x))
	})
	for x := range 5 {
		for y := range 5 {
			byDistance.Set(point{x - 2, y - 2}, fmt.Sprint(x, y))
		}
	}
	n := 0
	for p, name := range byDistance.All() {
		if n++; n > 6 {
			break
		}
		fmt.Print(p, "=", name, " ")
	}
	fmt.Println(byDistance.size, byDistance.check())
	next, stop := iter.Pull2(m.All())
	for range 3 {
		fmt.Println(next())
	}
	stop()
	fmt.Println(next())
}

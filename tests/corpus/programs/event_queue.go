// run exit=2

// A queue by time, shapes behind interfaces, type switches, closures.
package main

import (
	"container/heap"
	"container/list"
	"container/ring"
	"fmt"
	"sort"
	"strings"
)

type Event struct {
	At   int
	Name string
	idx  int
}

type Queue []*Event

func (q Queue) Len() int           { return len(q) }
func (q Queue) Less(i, j int) bool { return q[i].At < q[j].At || q[i].At == q[j].At && q[i].Name < q[j].Name }
func (q Queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].idx, q[j].idx = i, j }
func (q *Queue) Push(x any)        { e := x.(*Event); e.idx = len(*q); *q = append(*q, e) }
func (q *Queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}

type Shape interface {
	Area() float64
	Perimeter() float64
}

type (
	Rect   struct{ W, H float64 }
	Circle struct{ R float64 }
	Square struct{ Rect }
)

func (r Rect) Area() float64        { return r.W * r.H }
func (r Rect) Perimeter() float64   { return 2 * (r.W + r.H) }
func (c *Circle) Area() float64     { return 3 * c.R * c.R }
func (c *Circle) Perimeter() float64 { return 6 * c.R }
func (s Square) String() string     { return fmt.Sprintf("Square(%g)", s.W) }

type byArea []Shape

func (b byArea) Len() int           { return len(b) }
func (b byArea) Less(i, j int) bool { return b[i].Area() < b[j].Area() }
func (b byArea) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func describe(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprintf("int %v", x)
	case error:
		return "error " + x.Error()
	case fmt.Stringer:
		return "stringer " + x.String()
	case []Shape:
		return fmt.Sprint("shapes ", len(x))
	case func() int:
		return fmt.Sprint("func ", x())
	case Shape:
		return fmt.Sprintf("shape %.1f", x.Area())
	default:
		return fmt.Sprintf("other %T", x)
	}
}

func main() {
	q := &Queue{}
	heap.Init(q)
	for i, n := range strings.Fields("wake eat work eat sleep") {
		heap.Push(q, &Event{At: (i * 37) % 11, Name: n})
	}
	(*q)[2].At = -1
	heap.Fix(q, 2)
	for q.Len() > 0 {
		e := heap.Pop(q).(*Event)
		fmt.Print(e.At, ":", e.Name, " ")
	}
	fmt.Println()
	shapes := []Shape{Rect{3, 4}, &Circle{1}, Square{Rect{2, 2}}}
	sort.Sort(byArea(shapes))
	for _, s := range shapes {
		fmt.Printf("%v %+v %T %.2f %.2f\n", s, s, s, s.Area(), s.Perimeter())
	}
	sort.Sort(sort.Reverse(byArea(shapes)))
	fmt.Println(shapes[0].Area(), sort.IsSorted(byArea(shapes)))
	for _, v := range []any{nil, 1, int64(2), fmt.Errorf("e%d", 1), Square{}, Rect{1, 2}, shapes, func() int { return 9 }, "s", 2.5, struct{}{}, &Circle{2}, [2]int{}} {
		fmt.Println(describe(v))
	}
	l := list.New()
	for i := range 5 {
		if i%2 == 0 {
			l.PushBack(i)
		} else {
			l.PushFront(i)
		}
	}
	l.MoveToBack(l.Front())
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value, " ")
	}
	r := ring.New(3)
	for i := range r.Len() {
		r.Value = i
		r = r.Next()
	}
	r.Do(func(v any) { fmt.Print(v, ";") })
	fmt.Println(l.Len())
	type key struct {
		a string
		b int
	}
	m := map[key][]string{}
	m[key{"x", 1}] = append(m[key{"x", 1}], "a", "b")
	m[key{"y", 2}] = nil
	delete(m, key{"z", 0})
	v, ok := m[key{"y", 2}]
	fmt.Println(m, len(m), v == nil, ok)
	var iface any = m
	_, isMap := iface.(map[string]int)
	fmt.Println(isMap)
outer:
	for i := 0; ; i++ {
		for j := range 3 {
			switch {
			case i == 2 && j == 1:
				break outer
			case j == 2:
				continue outer
			}
			fmt.Print(i, j, " ")
		}
	}
	fmt.Println()
	fns := []func(int) int{}
	for i := range 3 {
		fns = append(fns, func(x int) int { i += x; return i })
	}
	fmt.Println(fns[0](1), fns[0](1), fns[2](5))
	s := iface.([]int)
	fmt.Println(s)
}

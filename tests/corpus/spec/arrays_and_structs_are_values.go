// run
package main

import "fmt"

type Point struct{ X, Y int }
type Line struct {
	A, B Point
	Name string
	Tags [2]string
}
type Small struct {
	a int8
	b int16
	c bool
	d float32
	e uint64
}

func modify(l Line) Line {
	l.A.X = 99
	l.Tags[1] = "changed"
	return l
}

func (p Point) Plus(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }
func (p *Point) Move(dx int)       { p.X += dx }

func pair() (a [3]int, p Point) {
	a[1] = 5
	p.Y = 6
	return
}

func main() {
	l := Line{Point{1, 2}, Point{3, 4}, "l", [2]string{"x", "y"}}
	m := modify(l)
	fmt.Println(l, m, l == m, l == Line{Point{1, 2}, Point{3, 4}, "l", [2]string{"x", "y"}})
	arr := [3]Point{{1, 2}, {3, 4}}
	brr := arr
	brr[1].X = 77
	i := 2
	brr[i].Y = 5
	brr[i].Move(10)
	fmt.Println(arr, brr, arr == brr, len(arr))
	pa := &arr
	pa[0].X = -1
	for i, p := range pa {
		fmt.Print(i, p, ";")
	}
	fmt.Println(arr[0].Plus(brr[1]))
	a, p := pair()
	a2 := a
	a2[0]++
	fmt.Println(a, p, a2)
	s := Small{-1, -2, true, 1.5, 1 << 60}
	t := s
	t.a--
	t.d *= 2
	fmt.Println(s, t, s == t, s != s)
	matrix := [2][3]int{{1, 2, 3}, {4, 5, 6}}
	row := matrix[1]
	row[0] = 100
	matrix[0], matrix[1] = matrix[1], matrix[0]
	fmt.Println(matrix, row)
	sum := 0
	for _, r := range matrix {
		for _, v := range r {
			sum += v
		}
	}
	sp := [...]string{2: "two", 0: "zero"}
	fmt.Println(sum, sp, len(sp))
	ps := []*Point{{1, 2}, {3, 4}}
	mp := map[Point]string{{1, 2}: "a", {3, 4}: "b"}
	fmt.Println(*ps[1], mp[*ps[0]], mp[Point{9, 9}] == "")
	type E struct {
		Point
		*Line
		Z int
	}
	e := E{Point{1, 2}, &l, 3}
	e.X++
	e.Name = "via e"
	e.Move(5)
	fmt.Println(e.Point, e.Line.Name, l.Name, e.Plus(Point{1, 1}), e.Z)
	anon := struct {
		K string
		V []int
	}{"k", []int{1, 2}}
	fmt.Printf("%v %+v\n", anon, anon)
	var empty struct{}
	var ea [0]int
	fmt.Println(empty, ea, [2]struct{}{} == [2]struct{}{})
}

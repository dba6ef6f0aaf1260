// run
package main

import "fmt"

func grow(s []int) []int {
	for i := 0; i < 10; i++ {
		s = append(s, i)
	}
	return s
}

type T struct {
	a int
	s string
}

func main() {
	var nilS []int
	fmt.Println(nilS == nil, len(nilS), cap(nilS), nilS)
	s := []int{0, 1, 2, 3, 4, 5, 6, 7}
	t := s[2:5]
	u := s[2:5:6]
	t = append(t, 100)
	u = append(u, 200, 300)
	fmt.Println(s, t, u, len(t), cap(t), len(u), cap(s[:0]))
	copy(s[1:], s)
	fmt.Println(s, copy(s, []int{9, 9}), s)
	fmt.Println(grow(nil), grow(s[:1]))
	b := append([]byte("ab"), "cdef"...)
	copy(b[1:], "XY")
	fmt.Println(string(b), append([]string(nil), "x", "y"))
	caps := []int{}
	last := -1
	g := make([]int, 0, 64)
	for i := 0; i < 5000; i++ {
		g = append(g, i)
		if i >= 64 && cap(g) != last {
			last = cap(g)
			caps = append(caps, last)
		}
	}
	fmt.Println(caps)
	gs := make([]string, 0, 64)
	caps = caps[:0]
	last = -1
	for i := 0; i < 500; i++ {
		gs = append(gs, "x")
		if i >= 64 && cap(gs) != last {
			last = cap(gs)
			caps = append(caps, last)
		}
	}
	fmt.Println(caps)
	gb := make([]byte, 0, 64)
	caps = caps[:0]
	last = -1
	for i := 0; i < 3000; i++ {
		gb = append(gb, 1)
		if i >= 64 && cap(gb) != last {
			last = cap(gb)
			caps = append(caps, last)
		}
	}
	fmt.Println(caps, cap(append([]int32{1, 2, 3}, 4, 5, 6, 7)), len(append([]T(nil), T{}, T{}, T{})))
	ts := []T{{1, "a"}, {2, "b"}}
	for i := range ts {
		ts[i].a *= 10
	}
	for _, x := range ts {
		x.a = 0
	}
	fmt.Println(ts)
	grid := make([][]rune, 3)
	for i := range grid {
		grid[i] = []rune("...")
	}
	grid[1][1] = '#'
	for _, r := range grid {
		fmt.Println(string(r))
	}
	clear(s)
	fmt.Println(s, s[:3], len(s[8:]))
	m := make([]int, 3, 10)
	m2 := m[:6]
	m2[5] = 5
	fmt.Println(m, m2, m[5:6])
	str := "hello, 世界"
	fmt.Println(str[1:3], str[7:], len(str), str[:0] == "", str[7])
	is := []interface{}{1, "a", nil, 2.5, []int{1}}
	fmt.Println(is...)
	x := []int{1, 2, 3}
	i := 0
	i, x[i] = 2, 9
	fmt.Println(i, x)
	x[0], x[2] = x[2], x[0]
	fmt.Println(x)
}

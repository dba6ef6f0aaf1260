package main

import "net/url"

type P struct{ x, y int }
type E struct {
	P
	z int
}
type PE struct{ *P }
type A [3]int

func main() {
	_ = P{1}
	_ = P{1, 2, 3}
	_ = P{x: 1, 2}
	_ = P{1, y: 2}
	_ = P{x: 1, x: 2}
	_ = P{z: 1}
	_ = P{X: 1}
	_ = P{1: 1}
	_ = P{x: "a"}
	_ = &P{"a", 1}
	_ = E{x: 1, z: 2}
	_ = E{P: P{}, x: 1}
	_ = PE{x: 1}
	_ = A{1, 2, 3, 4}
	_ = A{5: 1}
	_ = A{0: 1, 0: 2}
	_ = A{-1: 1}
	_ = A{"a": 1}
	_ = []int{2: 1, 1, 2: 3}
	_ = [...]int{1, 2, 3}[4]
	_ = []int{1, "a", nil}
	_ = []P{{1, 2}, {x: 1}, P{1, 2}, {1}}
	_ = []*P{{1, 2}, &P{1, 2}, {"a", 1}}
	_ = map[string]P{"a": {1, 2}, "a": {}, 1: {}}
	_ = map[P]int{{1, 2}: 1, {"a"}: 2}
	_ = map[string]int{"a"}
	_ = map[any]int{1: 1, "1": 2, 1: 3, 1.0: 4, int8(1): 5}
	_ = [2][]int{{1}, {2, "b"}, {3}}
	_ = struct{}{1}
	_ = int{1}
	_ = func(){}
	_ = any{}
	_ = *P{}
	_ = url.URL{"a"}
	_ = url.Userinfo{"a", "b", true}
	_ = url.Userinfo{username: "a"}
	_ = url.URL{host: "a"}
	_ = chan int{}
	_ = []int{i: 1}
	var i int
	_ = []int{i: 1}
	_ = [i]int{}
	_ = [...]int
	var v [...]int
	_ = Undefined{1, 2}
	_ = P{undefined, 1}
	_ = []func(){nil, main, 1, func() {}}
	_ = [][2]int{{1, 2, 3}}
	_ = map[bool]int{true: 1, false: 2, true: 3}
	_ = map[float64]int{1: 1, 1.0: 2}
	_ = P{x: 1}.x
	if (P{}) == (P{1, 2}) {
	}
}

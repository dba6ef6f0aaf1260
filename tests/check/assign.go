package main

import "fmt"

type point struct{ x, y int }

func two() (int, string) { return 1, "" }
func none()              {}

var g int = "text"
var h, i = two()
var j, k, l = two()

func main() {
	var a int = 1.5
	var b uint8 = 256
	var c int8 = -129
	var d string = 'x'
	var e float32 = 1e40
	var f bool = 1
	var p *point = point{1, 2}
	var q point = nil
	var r []int = [3]int{1, 2, 3}
	var s map[string]int = map[int]string{}
	var t chan<- int = make(<-chan int)
	var u func(int) = func(string) {}
	var v error = fmt.Errorf
	var w any = none
	x := none()
	y, z := two(), 1
	a, b := 1, 2
	a = two()
	a, d, f = two()
	a, d = two()
	_ = nil
	_, _ = 1
	m := map[string]point{}
	m["a"].x = 1
	two() = 3
	"lit"[0] = 'c'
	(a) = 2
	(point{}).x = 1
	const k = 10
	k = 11
	k++
	a += "s"
	a <<= 1.5
	f++
	nosuch = 1
	a, nosuch2 = 1, 2
	for a, d = range []string{} {
	}
	d, a = a, d
	none, a = a, 1
}

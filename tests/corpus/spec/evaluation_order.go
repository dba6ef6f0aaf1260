// run
package main

import "fmt"

var trace []string

func f(s string, v int) int { trace = append(trace, s); return v }
func show()                { fmt.Println(trace); trace = nil }
func get(s string, m map[int]int) map[int]int {
	trace = append(trace, s)
	return m
}
func sl(s string, x []int) []int { trace = append(trace, s); return x }
func three() (int, int, int)     { return 1, 2, 3 }

type S struct{ a, b, c int }

func (s S) m(x int) S { trace = append(trace, fmt.Sprint("m", x)); return s }

var (
	pa = pb + 1
	pb = initB()
	pc = "c"
)

func initB() int { fmt.Println("initB", pc); return 41 }
func init()      { fmt.Println("init1", pa, pb) }
func init()      { fmt.Println("init2") }

func main() {
	a := []int{1, 2, 3}
	m := map[int]int{}
	sl("a", a)[f("i", 1)], get("m", m)[f("k", 2)] = f("x", 10), f("y", 20)
	show()
	fmt.Println(a, m)
	_ = S{c: f("c", 1), a: f("a", 2), b: f("b", 3)}
	_ = []int{f("0", 0), 2: f("2", 2), 1: f("1", 1)}
	show()
	S{}.m(f("1", 1)).m(f("2", 2)).m(f("3", 3))
	show()
	_ = f("l", 1)+f("r", 2)*f("t", 3) == f("e", 7) || f("no", 1) == 1
	show()
	i := 0
	i, a[i] = 1, 50
	fmt.Println(i, a)
	a[0], a[1], a[2] = three()
	x, y := 1, 2
	x, y = y, x+y
	fmt.Println(a, x, y)
	p := &S{1, 2, 3}
	p.a, p = 100, &S{4, 5, 6}
	fmt.Println(*p)
	defer fmt.Println("deferred arg", f("d", 5), len(trace))
	trace = append(trace, "after")
	show()
	arr := [3]int{1, 2, 3}
	brr := arr
	arr[0], brr[0] = brr[1], arr[2]
	fmt.Println(arr, brr)
	func(v ...int) { fmt.Println(v) }(f("p", 1), f("q", 2))
	show()
	k := 5
	fn := func() int { k++; return k }
	fmt.Println(k+fn() > 0, fn(), k)
	s := "a"
	s += string(rune('b'+f("z", 1))) + s
	fmt.Println(s)
}

// run

// Variables inside of operands are read when the calls of the same list are done, in every kind of list, statement and operand.
package main

import "fmt"

var total int
var arr [4]int
var m = map[int]int{}
var p = &total
var sl = []int{0, 0, 0, 0}

type T struct{ a, b int }

var st T
var ifc any = 0

func sum(n int) int {
	total += n
	arr[1] += n
	m[1] += n
	sl[1] += n
	st.a += n
	ifc = total
	return n
}
func str(n int) string     { total += n; return fmt.Sprint(n) }
func f(a ...int)           { fmt.Println("f", a) }
func g(a, b int)           { fmt.Println("g", a, b) }
func two(a int) (int, int) { sum(a); return a, total }
func h(a, b, c int) int    { fmt.Println("h", a, b, c); return sum(a) }

type R struct{ v int }

func (r R) m(a int) R    { fmt.Println("m", r.v, a); return R{sum(a)} }
func (r *R) pm(a int) *R { fmt.Println("pm", r.v, a); r.v += sum(a); return r }

var r R

func ret() (int, int)          { return sum(2) + total, sum(3) }
func ret2() (int, int, string) { return arr[1] * sum(2), sum(3) - st.a, str(1) }

func main() {
	fmt.Println(sum(2)+total, sum(5))
	f(sum(2)+total, sum(5), total)
	g(sum(2)+total, sum(5))
	g(total+sum(2), total+sum(5))
	g(-sum(2)*arr[1], sum(5)+sl[1])
	g(arr[sum(1)], sum(4))
	g(sl[sum(1)], sum(4))
	g(m[sum(1)], sum(4))
	g(*p+sum(1), sum(4))
	g(st.a+sum(1), sum(4)+st.a)
	g(len(str(3))+total, sum(1))
	g(min(total, sum(2)), sum(3))
	g(int(uint8(sum(2)))+total, sum(3))
	x, y := sum(2)+total, sum(3)
	fmt.Println(x, y)
	x, y = sum(2)+total, sum(3)
	fmt.Println(x, y)
	arr[sum(1)], y = sum(2)+total, sum(3)
	fmt.Println(arr, y)
	arr[1], arr[2] = sum(2)+arr[1], sum(3)
	fmt.Println(arr)
	fmt.Println(ret())
	fmt.Println(ret2())
	fmt.Println([]int{sum(2) + total, sum(3)}, [2]int{sum(2) + total, sum(3)})
	fmt.Println(T{sum(2) + total, sum(3)}, &T{sum(2) + total, sum(3)})
	fmt.Println(map[int]int{sum(2) + total: sum(3) + total, sum(4): sum(5)})
	fmt.Println(sum(2)+total == sum(3)+total, sum(1) < total && sum(2) > total, total)
	z := sum(2)*total + sum(3)*total
	fmt.Println(z)
	z = (sum(2)+total)*sum(3) + total
	fmt.Println(z)
	z += sum(2)*total + sum(4)
	fmt.Println(z)
	arr[1] += sum(2)*arr[1] + sum(4)
	fmt.Println(arr)
	m[sum(1)] += sum(2) * m[1]
	fmt.Println(m)
	s := str(1) + fmt.Sprint(total) + str(2)
	fmt.Println(s, total)
	h(sum(1)+total, h(total, sum(2)+total, total), total)
	r.m(sum(1) + total).m(total + sum(2)).m(total)
	r.pm(sum(1) + r.v).pm(r.v + sum(2)).pm(r.v)
	fmt.Println(r, r.pm(1).v+r.v, r.pm(2).v+r.v)
	var loc int
	add := func(n int) int { loc += n; return n }
	g(add(2)+loc, add(3))
	g(loc+add(2), add(3)*loc)
	fmt.Println(add(2)+loc, add(3))
	a, b := add(2)+loc, add(4)
	fmt.Println(a, b)
	c := make(chan int, 4)
	c <- 1
	c <- 2
	total = 0
	g(<-c+total, sum(3))
	g(<-c+total, sum(3))
	defer g(sum(2)+total, sum(3))
	defer fmt.Println(sum(2)+total, sum(3))
	switch sum(2) + total {
	case total + sum(1), sum(1) + total:
		fmt.Println("case", total)
	default:
		fmt.Println("default", total)
	}
	for i := range sum(2) + total - total {
		fmt.Println(i)
	}
	sl[sum(1)] = sum(2) + sl[1]
	fmt.Println(sl)
	g(ifc.(int)+sum(1), sum(2))
	g(sum(1)+ifc.(int), sum(2))
	g(sl[1:][0]+sum(1), sum(2))
	g(sum(1)+sl[1:][0], sum(2))
	g(sum(1)+len(sl[:total%3]), sum(2))
	g(sum(1)<<(total&3), sum(2))
	g((sum(1)+100)/(total+1), sum(2))
	func(x, y int) { fmt.Println(x, y) }(sum(1)+total, sum(2))
	u, v := two(sum(1) + total)
	fmt.Println(u, v)
	fmt.Println(fmt.Sprint(sum(1)+total, sum(2)), total)
	w := append([]int(nil), sum(1)+total, sum(2))
	fmt.Println(w)
	fmt.Println(max(sum(1)+total, sum(2), total))
	fmt.Println(T{a: sum(1) + st.a, b: sum(2) + st.a}.a+total, sum(3))
	println2(!(sum(1) > total), sum(2))
	var e any = sum(1) + total
	e2, e3 := any(sum(1)+total), sum(2)
	fmt.Println(e, e2, e3)
	c <- sum(1) + total
	fmt.Println(<-c)
	fmt.Println(float64(sum(1))+float64(total), sum(2))
	fmt.Println(string(rune(64+sum(1)))+fmt.Sprint(total), str(1))
	fmt.Println(complex(float64(sum(1)), float64(total)), sum(1))
	fmt.Println([3]int{sum(1), total, 2}[sum(1)]+total, sum(1))
	fmt.Println(st == T{sum(1), total}, sum(1), st)
	fmt.Println(T{sum(1), total}, sum(1), st)
	fmt.Println(struct {
		t T
		n int
	}{T{sum(1), total}, total}, sum(1), st)
}

func println2(b bool, n int) { fmt.Println(b, n) }

// run

// The length of what a call beside it makes longer, also where the call is compiled in place.
package main

import "fmt"

var s = "abc"
var b = []int{1, 2}

//go:noinline
func f() int     { s += "x"; b = append(b, 3); return 1 }
func g(a, b int) { fmt.Println(a, b) }
func main() {
	fmt.Println(len(s)+f(), f())
	fmt.Println(f()+len(s), f())
	g(len(s)+f(), f())
	g(len(s)+f(), len(b)+f())
	x := len(s) + f()
	fmt.Println(x)
	l := "abc"
	h := func(t string) string { l += t; return t }
	fmt.Println(len(l) + len(h("q")))
	y := len(l) + len(h("q"))
	y2 := len(l) + len(h("q")) + f()
	fmt.Println(y, y2)
	h2 := func(t string) string {
		l += t
		fmt.Print()
		fmt.Print()
		fmt.Print()
		fmt.Print()
		fmt.Print()
		fmt.Print()
		fmt.Print()
		fmt.Print()
		return t
	}
	fmt.Println(len(l) + len(h2("q")))
	h3 := func(t string) int { l += t; return len(t) }
	fmt.Println(len(l) + h3("q"))
	fmt.Println(len(l) + len(h3s("q")))
	ls := l
	h4 := func(t string) string { ls += t; return t }
	fmt.Println(len(ls)+len(h4("q")), ls)
	i := 1
	h5 := func(t int) []int { i += t; return []int{t} }
	fmt.Println(i+len(h5(7)), i)
	fmt.Println(i+h5(7)[0], i)
	fmt.Println(i+cap(h5(7)), i)
}

func h3s(t string) string { return t }

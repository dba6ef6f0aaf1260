// run
// Function literals in every place where one can be called, and recursion by way of them.
package main

import "fmt"

type op func(int) int

type holder struct{ f func(int) int }

func pick(b bool) func(int) int {
	if b {
		return func(x int) int { return x + 1 }
	}
	return func(x int) int { return x - 1 }
}

func opt(fs ...func(int) int) int {
	s := 0
	for _, f := range fs {
		s += f(s + 1)
	}
	return s
}

func deferred() (n int) {
	add := func(k int) { n += k }
	defer add(5)
	defer func() { add(10) }()
	add(1)
	return n
}

func rec(n int) int {
	step := func(k int) int { return rec(k - 1) }
	if n == 0 {
		return 0
	}
	return 1 + step(n)
}

func gen[T any, F ~func(T) T](x T, f F) T { return f(f(x)) }

func main() {
	n := 0
	for f := func() int { n++; return n }; f() < 3; fmt.Print(n, " ") {
	}
	for i, f := 0, func(k int) bool { return k < 3 }; f(i); i++ {
		fmt.Print(i, " ")
	}
	if f := func() bool { return n == 3 }; f() {
		fmt.Print("three ")
	} else if g := func() int { return n }; g() > 1 {
		fmt.Print(g(), " ")
	}
	switch f := func() int { return n * 2 }; f() {
	case 6:
		fmt.Print("six ")
	}
	fmt.Println(pick(true)(1), pick(false)(1), opt(), opt(pick(true), func(x int) int { return x * 2 }), deferred(), rec(20))
	var o op = func(x int) int { return x * n }
	fmt.Println(o(2), gen(3, o), gen("a", func(s string) string { return s + "b" }), gen(1, op(func(x int) int { return x + 1 })))
	h := holder{func(x int) int { return x + n }}
	fmt.Println(h.f(1), holder{o}.f(2), (func(x int) int { return x })(4))
	a, b := func() int { return 1 }, func() int { return 2 }
	fmt.Println(a() + b())
	fmt.Println(func() (int, string) { return 1, "x" }())
	x, f := 3, func(k int) int { return k * k }
	fmt.Println(f(x), func(s ...string) int { return len(s) }("a", "b"))
	var ch = make(chan func() int, 1)
	ch <- a
	fmt.Println((<-ch)())
	sel := func() chan func() int { ch <- b; return ch }
	select {
	case g := <-sel():
		fmt.Println(g())
	}
	m := map[string]func(int) int{"o": o, "f": f}
	fmt.Println(m["o"](1), m["f"](9), len(m))
	e := func() any { return f }
	fmt.Println(e().(func(int) int)(5))
	loop := func() (r int) {
		for i := range 10 {
			if i == 5 {
				return i
			}
			r += i
		}
		return
	}
	fmt.Println(loop(), loop()+loop())
	var z [3]func() int
	for i := range z {
		get := func() int { return i * n }
		z[i] = get
		n += get()
	}
	fmt.Println(z[0](), z[1](), z[2](), n)
	p := &n
	inc := func() *int { *p++; return p }
	*inc() += 100
	fmt.Println(n, *inc())
	str := "héllo"
	each := func(g func(int, rune)) {
		for i, r := range str {
			g(i, r)
		}
	}
	each(func(i int, r rune) {
		if r == 'l' {
			return
		}
		fmt.Print(i, string(r), " ")
	})
	fmt.Println()
	func() {
		defer func() { fmt.Println(recover()) }()
		var arr []int
		at := func(i int) *int { return &arr[i] }
		*at(2) = 1
	}()
	big := func(a [200]int) [200]int { a[1]++; return a }
	var q [200]int
	q2 := big(big(q))
	fmt.Println(q[1], q2[1])
	c := complex(1, 2)
	mul := func(d complex128) complex128 { return c * d }
	fmt.Println(mul(2i), func() (e error) { return }())
}

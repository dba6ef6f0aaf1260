// Operands that print and println have no way to show.

package main

type T struct {
	a int
	B *T
}

func main() {
	println(T{1, nil}, [2]T{}, [2]int{})
	var s struct {
		a int `x:"y"`
		b []T
	}
	println(1, s)
	go println(s)
	defer func() { println(s) }()
	print([3]struct{ x int }{}, "a", "b")
	println([]int{}, [0]int{}, &s, any(s))
	println(pair())
	unused[T](T{})
}

func pair() (int, [1]string) { return 1, [1]string{} }

func unused[X any](x X) {}

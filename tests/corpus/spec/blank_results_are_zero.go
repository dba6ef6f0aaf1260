// run

package main

import "fmt"

func two() (_ int, _ string) { return }

func zero[T any]() (_ T) { return }

// dirty leaves something in the slots that the next call's results will use.
//
//go:noinline
func dirty() (int, string) { return 7, "dirt" }

//go:noinline
func recovered() (_ int, _ error) {
	defer func() { recover() }()
	panic("x")
}

func main() {
	dirty()
	a, b := two()
	fmt.Printf("%d %q\n", a, b)
	dirty()
	fmt.Printf("%q\n", zero[string]())
	dirty()
	fmt.Println(zero[int](), zero[*int]() == nil)
	dirty()
	fmt.Println(recovered())
}

// run

// What a receiver points to, and a pointer that is embedded, are read when the arguments' calls are done, also where the method is
// compiled in place.
package main

import "fmt"

type pair struct{ a, b int }

func (p pair) value(n int) int   { return p.a*10 + n }
func (p *pair) change(n int) int { p.b += n; return p.b }

type outer struct{ *pair }

var (
	pointer = &pair{1, 2}
	holder  = outer{&pair{3, 4}}
	copied  = pair{5, 6}
)

//go:noinline
func f(n int) int {
	pointer.a++
	copied.a++
	holder.a++
	if n > 2 {
		pointer, holder.pair = &pair{n, n}, &pair{n, n}
	}
	return n
}

func main() {
	p := pointer
	fmt.Println(p.value(f(1)), pointer.value(f(2)), copied.value(f(1)), holder.value(f(2)))
	fmt.Println(pointer.value(f(3)), p.value(f(4)), pointer.change(f(5)), holder.change(f(6)))
	fmt.Println(holder.value(f(7)), (&holder).value(f(8)), (*pointer).value(f(9)), pair{copied.a, 1}.value(f(1)))
	fmt.Println(holder.pair.value(f(7))+pointer.value(f(8)), pointer.a+pointer.value(f(9)))
	value := pointer.value
	fmt.Println(value(f(3)), pointer.change(f(4))+pointer.b)
}

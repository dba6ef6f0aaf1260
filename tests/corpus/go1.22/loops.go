// run
// What go1.22 changed: each iteration has its own variables; ranges over integers.
package main

import "fmt"

type size uint8

func main() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i *= 10; return i })
	}
	for _, s := range []string{"a", "bb"} {
		fs = append(fs, func() int { return len(s) })
	}
	for i := range 2 {
		fs = append(fs, func() int { return -i })
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()

	var ps []*int
	for i := 0; i < 4; i++ {
		ps = append(ps, &i)
		if i == 1 {
			i++
			continue
		}
	}
	for _, p := range ps {
		fmt.Print(*p, " ")
	}
	fmt.Println()

	for i := range size(3) {
		fmt.Printf("%T%d ", i, i)
	}
	for range 2 {
		fmt.Print("x")
	}
	for i := range -1 {
		fmt.Print("never", i)
	}
	n := 2
	for i := range n {
		n = 5
		i++
		fmt.Print(" ", i)
	}
	var i int64
	for i = range 3 {
	}
	fmt.Println(" ", i)
}

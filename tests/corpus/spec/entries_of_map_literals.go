// run

// Entries of a map's literal whose keys are equal but no constants: what is made of constants alone is stored before all else, as Go's
// compiler has it, so that an earlier entry may win.
package main

import "fmt"

func name[T any](x T) T { return x }

type point struct{ x, y int }

func main() {
	fmt.Println(map[string]int{name("k"): 1, "k": 2})
	fmt.Println(map[string]int{"k": 1, name("k"): 2})
	fmt.Println(map[point]string{{name(1), 2}: "first", {1, 2}: "last"})
}

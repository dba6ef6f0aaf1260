// run exit=2 gcstress=1000
package main

import (
	"fmt"
	"runtime/debug"
)

type t struct{ n int }

func (x t) String() string { return fmt.Sprint(x.n, t{x.n + 1}) }

func main() {
	debug.SetMaxStack(16 << 20)
	fmt.Println(t{1})
}

// Endless recursion: of a function, under the limit given as argument, or through fmt.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
)

type loop int

func (l loop) String() string { return fmt.Sprint(l + 1) }

//go:noinline
func down(n int) int { return down(n+1) + 1 }

func main() {
	if os.Args[1] == "fmt" {
		fmt.Println(loop(0))
	}
	limit, _ := strconv.Atoi(os.Args[1])
	fmt.Println(debug.SetMaxStack(limit))
	fmt.Println(down(0))
}

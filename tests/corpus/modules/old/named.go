// run

//go:build ignore

package main

import (
	"fmt"

	"example.com/old/loops"
)

// A file that is named belongs to no module: only what it imports does.
func main() {
	var fs []func()
	for i := 0; i < 3; i++ {
		fs = append(fs, func() { fmt.Print(i, " ") })
	}
	fs = append(fs, loops.Shared()...)
	for _, f := range fs {
		f()
	}
	fmt.Println()
}

// run of=dir
package main

import (
	"fmt"

	"example.com/old/loops"
)

// Every package of a module is of the version that its go.mod names.
func main() {
	var fs []func()
	for i := 0; i < 3; i++ {
		fs = append(fs, func() { fmt.Print(i, " ") })
	}
	for _, f := range fs {
		f()
	}
	for _, f := range loops.Shared() {
		f()
	}
	for _, f := range loops.Own() {
		f()
	}
	fmt.Println()
}

// A string that does not end: what stands before it is checked all the same.
package main

import "fmt"

func f() {
	x := 1
	y = 2
}

func main() {
	z := 3
	_ = `abc
}

// run exit=2
package main

import "fmt"

func main() {
	defer func() {
		panic(fmt.Sprint("again: ", recover()))
	}()
	panic("first")
}

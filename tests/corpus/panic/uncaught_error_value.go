// run exit=2
package main

import "errors"

func main() {
	defer func() {
		recover()
		panic(errors.New("from error"))
	}()
	panic("first")
}

// run exit=2
//go:debug panicnil=1

// With panicnil=1 nil is what panic(nil) panics with, until the environment says otherwise.
package main

import (
	"fmt"
	"os"
)

func recovered() (v any, returned bool) {
	defer func() { v = recover() }()
	panic(nil)
}

func nested() (text string) {
	defer func() { text += fmt.Sprint(recover(), " ") }()
	defer func() {
		text += fmt.Sprint(recover(), " ")
		panic("again")
	}()
	var err error
	panic(err)
}

func main() {
	fmt.Println(recovered())
	fmt.Println(nested())
	os.Setenv("GODEBUG", "panicnil=0")
	fmt.Println(recovered())
	os.Unsetenv("GODEBUG")
	fmt.Println(recovered())
	fmt.Println(os.Getenv("GODEBUG") == "")
	panic(nil)
}

// run exit=2

// A panic that Goexit has left behind is told before the one that ends the program.
package main

import "runtime"

func main() {
	defer func() {
		panic("last")
	}()
	defer func() {
		runtime.Goexit()
	}()
	panic("die")
}

// run exit=2
package main

import "runtime/debug"

func f(n int) int { return f(n+1) + 1 }

func main() {
	debug.SetMaxStack(1 << 20)
	println(f(0))
}

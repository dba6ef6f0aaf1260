// run exit=2
package main

import "runtime/debug"

// The array is too large for our frames, but counts as what Go has in them.
func down(n int) int {
	var a [4000]int
	a[n%len(a)] = n
	return down(n+1) + a[n*7%len(a)]
}

func main() {
	debug.SetMaxStack(64 << 20)
	defer func() { recover() }()
	println(down(0))
}

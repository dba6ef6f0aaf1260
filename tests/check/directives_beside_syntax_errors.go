// Where a declaration is broken, a directive before it is not called misplaced.

package main

//go:noinline
fun f() {
}

var x int //go:noinline

func main() {}

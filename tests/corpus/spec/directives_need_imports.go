// errorcheck
package main

//go:embed text
var s string

//go:linkname f g
func f()

func main() { f() }

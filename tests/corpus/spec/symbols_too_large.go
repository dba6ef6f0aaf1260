// errorcheck
package main

// Package-level variables end where symbols of a binary do.

var a [1 << 40]int

var b [2000000000]byte

var c, _, d [2000000001]byte

var e = struct {
	a [1 << 31]byte
	p *int
}{}

func main() { println(len(a), b[0]) }

// Functions and variables of types that are too large.
package main

type number int

func (number) method() (results []*[1 << 57]int) { return nil }

func parameter(p *[1 << 56]int) {}

type generic[T any] struct {
	parts [1 << 49]T
}

var small generic[byte]

var function func() [1 << 55]int

func main() {}

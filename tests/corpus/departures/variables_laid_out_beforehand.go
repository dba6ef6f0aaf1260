// run

// Variables of the package are initialised one after the other, in the order of the language, which sees no dependency through an interface. Go's
// compiler finds the value of some of them itself, by compiling a call in place, and so they have it from the start.
package main

import "fmt"

type source interface{ at(i int) int }

type squares struct{}

func (squares) at(i int) int { return table[i] }

func made(a int) [4]int { return [4]int{0, 1, a, 9} }

var (
	from  source = squares{}
	early        = from.at(3)
	four         = 4
	table        = made(four)
)

func main() { fmt.Println(early, table) }

// run

// What initialises a blank variable of a package does what it does, whether or not anything of it
// is left in the program.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

type T struct{ a [4]int }

func (t *T) Read(p []byte) (int, error) { return 0, io.EOF }

func same[X any](x X) X { return x }

func say(s string) int {
	fmt.Println(s)
	return 1
}

var (
	counts map[string]int
	x      = say("x")
)

// These do nothing.
var (
	_ io.Reader = (*T)(nil)
	_           = io.Reader(&T{})
	_           = any(io.Reader((*T)(nil)))
	_           = same[int]
	_           = strings.Repeat
	_           = os.Stdout
	_           = say
	_           = func() int { return say("never") }
	_           = T{}
	_           = (*T).Read
	_           = len("abc")
	_           = x
)

// These call.
var (
	_          = say("called")
	_          = func() int { return say("called at once") }()
	_, _       = say("a"), say("b")
	_    int   = counts["k"] + say("m")
	_          = fmt.Sprint(say("inner"))
	_    any   = struct{ a, b int }{say("1"), say("2")}
	_    []int = []int{say("3")}
)

func main() { fmt.Println("main") }

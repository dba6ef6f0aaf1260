// What is said of directives when nothing else is wrong.

//go:build linux

//go:noinline
package main

//go:noinline
import "fmt"

import (
	//go:nosplit
	_ "unsafe"
)

//go:noinline
const one = 1

const (
	//go:noinline
	two = 2
	//go:unknown
	three = 3
)

//go:noinline
type t int

//go:noinline
type u = int

type (
	//go:noinline
	v struct {
		f int
	}
	//go:norace
	w int
)

//go:norace
var x = 1

//go:linkname x y
//go:linkname x z
//go:linkname fmt fmt
//go:linkname unknown
//go:linkname t
//go:linkname one two
//go:linkname f g[int]
//go:linknamestd f h

//go:noinline
//go:nosplit
//go:unknown
func f()

//go:noescape
func g() {
	//go:noinline
	var x int
	//go:noinline
	const c = 1
	var (
		//go:norace
		y int
	)
	//go:nosplit
	type t int
	_, _ = x, y
}

func h()

func (t) m()

//go:build linux
func main() {
	fmt.Println(x)
	//go:embed a
	var embedded string
	_ = embedded
}

//go:embed a
var i string

//go:embed a
var k = "x"

var (
	//go:embed a
	l, m string
)

//go:embed a
const n = 1

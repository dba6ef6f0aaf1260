package main

import (
	"fmt"
	"unsafe"
)

// Types whose size or length depends on themselves, and functions that name themselves.

type A [unsafe.Sizeof(S{})]byte
type S struct{ a A }

type L [len(L{})]int
type M map[string][len(M{}["x"])]int
type C chan [cap(<-C(nil))]int
type P *struct{ q [len(P(nil).q)]int }
type I interface{ m() [len(I(nil).m())]int }

func f([len(f())]int)  {}
func g() [len(g())]int { return g() }
func h(h)              {}

var x = [len(y)]int{}
var y = [len(x)]int{}

type time fmt.time
type loop loop.f

const big = 1 << 600
const (
	bad  int8 = 1000
	next      = bad + 1
	less      = bad << 2
)

var _ int16 = next + bad
var _ = 0 << less

func main() {}

// run
// The text has the whole path of the package, and no type arguments.
package main

import (
	"fmt"
	"net/netip"
	"time"
)

type T struct{ a int }

func (T) M() {}

type G[K any] struct{ k K }

func (G[K]) M() {}

type I interface{ M() }

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	try(func() { l := []fmt.Stringer{(*netip.Addr)(nil)}; l[len(l)-1].String() })
	try(func() { l := []fmt.Stringer{(*time.Duration)(nil)}; l[len(l)-1].String() })
	try(func() { l := []I{(*T)(nil)}; l[len(l)-1].M() })
	try(func() { l := []I{(*G[int])(nil)}; l[len(l)-1].M() })
	try(func() { l := []I{(*G[T])(nil)}; l[len(l)-1].M() })
	try(func() { l := []I{(*G[netip.Addr])(nil)}; l[len(l)-1].M() })
}

// run

// A pool that is nil says so.
package main

import (
	"fmt"
	"sync"
)

func try(f func(*sync.Pool)) {
	defer func() { fmt.Println(recover()) }()
	f(nil)
}

func main() {
	try(func(p *sync.Pool) { p.Get() })
	try(func(p *sync.Pool) { p.Put(1) })
	try(func(p *sync.Pool) { p.Put(nil) })
}

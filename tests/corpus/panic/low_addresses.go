// run gcstress=0

package main

// An access through a pointer near nil is a nil dereference, wherever the pointer came from.

import (
	"fmt"
	"unsafe"
)

type node struct {
	pad  [64]byte
	next *node
	val  int32
}

var addresses = []uintptr{0, 1, 8, 16, 64, 1000, 3999}

func try(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
	fmt.Println(what, "came back")
}

func main() {
	for _, a := range addresses {
		n := (*node)(*(*unsafe.Pointer)(unsafe.Pointer(&a)))
		try(fmt.Sprint("read ", a), func() { fmt.Println(n.val) })
		try(fmt.Sprint("write ", a), func() { n.val = 3 })
		try(fmt.Sprint("add ", a), func() { n.val += 3 })
		try(fmt.Sprint("pointer ", a), func() { n.next = nil })
		try(fmt.Sprint("follow ", a), func() { fmt.Println(n.next.next) })
		try(fmt.Sprint("index ", a), func() { fmt.Println(n.pad[a%64]) })
		try(fmt.Sprint("copy ", a), func() { m := *n; fmt.Println(m.val) })
		try(fmt.Sprint("array ", a), func() { n.pad = [64]byte{} })
	}
}

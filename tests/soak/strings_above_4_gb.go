// Strings of more than 4 GB are joined without overwriting what lies beside them. Needs 8 GB of memory.
package main

import (
	"fmt"
	"strings"
	"unsafe"
)

type node struct {
	next *node
	n    int
}

// Objects that must stay as they are.
var list *node

func show(how, s string) {
	n := 0
	for p := list; p != nil; p = p.next {
		n += p.n
	}
	fmt.Println(how, len(s), strings.Trim(s[len(s)-12:], "\x00"), n)
}

func main() {
	for range 1000 {
		list = &node{list, 1}
	}
	half := make([]byte, 1<<31)
	s := unsafe.String(&half[0], len(half))
	show("concatenation", s+s+"12345678")
	show("Join", strings.Join([]string{s, s, "x"}, "abc"))
	show("Repeat", strings.Repeat(s[:1<<30], 4)+"y")
	var b strings.Builder
	b.Grow(1<<32 + 8)
	b.WriteString(s)
	b.WriteString(s)
	b.WriteString("12345678")
	show("Builder", b.String())
}

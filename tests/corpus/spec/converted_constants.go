// run
// Slices made of constants have no room to spare, so that append copies them.
package main

import (
	"bytes"
	"fmt"
)

type (
	octet  byte
	octets []octet
	letter rune
	text   string
)

const greeting = "hello, 世界"

var global, globalRunes = []byte("hello"), []rune("hello")

var keep [][]byte

//go:noinline
func show(base, longer []byte) { fmt.Printf("%s %s\n", base, longer) }

func of[T ~[]byte | ~[]octet]() T { return T("generic") }

func runesOf[T ~[]rune | ~[]letter]() T { return T("générique") }

func main() {
	base := []byte("hello")
	longer := append(base, '!')
	longer[0] = 'J'
	show(base, longer)
	fmt.Println(len(base), cap(base), cap(global), cap(globalRunes))
	fmt.Println(cap([]byte("")), cap([]rune("")), []byte("") == nil, []rune("") == nil)
	fmt.Println(cap([]byte("a"+"bc")), cap([]byte(greeting)), cap([]rune(greeting)), cap([]byte(text("typed"))))
	fmt.Println(cap(octets("octets")), cap([]octet("octet")), cap([]letter("é\xff\xe4\xb8!")), len([]rune("\xed\xa0\x80")))
	a, b, c, d := of[[]byte](), of[octets](), runesOf[[]rune](), runesOf[[]letter]()
	fmt.Println(cap(a), cap(b), cap(c), cap(d))
	escaping := []byte("a constant of more than thirty-two bytes, which escapes")
	keep = append(keep, escaping, []byte("short"))
	fmt.Println(len(escaping), cap(escaping), cap(keep[1]))
	runes := []rune("runes")
	more := append(runes, '!')
	more[0] = 'R'
	fmt.Println(string(runes), string(more))
	var buf bytes.Buffer
	buf.Write([]byte("written"))
	fmt.Println(buf.String(), cap(append([]byte("abc"), 'd')) > 3)
	for i := range 3 {
		b := []byte("loop")
		b[0] = byte('0' + i)
		fmt.Println(string(append(b, 'x')), cap(b))
	}
}

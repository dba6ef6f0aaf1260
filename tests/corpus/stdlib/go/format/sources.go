// run
package main

import (
	"fmt"
	"go/format"
	"strings"
)

const file = `// +build linux,!cgo darwin

// Package  p is about:
// - one
// - two
//go:generate x
package p
import ("os"; b "bytes" // the b
	_ "C"
"fmt"
"os")


import 'x'
`

const code = `//go:build (a && b) || !c
// +build old

/*
   A block
     comment
*/

package p // the clause

import "fmt"
import ("strings"

"os" // x
"io")

// F does:
//  1) this
//  2) that
//
//	code
//go:noinline
func F(a, b int,c ...string) (x int,err error) { return a+b*2, nil }
func G() { x := 1;_ = x }
func (t*T)  M ( ) {  }
func long(aaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccc int) { fmt.Println("x") }

const (
	a, bb = iota, 1 // first
	ccc int = 0X1F
	d = 1E3; e = 0765i
	// lone
	f
)
var ( x = 1
	yy string
	zzz, z map[string]interface{} = nil, nil // z

	q = struct{a int; b string "tag"}{1,"x"} )

type ( T struct {
	a int // a
	bbb string ` + "`json:\"b\"`" + ` /* b */
	*E

	c, d struct { x, y int }
	f func(int)error
}
	I interface { M(); ~int|string; fmt.Stringer }
	L[P *C,] []P
	S struct {}; One struct { x int }
	A = chan <- <-chan int )

func body() {
	m := map[string]int{"a":1,
		"bbbbbb":2, // two
		"c" : 3,

		"dddddddddddddddddddddddddddddddddddddddddddddddddddddddd": 4,
		"e": 5}
	l := [][]int{{1,2},
	{3}, {4}}
	if x:=f( a,
		b ); (x==1) { return } else if (T{}==y) {} else { for ;; {} }
	for i:=0;i<n;i++ { continue }
	for range ch { }
	for k,v := range (m) { _,_ = k,v }
	switch x:=x.(type) { case int,string: a(); fallthrough
	// before default
	default: }
	select { case v:=<-c: case c<- 1: default: }
	select { }
L:	for { break L }
end:
	x[a+b : c*d+1], x[1:2], x[:n-1] = x[i], y[f(a+b)], -(-x)
	a = b+c*d/(e<<2) - -f &^g ; b = *p / *q; c = x& ^y && !z
	go func() { defer close(c) }()
	s.Method( 1, /* two */ 2 ).
	Other(func(x int) int { return x
	}, 3).Last ()
	x = 1 + // one
	2 +
	3
	return a, /* c */ b // done
	/* tail */
}
`

func show(src string) {
	out, err := format.Source([]byte(src))
	fmt.Printf("%s<<%v>>\n", out, err)
}

func main() {
	show(file)
	show(strings.Replace(file, "import 'x'", "", 1))
	show(code)
	once, _ := format.Source([]byte(code))
	twice, _ := format.Source(once)
	fmt.Println(string(once) == string(twice))
	show(strings.ReplaceAll(code, "\n", "\r\n"))
	show(strings.ReplaceAll(code, "\n", "\n\n\n"))
	for _, fragment := range []string{
		"", "  \n\t", "x+y*z", "\n\n  a:=1;b:=2\n\n", "\t\tif x{y()}\n", "    f(1,2)  // c\n\n",
		"import ( \"b\"; \"a\" )", "func f(){}\n\nvar x=1", "\n\t type T struct{a,b int\nccc string}\n",
		"case", "x := []int{1,\n2}", "// only", "\t/* c */ x", "} {", "package", "for {", "a\n//c\n\n",
	} {
		out, err := format.Source([]byte(fragment))
		fmt.Printf("%q %v\n", out, err)
	}
}

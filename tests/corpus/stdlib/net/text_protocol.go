// run
// Lines, header fields, answers, and text that ends with a dot.
package main

import (
	"bufio"
	"fmt"
	"net/textproto"
	"os"
	"strings"
)

func main() {
	r := textproto.NewReader(bufio.NewReader(strings.NewReader("host: a\r\nx-y:  b\r\n  c\r\nX-Y: d\r\n\r\n220-hi\r\n220 there\r\n..a\r\nb\r\n.\r\nrest\n 123 x\n")))
	h, err := r.ReadMIMEHeader()
	fmt.Println(h, err)
	fmt.Println(r.ReadResponse(2))
	b, err := r.ReadDotBytes()
	fmt.Printf("%q %v\n", b, err)
	fmt.Println(r.ReadLine())
	fmt.Println(r.ReadCodeLine(2))
	for _, s := range []string{"a: b\r\n", "a b: c\r\n\r\n", ": c\n\n", "a\n\n", " a: b\n\n", "a: \x01\n\n", "ä: b\n\n", "x: 1\nX: 2\n\n"} {
		h, err := textproto.NewReader(bufio.NewReader(strings.NewReader(s))).ReadMIMEHeader()
		fmt.Printf("%q %v %q\n", s, h, fmt.Sprint(err))
	}
	for _, s := range []string{"", "20", "200", "2000", "abc x", "099 x", "250-x", "250 y", "550 z"} {
		for _, e := range []int{0, 2, 25, 250, 1000} {
			c, m, err := textproto.NewReader(bufio.NewReader(strings.NewReader(s + "\n"))).ReadCodeLine(e)
			fmt.Printf("%q %d: %d %q %v\n", s, e, c, m, err)
		}
	}
	for _, s := range []string{"host", "x-FOO-bar", "a b", "ä", "", "X_y", "-a-", "A:b"} {
		fmt.Printf("%q\n", textproto.CanonicalMIMEHeaderKey(s))
	}
	for _, s := range []string{"", ".", "a", "a\n.b\r\n..c", "a\r", "\r\r\n", "\n.\n"} {
		w := textproto.NewWriter(bufio.NewWriter(os.Stdout))
		d := w.DotWriter()
		d.Write([]byte(s))
		d.Close()
		fmt.Println("--")
	}
	fmt.Printf("%q %q\n", textproto.TrimString(" \ta b\r\n"), textproto.TrimBytes([]byte(" \ta b\r\n")))
}

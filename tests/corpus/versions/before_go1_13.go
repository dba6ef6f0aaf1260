// errorcheck lang=go1.8
package main

import "io"

type A = int

type RW interface {
	io.ReadCloser
	io.WriteCloser
}

func main() {
	s := 3
	_ = 1 << s
	_ = 1_000 + 0b11 + 0o17
	_ = 0x1p4 + 0x1.8p3
	_ = 017 + 0xff + 1<<uint(s)
	s <<= s
}

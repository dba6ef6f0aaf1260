// run

// A method that panics leaves no width and no precision to what follows it in the operand.
package main

import (
	"errors"
	"fmt"
)

type P struct{}

func (P) String() string { panic("boom") }

type E struct{}

func (*E) Error() string { panic(errors.New("e")) }

type G struct{}

func (G) GoString() string { panic(3) }

type F struct{}

func (F) Format(s fmt.State, verb rune) {
	w, ok := s.Width()
	p, isPrecise := s.Precision()
	fmt.Fprint(s, w, ok, p, isPrecise)
	panic("format")
}

func main() {
	fmt.Printf("%10v\n", []any{P{}, 7, 7})
	fmt.Printf("%-10.3v|%v\n", []any{P{}, 7.1234567, 7}, 7)
	fmt.Printf("%+10v|\n", struct{ A, B any }{P{}, 7})
	fmt.Printf("%010d|%+q|%#x\n", []any{P{}, 7, 7}, []any{P{}, "é"}, []any{P{}, 7})
	fmt.Printf("%10v|\n", []any{(*P)(nil), 7, 7})
	fmt.Printf("%10v|\n", map[string]any{"a": P{}, "b": 3})
	fmt.Printf("%8s|%8s|\n", []any{new(E), "x"}, "x")
	fmt.Printf("%#8v|\n", []any{G{}, "x"})
	fmt.Printf("%8.3f|\n", []any{F{}, 1.5, F{}, 2.5})
	fmt.Printf("%.2x %.2x|\n", []any{P{}, "abc"}, "abc")
}

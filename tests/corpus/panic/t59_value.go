// run exit=2 each=bool,complex,error,float,named_int,named_lines,named_string,nil,panicking_error,pointer,rune,slice,stringer,struct

// What the end of a program by a panic says of the value, by its kind.
package main

import (
	"errors"
	"os"
)

type (
	number   int
	flag     bool
	text     string
	pair     struct{ a, b int }
	stringer struct{}
	bad      struct{}
)

func (stringer) String() string { return "a stringer" }
func (bad) Error() string       { panic("in Error") }

func main() {
	panic(map[string]any{
		"bool":            flag(true),
		"complex":         complex(1, -2),
		"error":           errors.New("an error"),
		"float":           1.5,
		"named_int":       number(3),
		"named_lines":     text("two\nlines"),
		"named_string":    text("no\\nlines"),
		"panicking_error": bad{},
		"pointer":         new(int),
		"rune":            'x',
		"slice":           []int{1},
		"stringer":        stringer{},
		"struct":          pair{1, 2},
	}[os.Args[1]])
}

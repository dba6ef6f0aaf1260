// run exit=2
package main

import "errors"

type (
	named      int
	named_bool bool
	str        string
	pair       struct{ a, b int }
	stringer   struct{}
	bad        struct{}
)

func (stringer) String() string { return "a stringer" }
func (bad) Error() string       { panic("in Error") }

var _ = errors.New

func main() {
	panic(stringer{})
}

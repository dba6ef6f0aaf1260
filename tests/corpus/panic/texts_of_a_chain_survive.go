// run exit=2

// What the values of a chain of panics say of themselves is printed as they said it, whatever the methods of the others allocate and collect.
package main

import (
	"runtime"
	"strings"
)

type first struct{ n int }

var keep []string

func (f first) Error() string {
	for range 3 {
		runtime.GC()
		for range 1000 {
			keep = append(keep, strings.Repeat("x", 20))
		}
	}
	return strings.Repeat("first ", f.n)
}

type second struct{ n int }

func (s second) Error() string {
	return strings.Repeat("again", s.n)
}

func main() {
	defer func() {
		panic(second{4})
	}()
	panic(first{3})
}

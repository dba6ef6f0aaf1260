// run

// A method of a value, called through an interface that holds a nil pointer: the wrapper panics. Where Go's compiler knows what the interface
// holds, it calls the method itself, and the receiver is a nil dereference.
package main

import "fmt"

type coded struct{ code int }

func (c coded) Error() string { return fmt.Sprint("code ", c.code) }

func text() (s string) {
	defer func() { s = fmt.Sprint(recover()) }()
	var none *coded
	var err error = none
	return err.Error()
}

func main() { fmt.Println(text()) }

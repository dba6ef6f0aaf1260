// run

// Errors that a call gives twice are the same value, so that they can be compared; WriteString
// makes no copy of its text.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// last is the innermost error.
func last(err error) error {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

func main() {
	dir, err := os.MkdirTemp("", "same")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Chdir(dir)
	f, _ := os.OpenFile("f", os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	root, _ := os.OpenRoot(".")
	calls := []func() error{
		func() error { _, err := f.WriteAt(nil, 0); return err },
		func() error { _, err := os.CreateTemp("", "a/b"); return err },
		func() error { _, err := os.MkdirTemp("", "a/b"); return err },
		func() error { _, err := root.Open("../x"); return err },
		func() error { _, err := f.ReadAt(nil, -1); return err },
		func() error { _, err := root.Open(""); return err },
		func() error { return root.Mkdir("x", 0o7777) },
		func() error { _, err := os.DirFS("").Open("x"); return err },
		func() error { return os.Chdir("") },
	}
	for _, call := range calls {
		err := call()
		fmt.Printf("%v, %v\n", err, last(err) == last(call()))
	}
	_, err1 := os.CreateTemp("", "a/b")
	_, err2 := os.MkdirTemp("", "/")
	fmt.Println(last(err1) == last(err2))

	null, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	text := strings.Repeat("x", 1000)
	fmt.Println(testing.AllocsPerRun(10, func() { null.WriteString(text) }))
	fmt.Println(f.WriteString(text))
	fmt.Println(f.WriteString(""))
	read, _ := os.ReadFile("f")
	fmt.Println(string(read) == text)
	var none *os.File
	fmt.Println(none.WriteString("x"))
}

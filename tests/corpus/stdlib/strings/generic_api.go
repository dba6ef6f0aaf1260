// run

// What is generic, or gives sequences, in strings, bytes, sync, sync/atomic and errors.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
)

type code int

func (c code) Error() string { return fmt.Sprint("code ", int(c)) }

type chameleon struct{}

func (chameleon) Error() string { return "chameleon" }

func (chameleon) As(target any) bool {
	if c, ok := target.(*code); ok {
		*c = 42
		return true
	}
	return false
}

func main() {
	for _, s := range []string{"", "a", "a,b,c", ",", "a,,b", "日本,語", "x\ny\n", "\n\nz", "  a b\t c ", "a\xffb"} {
		fmt.Printf("%q %q %q %q %q\n", slices.Collect(strings.SplitSeq(s, ",")), slices.Collect(strings.SplitAfterSeq(s, ",")), slices.Collect(strings.SplitSeq(s, "")),
			slices.Collect(strings.FieldsSeq(s)), slices.Collect(strings.Lines(s)))
		b := []byte(s)
		fmt.Printf("%q %q %q %q %q\n", slices.Collect(bytes.SplitSeq(b, []byte(","))), slices.Collect(bytes.SplitAfterSeq(b, []byte(","))), slices.Collect(bytes.SplitSeq(b, nil)),
			slices.Collect(bytes.FieldsSeq(b)), slices.Collect(bytes.Lines(b)))
		fmt.Printf("%q %q\n", slices.Collect(strings.FieldsFuncSeq(s, unicode.IsLetter)), slices.Collect(bytes.FieldsFuncSeq(b, unicode.IsLetter)))
	}
	for part := range strings.SplitSeq("a b c", " ") {
		fmt.Print(part, ";")
		if part == "b" {
			break
		}
	}
	fmt.Println()

	calls := 0
	f := sync.OnceFunc(func() { calls++ })
	f()
	f()
	v := sync.OnceValue(func() int { calls++; return 7 })
	w := sync.OnceValues(func() (string, error) { calls++; return "x", code(1) })
	fmt.Println(v(), v())
	fmt.Println(w())
	fmt.Println(w())
	fmt.Println(calls)
	bad := sync.OnceValue(func() int { calls++; panic("first and ever") })
	for range 2 {
		func() {
			defer func() { fmt.Println(recover(), calls) }()
			bad()
		}()
	}

	var p atomic.Pointer[string]
	one, two := "one", "two"
	fmt.Println(p.Load() == nil, p.CompareAndSwap(nil, &one), *p.Load(), p.CompareAndSwap(&two, &two), *p.Swap(&two), *p.Load())
	p.Store(nil)
	fmt.Println(p.Load())

	tree := fmt.Errorf("outer: %w", errors.Join(errors.New("a"), fmt.Errorf("b: %w", code(5))))
	fmt.Println(errors.AsType[code](tree))
	fmt.Println(errors.AsType[code](nil))
	fmt.Println(errors.AsType[code](errors.New("x")))
	fmt.Println(errors.AsType[code](chameleon{}))
	_, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](tree)
	fmt.Println(ok)
}

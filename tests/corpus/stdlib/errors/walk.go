// run

// Is, As and Join over trees of wrapped errors: the order in which they look, and what they skip.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

type spy struct {
	name string
	says bool
}

func (s *spy) Error() string { return s.name }
func (s *spy) Is(target error) bool {
	fmt.Print("[", s.name, " asked for ", target, "] ")
	return s.says
}
func (s *spy) As(target any) bool {
	fmt.Printf("[%s asked for %T] ", s.name, target)
	if p, ok := target.(**fs.PathError); ok && s.says {
		*p = &fs.PathError{Op: "spy", Path: s.name, Err: io.EOF}
		return true
	}
	return false
}

type list []error // not comparable

func (l list) Error() string   { return fmt.Sprintf("list of %d", len(l)) }
func (l list) Unwrap() []error { return l }

type loner struct{ inner error }

func (l loner) Error() string { return "loner" }
func (l loner) Unwrap() error { return l.inner }

func main() {
	a, b, c := &spy{"a", false}, &spy{"b", false}, &spy{"c", true}
	tree := fmt.Errorf("top: %w", errors.Join(nil, a, loner{list{b, nil, loner{nil}, c}}, io.EOF))
	fmt.Println(tree)
	for _, target := range []error{nil, a, b, c, io.EOF, io.ErrUnexpectedEOF, list{a}, loner{nil}} {
		fmt.Println(errors.Is(tree, target), target)
	}
	fmt.Println(errors.Is(nil, nil), errors.Is(nil, io.EOF), errors.Is(list{a}, list{a}))
	var path *fs.PathError
	fmt.Println(errors.As(tree, &path), path)
	var l list
	fmt.Println(errors.As(tree, &l), len(l))
	var wrapper interface{ Unwrap() []error }
	fmt.Println(errors.As(tree, &wrapper), wrapper)
	fmt.Println(errors.As(nil, nil))
	fmt.Println(errors.Join(), errors.Join(nil, nil), errors.Unwrap(errors.Join(a)), errors.Unwrap(tree) == nil)
	for _, bad := range []any{nil, 1, new(int), (*error)(nil), fs.PathError{}} {
		func() {
			defer func() { fmt.Println(recover()) }()
			errors.As(tree, bad)
		}()
	}
}

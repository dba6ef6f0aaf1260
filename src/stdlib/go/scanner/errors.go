package scanner

// This file has errors with their places, and lists of them.

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"slices"
	"sort"
)

// Error is an error and where it is; ErrorList has pointers to them.
type Error struct {
	Pos token.Position
	Msg string
}

func (e Error) Error() string {
	if e.Pos.Filename == "" && !e.Pos.IsValid() {
		return e.Msg
	}
	return e.Pos.String() + ": " + e.Msg
}

// ErrorList is a list of errors, and an error itself.
type ErrorList []*Error

// Add appends an error.
func (p *ErrorList) Add(pos token.Position, msg string) {
	*p = append(*p, &Error{pos, msg})
}

// Err returns the list as an error, nil if it is empty.
func (p ErrorList) Err() error {
	if len(p) > 0 {
		return p
	}
	return nil
}

// Reset empties the list.
func (p *ErrorList) Reset() { *p = (*p)[:0] }

func (p ErrorList) Error() string {
	if len(p) > 1 {
		return fmt.Sprintf("%s (and %d more errors)", p[0], len(p)-1)
	}
	for _, only := range p {
		return only.Error()
	}
	return "no errors"
}

// Less orders by file, line, column and message.
func (p ErrorList) Less(i, j int) bool {
	a, b := &p[i].Pos, &p[j].Pos
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column), cmp.Compare(p[i].Msg, p[j].Msg)) < 0
}

func (p ErrorList) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p ErrorList) Len() int      { return len(p) }

// Sort brings the errors into that order.
func (p ErrorList) Sort() { sort.Sort(p) }

// RemoveMultiples sorts, and keeps the first error of each line. Errors that have no place at all
// go.
func (p *ErrorList) RemoveMultiples() {
	p.Sort()
	line := func(e *Error) token.Position {
		return token.Position{Filename: e.Pos.Filename, Line: e.Pos.Line}
	}
	for len(*p) > 0 && line((*p)[0]) == (token.Position{}) {
		*p = (*p)[1:]
	}
	*p = slices.CompactFunc(*p, func(a, b *Error) bool { return line(a) == line(b) })
}

// PrintError writes each error of an ErrorList, or another error, on a line of its own.
func PrintError(w io.Writer, err error) {
	list, isList := err.(ErrorList)
	for _, e := range list {
		fmt.Fprintf(w, "%s\n", e)
	}
	if err != nil && !isList {
		fmt.Fprintf(w, "%s\n", err)
	}
}

// Package fmt: formatted printing. The engine is native; here are the types, the calls of methods, and what writes.
package fmt

import (
	"errors"
	"io"
	"os"
)

type State interface {
	Write(b []byte) (n int, err error)
	Width() (wid int, ok bool)
	Precision() (prec int, ok bool)
	Flag(c int) bool
}

type Formatter interface {
	Format(f State, verb rune)
}

type Stringer interface {
	String() string
}

type GoStringer interface {
	GoString() string
}

// state is what a Formatter prints to.
type state struct {
	buf       []byte
	flags     int
	wid, prec int
}

func (s *state) Write(b []byte) (n int, err error) {
	s.buf = append(s.buf, b...)
	return len(b), nil
}

func (s *state) WriteString(t string) (n int, err error) {
	s.buf = append(s.buf, t...)
	return len(t), nil
}

func (s *state) Width() (wid int, ok bool) {
	if s.wid < 0 {
		return 0, false
	}
	return s.wid, true
}

func (s *state) Precision() (prec int, ok bool) {
	if s.prec < 0 {
		return 0, false
	}
	return s.prec, true
}

func (s *state) Flag(c int) bool {
	switch c {
	case '-':
		return s.flags&1 != 0
	case '+':
		return s.flags&2 != 0
	case '#':
		return s.flags&4 != 0
	case ' ':
		return s.flags&8 != 0
	case '0':
		return s.flags&16 != 0
	}
	return false
}

// The kinds that callMethod answers.
const (
	none = iota
	written
	text
	goText
	panicInFormat
	panicInGoString
	panicInError
	panicInString
)

// A call is of a method that prints an operand: what it is to answer, and before that what to say should it panic.
type call struct {
	arg       any
	panicking bool
	to        *state // of a Formatter
	kind      int
	out       string
	panicked  any
}

// callMethod prints arg by its methods, if it has such: the engine calls it for operands with methods.
func callMethod(arg any, verb rune, flags, wid, prec int, panicking bool) (kind int, out string, panicked any) {
	c := &call{arg: arg, panicking: panicking}
	c.make(verb, flags, wid, prec)
	return c.kind, c.out, c.panicked
}

func (c *call) make(verb rune, flags, wid, prec int) {
	defer c.end()
	if f, ok := c.arg.(Formatter); ok {
		c.kind, c.to = panicInFormat, &state{flags: flags, wid: wid, prec: prec}
		f.Format(c.to, verb)
		c.kind = written
		return
	}
	if flags&32 != 0 {
		if g, ok := c.arg.(GoStringer); ok {
			c.kind = panicInGoString
			c.out = g.GoString()
			c.kind = goText
		}
		return
	}
	switch verb {
	case 'v', 's', 'x', 'X', 'q':
		switch v := c.arg.(type) {
		case error:
			c.kind = panicInError
			c.out = v.Error()
			c.kind = text
		case Stringer:
			c.kind = panicInString
			c.out = v.String()
			c.kind = text
		}
	}
}

// end looks whether the method has panicked.
func (c *call) end() {
	e := recover()
	if c.to != nil {
		c.out = string(c.to.buf)
	}
	if e == nil {
		return
	}
	if isNilPointer(c.arg) {
		c.kind, c.out = written, c.out+"<nil>"
		return
	}
	if c.panicking {
		panic(e)
	}
	c.panicked = e
}

type hook = func(arg any, verb rune, flags, wid, prec int, panicking bool) (kind int, out string, panicked any)

func isNilPointer(arg any) bool
func sprintf(format string, a []any, h hook) string
func sprint(a []any, h hook) string
func sprintln(a []any, h hook) string
func appendf(b []byte, format string, a []any, h hook) []byte
func append_(b []byte, a []any, h hook) []byte
func appendln(b []byte, a []any, h hook) []byte
func wrapf(format string, a []any, h hook) (s string, wrapped []int)

func Sprintf(format string, a ...any) string { return sprintf(format, a, callMethod) }
func Sprint(a ...any) string                 { return sprint(a, callMethod) }
func Sprintln(a ...any) string               { return sprintln(a, callMethod) }

func Appendf(b []byte, format string, a ...any) []byte { return appendf(b, format, a, callMethod) }
func Append(b []byte, a ...any) []byte                 { return append_(b, a, callMethod) }
func Appendln(b []byte, a ...any) []byte               { return appendln(b, a, callMethod) }

func Fprintf(w io.Writer, format string, a ...any) (n int, err error) {
	return w.Write(appendf(nil, format, a, callMethod))
}

func Fprint(w io.Writer, a ...any) (n int, err error) {
	return w.Write(append_(nil, a, callMethod))
}

func Fprintln(w io.Writer, a ...any) (n int, err error) {
	return w.Write(appendln(nil, a, callMethod))
}

func Printf(format string, a ...any) (n int, err error) {
	return os.Stdout.Write(appendf(nil, format, a, callMethod))
}

func Print(a ...any) (n int, err error) {
	return os.Stdout.Write(append_(nil, a, callMethod))
}

func Println(a ...any) (n int, err error) {
	return os.Stdout.Write(appendln(nil, a, callMethod))
}

// FormatString returns the directive that s stands for, as for Printf.
func FormatString(s State, verb rune) string {
	directive := "%"
	for _, flag := range " +-#0" {
		if s.Flag(int(flag)) {
			directive += string(flag)
		}
	}
	width, isWide := s.Width()
	precision, isPrecise := s.Precision()
	if isWide {
		directive += Sprint(width)
	}
	if isPrecise {
		directive += "." + Sprint(precision)
	}
	return directive + string(verb)
}

type wrapError struct {
	msg string
	err error
}

func (e *wrapError) Error() string { return e.msg }
func (e *wrapError) Unwrap() error { return e.err }

type wrapErrors struct {
	msg  string
	errs []error
}

func (e *wrapErrors) Error() string   { return e.msg }
func (e *wrapErrors) Unwrap() []error { return e.errs }

func Errorf(format string, a ...any) error {
	s, wrapped := wrapf(format, a, callMethod)
	switch len(wrapped) {
	case 0:
		return errors.New(s)
	case 1:
		e, _ := a[wrapped[0]].(error)
		return &wrapError{s, e}
	}
	var errs []error
	for i, n := range wrapped {
		if i > 0 && wrapped[i-1] == n {
			continue
		}
		if e, ok := a[n].(error); ok {
			errs = append(errs, e)
		}
	}
	return &wrapErrors{s, errs}
}

package ast

import (
	"fmt"
	"go/token"
	"io"
	"os"
	"reflect"
)

// FieldFilter says whether Fprint shows a field.
type FieldFilter func(name string, value reflect.Value) bool

// NotNilFilter is true of what is not nil.
func NotNilFilter(_ string, v reflect.Value) bool {
	const nilable uint = 1<<reflect.Pointer | 1<<reflect.Interface | 1<<reflect.Slice |
		1<<reflect.Map | 1<<reflect.Func | 1<<reflect.Chan
	return nilable>>v.Kind()&1 == 0 || !v.IsNil()
}

// Print prints x to standard output, without fields that are nil.
func Print(fset *token.FileSet, x any) error {
	return Fprint(os.Stdout, fset, x, NotNilFilter)
}

// Fprint prints x, a tree or anything else, a line for each field, element and entry.
func Fprint(w io.Writer, fset *token.FileSet, x any, f FieldFilter) error {
	d := dumper{w: w, fset: fset, filter: f, seen: map[any]int{}, begins: true}
	if x == nil {
		d.text("nil\n")
	} else {
		d.value(reflect.ValueOf(x))
		d.text("\n")
	}
	d.flush()
	return d.err
}

type dumper struct {
	w      io.Writer
	fset   *token.FileSet
	filter FieldFilter
	seen   map[any]int // where pointers were printed
	indent int
	line   int
	begins bool // a line
	buffer []byte
	err    error
}

func (d *dumper) flush() {
	if d.err == nil && len(d.buffer) > 0 {
		_, d.err = d.w.Write(d.buffer)
	}
	d.buffer = d.buffer[:0]
}

// text writes some text, in which a line end can be at the end only.
func (d *dumper) text(s string) {
	if s == "" {
		return
	}
	if d.begins {
		d.buffer = fmt.Appendf(d.buffer, "%6d  ", d.line)
		for range d.indent {
			d.buffer = append(d.buffer, ".  "...)
		}
	}
	d.buffer = append(d.buffer, s...)
	d.begins = s[len(s)-1] == '\n'
	if d.begins {
		d.line++
	}
	if len(d.buffer) > 8<<10 {
		d.flush()
	}
}

// lines writes what may have line ends anywhere.
func (d *dumper) lines(s string) {
	start := 0
	for i := range len(s) {
		if s[i] == '\n' {
			d.text(s[start : i+1])
			start = i + 1
		}
	}
	d.text(s[start:])
}

func (d *dumper) elements(v reflect.Value) {
	if v.Len() > 0 {
		d.indent++
		d.text("\n")
		for i := range v.Len() {
			d.text(fmt.Sprintf("%d: ", i))
			d.value(v.Index(i))
			d.text("\n")
		}
		d.indent--
	}
	d.text("}")
}

func (d *dumper) value(v reflect.Value) {
	if d.err != nil {
		return
	}
	if !NotNilFilter("", v) {
		d.text("nil")
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		d.value(v.Elem())
	case reflect.Pointer:
		d.text("*")
		p := v.Interface()
		if line, seen := d.seen[p]; seen {
			d.text(fmt.Sprintf("(obj @ %d)", line))
			return
		}
		d.seen[p] = d.line
		d.value(v.Elem())
	case reflect.Map:
		d.text(fmt.Sprintf("%s (len = %d) {", v.Type(), v.Len()))
		if v.Len() > 0 {
			d.indent++
			d.text("\n")
			for _, key := range v.MapKeys() {
				d.value(key)
				d.text(": ")
				d.value(v.MapIndex(key))
				d.text("\n")
			}
			d.indent--
		}
		d.text("}")
	case reflect.Array:
		d.text(v.Type().String() + " {")
		d.elements(v)
	case reflect.Slice:
		if bytes, ok := v.Interface().([]byte); ok {
			d.lines(fmt.Sprintf("%#q", bytes))
			return
		}
		d.text(fmt.Sprintf("%s (len = %d) {", v.Type(), v.Len()))
		d.elements(v)
	case reflect.Struct:
		d.structure(v)
	default:
		switch x := v.Interface().(type) {
		case string:
			d.text(fmt.Sprintf("%q", x))
		case token.Pos:
			if d.fset != nil {
				d.lines(d.fset.Position(x).String())
			} else {
				d.text(fmt.Sprint(int(x)))
			}
		default:
			d.lines(fmt.Sprintf("%v", x))
		}
	}
}

func (d *dumper) structure(v reflect.Value) {
	t := v.Type()
	d.text(t.String() + " {")
	d.indent++
	first := true
	for i := range t.NumField() {
		name := t.Field(i).Name
		if !IsExported(name) || d.filter != nil && !d.filter(name, v.Field(i)) {
			continue
		}
		if first {
			d.text("\n")
			first = false
		}
		d.text(name + ": ")
		d.value(v.Field(i))
		d.text("\n")
	}
	d.indent--
	d.text("}")
}

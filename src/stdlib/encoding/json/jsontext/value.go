package jsontext

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonwire"
)

// AppendFloat appends src as RFC 8785 asks, with the digits that it needs in so many bits.
func AppendFloat(dst []byte, src float64, bits int) []byte {
	if bits != 32 && bits != 64 {
		panic("illegal AppendFloat bit size")
	}
	return jsonwire.AppendFloat(dst, src, bits)
}

// AppendFormat appends the value src written anew, or as it is if there is an error.
func AppendFormat[Bytes ~[]byte | ~string](dst []byte, src Bytes, opts ...Options) ([]byte, error) {
	e := getBufferedEncoder(opts...)
	defer putBufferedEncoder(e)
	e.s.Flags.Set(jsonflags.OmitTopLevelNewline | 1)
	if err := e.s.WriteValue(Value(src)); err != nil {
		return append(dst, src...), err
	}
	return append(dst, e.s.Buf...), nil
}

// AppendQuote appends a string with the text src.
func AppendQuote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, err := jsonwire.AppendQuote(dst, string(src), &jsonflags.Flags{})
	if err != nil {
		err = &SyntacticError{Err: err}
	}
	return dst, err
}

// AppendUnquote appends the text of the string src.
func AppendUnquote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	dst, err := jsonwire.AppendUnquote(dst, []byte(src))
	if err != nil {
		err = &SyntacticError{Err: err}
	}
	return dst, err
}

// Value is the text of a value, perhaps with white space around it.
type Value []byte

// Clone makes a copy.
func (v Value) Clone() Value { return bytes.Clone(v) }

func (v Value) String() string {
	if v == nil {
		return "null"
	}
	return string(v)
}

// IsValid says whether v is one value.
func (v Value) IsValid(opts ...Options) bool {
	d := getBufferedDecoder(v, opts...)
	defer putBufferedDecoder(d)
	if _, err := d.ReadValue(); err != nil {
		return false
	}
	_, err := d.ReadToken()
	return err == io.EOF
}

// Format writes v anew.
func (v *Value) Format(opts ...Options) error { return v.format(opts, nil) }

func (v *Value) format(first, then []Options) error {
	e := getBufferedEncoder(first...)
	defer putBufferedEncoder(e)
	e.s.Join(then...)
	e.s.Flags.Set(jsonflags.OmitTopLevelNewline | 1)
	if err := e.s.WriteValue(*v); err != nil {
		return err
	}
	if !bytes.Equal(*v, e.s.Buf) {
		*v = append((*v)[:0], e.s.Buf...)
	}
	return nil
}

// Compact removes white space.
func (v *Value) Compact(opts ...Options) error {
	return v.format([]Options{
		jsonflags.AllowDuplicateNames | jsonflags.AllowInvalidUTF8 | jsonflags.PreserveRawStrings | 1,
	}, opts)
}

// Indent puts members and elements on lines of their own.
func (v *Value) Indent(opts ...Options) error {
	return v.format([]Options{
		jsonflags.AllowDuplicateNames | jsonflags.AllowInvalidUTF8 | jsonflags.PreserveRawStrings | 1,
		jsonflags.Multiline | 1,
	}, opts)
}

// Canonicalize writes v as RFC 8785 asks.
func (v *Value) Canonicalize(opts ...Options) error {
	return v.format([]Options{
		jsonflags.CanonicalizeNumbers | jsonflags.ReorderRawObjects | 1,
	}, opts)
}

// MarshalJSON gives v.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	return v, nil
}

// UnmarshalJSON makes v a copy of b.
func (v *Value) UnmarshalJSON(b []byte) error {
	if v == nil {
		return errors.New("jsontext.Value: UnmarshalJSON on nil pointer")
	}
	*v = append((*v)[:0], b...)
	return nil
}

// Kind gives the kind of the value by its first byte.
func (v Value) Kind() Kind {
	if n := jsonwire.ConsumeWhitespace(v); n < len(v) {
		return Kind(v[n]).normalize()
	}
	return KindInvalid
}

// member is a member of an object as it is written, with the white space and comma before it.
type member struct {
	name []byte
	text []byte
}

const commaAndSpace = ", \n\r\t"

// split gives what comes before the name, and the rest.
func (m member) split() (before, rest []byte) {
	rest = bytes.TrimLeft(m.text, commaAndSpace)
	return m.text[:len(m.text)-len(rest)], rest
}

func compareMembers(a, b member) int {
	if c := jsonwire.CompareUTF16(a.name, b.name); c != 0 {
		return c
	}
	_, x := a.split()
	_, y := b.split()
	return jsonwire.CompareUTF16(x, y)
}

// reorder puts the members of all objects of the valid value b in order.
func reorder(b []byte) {
	d := getBufferedDecoder(b, jsonflags.AllowDuplicateNames|jsonflags.AllowInvalidUTF8|1)
	defer putBufferedDecoder(d)
	d.reorderNext()
}

func (d *Decoder) reorderNext() {
	tok, err := d.ReadToken()
	if err != nil {
		panic("BUG: " + err.Error())
	}
	switch tok.Kind() {
	case '[':
		for d.PeekKind() != ']' {
			d.reorderNext()
		}
		d.ReadToken()
	case '{':
		d.reorderMembers()
	}
}

func (d *Decoder) reorderMembers() {
	start := d.s.prevEnd
	var members []member
	sorted := true
	for d.PeekKind() != '}' {
		from := d.s.prevEnd
		var flags jsonwire.ValueFlags
		quoted, _ := d.s.ReadValue(&flags)
		name := jsonwire.UnquoteMayCopy(quoted, flags.IsVerbatim())
		d.reorderNext()
		members = append(members, member{name, d.s.buf[from:d.s.prevEnd]})
		if n := len(members); n > 1 && compareMembers(members[n-2], members[n-1]) >= 0 {
			sorted = false
		}
	}
	end := d.s.prevEnd
	d.ReadToken()
	if sorted {
		return
	}
	// What comes before names stays where it is as far as the first one is concerned: the others
	// are alike in that each has a comma.
	first := &members[0].text[0]
	beforeFirst, _ := members[0].split()
	slices.SortFunc(members, compareMembers)
	beforeNewFirst, _ := members[0].split()
	out := make([]byte, 0, end-start)
	for i, m := range members {
		before, rest := m.split()
		if i == 0 {
			before = beforeFirst
		} else if &m.text[0] == first {
			before = beforeNewFirst
		}
		out = append(append(out, before...), rest...)
	}
	copy(d.s.buf[start:end], out)
}

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
	switch bits {
	case 32, 64:
		return jsonwire.AppendFloat(dst, src, bits)
	}
	panic("illegal AppendFloat bit size")
}

// rewritten gives v written anew as the options ask, first those that others are added to. What use
// gets is good until it returns.
func rewritten(v Value, first, added []Options, use func(text []byte)) error {
	e := borrowEncoder(first...)
	defer giveBackEncoder(e)
	e.s.Join(added...)
	e.s.Flags.Set(jsonflags.OmitTopLevelNewline | 1)
	err := e.s.WriteValue(v)
	if err == nil {
		use(e.s.Buf)
	}
	return err
}

// AppendFormat appends the value src written anew, or as it is if there is an error.
func AppendFormat[Bytes ~[]byte | ~string](dst []byte, src Bytes, opts ...Options) ([]byte, error) {
	v := Value(src)
	err := rewritten(v, opts, nil, func(text []byte) { v = append(dst, text...) })
	if err != nil {
		return append(dst, v...), err
	}
	return v, nil
}

// AppendQuote appends a string with the text src.
func AppendQuote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	return syntactic(jsonwire.AppendQuote(dst, string(src), &jsonflags.Flags{}))
}

// AppendUnquote appends the text of the string src.
func AppendUnquote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	return syntactic(jsonwire.AppendUnquote(dst, []byte(src)))
}

// syntactic passes b on, and err as an error of syntax.
func syntactic(b []byte, err error) ([]byte, error) {
	if err == nil {
		return b, nil
	}
	return b, &SyntacticError{Err: err}
}

// Value is the text of a value, perhaps with white space around it.
type Value []byte

// Clone makes a copy.
func (v Value) Clone() Value { return bytes.Clone(v) }

func (v Value) String() string {
	return string(v.orNull())
}

func (v Value) orNull() Value {
	if v != nil {
		return v
	}
	return Value("null")
}

// UnmarshalJSON makes v a copy of b.
func (v *Value) UnmarshalJSON(b []byte) (err error) {
	if v != nil {
		*v = append((*v)[:0], b...)
	} else {
		err = errors.New("jsontext.Value: UnmarshalJSON on nil pointer")
	}
	return err
}

// IsValid says whether v is one value.
func (v Value) IsValid(opts ...Options) bool {
	d := borrowDecoder(v, opts...)
	defer giveBackDecoder(d)
	_, err := d.ReadValue()
	if err == nil {
		_, err = d.ReadToken()
		return err == io.EOF
	}
	return false
}

// asWritten leaves all but white space as it is.
const asWritten = jsonflags.AllowDuplicateNames | jsonflags.AllowInvalidUTF8 |
	jsonflags.PreserveRawStrings | 1

// rewrite writes v anew by its own options and what the caller adds.
func (v *Value) rewrite(added []Options, own ...Options) error {
	return rewritten(*v, own, added, func(text []byte) {
		if !bytes.Equal(*v, text) {
			*v = append((*v)[:0], text...)
		}
	})
}

// Canonicalize writes v as RFC 8785 asks.
func (v *Value) Canonicalize(opts ...Options) error {
	return v.rewrite(opts, jsonflags.CanonicalizeNumbers|jsonflags.ReorderRawObjects|1)
}

// Format writes v anew.
func (v *Value) Format(opts ...Options) error { return v.rewrite(nil, opts...) }

// Compact removes white space.
func (v *Value) Compact(opts ...Options) error { return v.rewrite(opts, asWritten) }

// Indent puts members and elements on lines of their own.
func (v *Value) Indent(opts ...Options) error {
	return v.rewrite(opts, asWritten, jsonflags.Multiline|1)
}

// MarshalJSON gives v.
func (v Value) MarshalJSON() ([]byte, error) { return v.orNull(), nil }

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
	d := borrowDecoder(b, jsonflags.AllowDuplicateNames|jsonflags.AllowInvalidUTF8|1)
	defer giveBackDecoder(d)
	d.reorderNext()
}

func (d *Decoder) reorderNext() {
	if k := d.PeekKind(); k != '[' && k != '{' {
		d.ReadValue()
	} else if d.ReadToken(); k == '{' {
		d.reorderMembers()
	} else {
		for d.PeekKind() != ']' {
			d.reorderNext()
		}
		d.ReadToken()
	}
}

func (d *Decoder) reorderMembers() {
	start := d.s.lastEnd
	var members []member
	sorted := true
	for d.PeekKind() != '}' {
		from := d.s.lastEnd
		var flags jsonwire.ValueFlags
		quoted, _ := d.s.ReadValue(&flags)
		name := jsonwire.UnquoteMayCopy(quoted, flags.IsVerbatim())
		d.reorderNext()
		members = append(members, member{name, d.s.buf[from:d.s.lastEnd]})
		if n := len(members); n > 1 && compareMembers(members[n-2], members[n-1]) >= 0 {
			sorted = false
		}
	}
	end := d.s.lastEnd
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

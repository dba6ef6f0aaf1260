package jsontext

import (
	"bytes"
	"io"
	"strconv"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
)

const errorPrefix = "jsontext: "

// ioError is an error of the reader or writer below.
type ioError struct {
	action string
	err    error
}

// numError is an error of an accessor of a number.
type numError struct {
	accessor, value string
	err             error
}

func (e *ioError) Unwrap() error  { return e.err }
func (e *numError) Unwrap() error { return e.err }

func (e *ioError) Error() string { return errorPrefix + e.action + " error: " + e.err.Error() }
func (e *numError) Error() string {
	call := "Token(" + e.value + ")." + e.accessor
	return "jsontext." + call + " error: " + e.err.Error()
}

// SyntacticError is about a text that is not JSON, or would not be.
type SyntacticError struct {
	requireKeyedLiterals
	nonComparable

	// ByteOffset is where, in all that has been read or written.
	ByteOffset int64
	// JSONPointer is the value in which the error is.
	JSONPointer Pointer
	// Err is the cause.
	Err error
}

type (
	requireKeyedLiterals struct{}
	nonComparable        [0]func()
)

func (e *SyntacticError) Error() string {
	pointer, offset := e.JSONPointer, e.ByteOffset
	text := errorPrefix
	switch e.Err {
	case nil:
		text += "syntactic error"
	case ErrDuplicateName:
		text += e.Err.Error() + " " + strconv.Quote(pointer.LastToken())
		pointer, offset = pointer.Parent(), 0
	default:
		text += e.Err.Error()
	}
	if pointer != "" {
		text += " within " + strconv.Quote(jsonwire.TruncatePointer(string(pointer), 100))
	}
	if offset > 0 {
		text += " after offset " + strconv.FormatInt(offset, 10)
	}
	return text
}

func (e *SyntacticError) Unwrap() error { return e.Err }

// coderState is what encoders and decoders tell of themselves.
type coderState interface {
	options() *jsonopts.Struct
	offsetAt(pos int) int64
	AppendStackPointer(b []byte, where int) []byte
}

// located says where err was found: at pos, which concerns the value before (where < 0), after
// (where > 0) or around it.
func located(s coderState, err error, pos, where int) error {
	if _, ok := err.(*ioError); ok || err == io.EOF {
		return err
	}
	e := &SyntacticError{ByteOffset: s.offsetAt(pos), Err: err}
	ptr := s.AppendStackPointer(nil, where)
	if deep, ok := err.(*innerError); ok {
		ptr = deep.appendTo(ptr)
		e.Err = deep.error
	}
	e.JSONPointer = Pointer(ptr)
	if d, ok := s.(*decoderState); ok && e.Err == errWrongEnd {
		e.blameEnd(d, pos)
	}
	if e.Err != io.ErrUnexpectedEOF &&
		s.options().Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		// Package encoding/json tells of the end of what is wrong.
		width := 1
		if text, ok := e.Err.(*jsonwire.InvalidTextError); ok {
			width = len(text.What)
		}
		e.ByteOffset += int64(width)
	}
	return e
}

// blameEnd makes an error about a wrong closing token one about its character.
func (e *SyntacticError) blameEnd(d *decoderState, pos int) {
	where := atStart
	if last := d.Tokens.Last; len(d.Tokens.Stack) > 0 && last.Length() > 0 {
		where = afterValue(last)
		e.JSONPointer = e.JSONPointer.Parent()
	}
	e.Err = jsonwire.NewInvalidCharacterError(d.buf[pos:], where)
}

// innerError is an error some levels below where it is reported.
type innerError struct {
	error
	// reversed are the tokens from the innermost outwards, each with its slash.
	reversed []byte
}

func (e *innerError) appendTo(ptr []byte) []byte {
	for rest := e.reversed; len(rest) > 0; {
		i := bytes.LastIndexByte(rest, '/')
		ptr = append(ptr, rest[i:]...)
		rest = rest[:i]
	}
	return ptr
}

func inner(err error) *innerError {
	if e, ok := err.(*innerError); ok {
		return e
	}
	return &innerError{error: err}
}

// inMember says that err was found in the member of that name.
func inMember(err error, quotedName []byte) error {
	e := inner(err)
	e.reversed = appendToken(e.reversed, string(jsonwire.UnquoteMayCopy(quotedName, false)))
	return e
}

// inElement says that err was found in that element.
func inElement(err error, index int64) error {
	e := inner(err)
	e.reversed = strconv.AppendInt(append(e.reversed, '/'), index, 10)
	return e
}

// A finder tells what is wrong with a value, once it is known that something is.
type finder struct {
	buf []byte
	// end is what is wrong if buf ends too early.
	end                    error
	validUTF8, uniqueNames bool
	// decoder is nil if the value is to be written.
	decoder *decoderState
}

func newFinder(buf []byte, end error, flags *jsonflags.Flags) finder {
	return finder{
		buf: buf, end: end,
		validUTF8:   !flags.Get(jsonflags.AllowInvalidUTF8),
		uniqueNames: !flags.Get(jsonflags.AllowDuplicateNames),
	}
}

// space gives what lies behind the white space at pos.
func (f *finder) space(pos int) (int, error) {
	pos += jsonwire.ConsumeWhitespace(f.buf[pos:])
	if pos == len(f.buf) {
		return pos, f.end
	}
	return pos, nil
}

func (f *finder) ended(err error) error {
	if err == io.ErrUnexpectedEOF {
		return f.end
	}
	return err
}

// value looks at the value at pos and gives what lies behind it, or where the error is.
func (f *finder) value(pos, depth int) (int, error) {
	if pos >= len(f.buf) {
		return pos, f.end
	}
	switch next := Kind(f.buf[pos]).normalize(); next {
	case 'n', 't', 'f':
		n, err := jsonwire.ConsumeLiteral(f.buf[pos:], spelled[next])
		return pos + n, f.ended(err)
	case '"':
		n, _, err := jsonwire.ConsumeString(f.buf[pos:], 0, f.validUTF8)
		return pos + n, f.ended(err)
	case '0':
		n, err := jsonwire.ConsumeNumber(f.buf[pos:])
		if f.decoder != nil && (err == io.ErrUnexpectedEOF ||
			f.end != io.ErrUnexpectedEOF && pos+n == len(f.buf)) {
			return pos, f.end
		}
		return pos + n, err
	case '{':
		return f.nested(pos, depth, '}')
	case '[':
		return f.nested(pos, depth, ']')
	default:
		if d := f.decoder; d != nil && (next == ']' && d.Tokens.Last.isObject() ||
			next == '}' && !d.Tokens.Last.isObject()) {
			return pos, errWrongEnd
		}
		return pos, jsonwire.NewInvalidCharacterError(f.buf[pos:], atStart)
	}
}

// nested looks at an array or object, whose end is that byte.
func (f *finder) nested(pos, depth int, end byte) (int, error) {
	if depth == deepest+1 {
		return pos, errTooDeep
	}
	after := afterMember
	if end == ']' {
		if after = afterElement; f.decoder == nil {
			after = "after array value (expecting ',' or ']')"
		}
	}
	pos, err := f.space(pos + 1)
	if err == nil && f.buf[pos] == end {
		return pos + 1, nil
	}
	var names namespace
	for i := int64(0); err == nil; i++ {
		if pos, err = f.space(pos); err != nil {
			break
		}
		if end == '}' {
			pos, err = f.member(pos, depth, &names)
		} else if pos, err = f.value(pos, depth+1); err != nil {
			err = inElement(err, i)
		}
		if err != nil {
			break
		}
		if pos, err = f.space(pos); err != nil {
			break
		}
		switch f.buf[pos] {
		case end:
			return pos + 1, nil
		case ',':
			pos++
		default:
			err = jsonwire.NewInvalidCharacterError(f.buf[pos:], after)
		}
	}
	return pos, err
}

// member looks at a name and its value.
func (f *finder) member(pos, depth int, names *namespace) (int, error) {
	n, flags, err := jsonwire.ConsumeString(f.buf[pos:], 0, f.validUTF8)
	if err != nil {
		return pos + n, f.ended(err)
	}
	name := f.buf[pos : pos+n]
	if f.uniqueNames && !names.insert(name, flags.IsVerbatim()) {
		return pos, inMember(ErrDuplicateName, name)
	}
	pos, err = f.space(pos + n)
	if err == nil && f.buf[pos] != ':' {
		err = jsonwire.NewInvalidCharacterError(f.buf[pos:], afterName)
	}
	if err == nil {
		pos, err = f.space(pos + 1)
	}
	if err == nil {
		pos, err = f.value(pos, depth+1)
	}
	if err != nil {
		err = inMember(err, name)
	}
	return pos, err
}

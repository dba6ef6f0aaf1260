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

func (e *ioError) Error() string { return errorPrefix + e.action + " error: " + e.err.Error() }
func (e *ioError) Unwrap() error { return e.err }

// numError is an error of an accessor of a number.
type numError struct {
	accessor, value string
	err             error
}

func (e *numError) Error() string {
	return "jsontext.Token(" + e.value + ")." + e.accessor + " error: " + e.err.Error()
}

func (e *numError) Unwrap() error { return e.err }

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

// wrapSyntacticError says where err was found: at pos, which concerns the value before
// (where < 0), after (where > 0) or around it.
func wrapSyntacticError(s coderState, err error, pos, where int) error {
	if _, ok := err.(*ioError); ok || err == io.EOF {
		return err
	}
	offset := s.offsetAt(pos)
	ptr := s.AppendStackPointer(nil, where)
	if inner, ok := err.(*innerError); ok {
		ptr = inner.appendTo(ptr)
		err = inner.error
	}
	if d, ok := s.(*decoderState); ok && err == errMismatchDelim {
		where := "at start of value"
		if last := d.Tokens.Last; len(d.Tokens.Stack) > 0 && last.Length() > 0 {
			where = "after array element (expecting ',' or ']')"
			if last.isObject() {
				where = "after object value (expecting ',' or '}')"
			}
			ptr = []byte(Pointer(ptr).Parent())
		}
		err = jsonwire.NewInvalidCharacterError(d.buf[pos:], where)
	}
	legacy := s.options().Flags.Get(jsonflags.ReportErrorsWithLegacySemantics)
	if legacy && err != io.ErrUnexpectedEOF {
		if text, ok := err.(*jsonwire.InvalidTextError); ok {
			offset += int64(len(text.What))
		} else {
			offset++
		}
	}
	return &SyntacticError{ByteOffset: offset, JSONPointer: Pointer(ptr), Err: err}
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
		lit := "null"
		if next == 't' {
			lit = "true"
		} else if next == 'f' {
			lit = "false"
		}
		n, err := jsonwire.ConsumeLiteral(f.buf[pos:], lit)
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
		return f.object(pos, depth)
	case '[':
		return f.array(pos, depth)
	default:
		if d := f.decoder; d != nil && (next == ']' && d.Tokens.Last.isObject() ||
			next == '}' && !d.Tokens.Last.isObject()) {
			return pos, errMismatchDelim
		}
		return pos, jsonwire.NewInvalidCharacterError(f.buf[pos:], "at start of value")
	}
}

func (f *finder) object(pos, depth int) (int, error) {
	if depth == maxNestingDepth+1 {
		return pos, errMaxDepth
	}
	pos, err := f.space(pos + 1)
	if err != nil {
		return pos, err
	}
	if f.buf[pos] == '}' {
		return pos + 1, nil
	}
	var names namespace
	for {
		if pos, err = f.space(pos); err != nil {
			return pos, err
		}
		n, flags, err := jsonwire.ConsumeString(f.buf[pos:], 0, f.validUTF8)
		if err != nil {
			return pos + n, f.ended(err)
		}
		name := f.buf[pos : pos+n]
		if f.uniqueNames && !names.insert(name, flags.IsVerbatim()) {
			return pos, inMember(ErrDuplicateName, name)
		}
		if pos, err = f.space(pos + n); err != nil {
			return pos, inMember(err, name)
		}
		if f.buf[pos] != ':' {
			const where = "after object name (expecting ':')"
			return pos, inMember(jsonwire.NewInvalidCharacterError(f.buf[pos:], where), name)
		}
		if pos, err = f.space(pos + 1); err != nil {
			return pos, inMember(err, name)
		}
		if pos, err = f.value(pos, depth+1); err != nil {
			return pos, inMember(err, name)
		}
		if pos, err = f.space(pos); err != nil {
			return pos, err
		}
		switch f.buf[pos] {
		case ',':
			pos++
		case '}':
			return pos + 1, nil
		default:
			const where = "after object value (expecting ',' or '}')"
			return pos, jsonwire.NewInvalidCharacterError(f.buf[pos:], where)
		}
	}
}

func (f *finder) array(pos, depth int) (int, error) {
	if depth == maxNestingDepth+1 {
		return pos, errMaxDepth
	}
	pos, err := f.space(pos + 1)
	if err != nil {
		return pos, err
	}
	if f.buf[pos] == ']' {
		return pos + 1, nil
	}
	for i := int64(0); ; i++ {
		if pos, err = f.space(pos); err != nil {
			return pos, err
		}
		if pos, err = f.value(pos, depth+1); err != nil {
			return pos, inElement(err, i)
		}
		if pos, err = f.space(pos); err != nil {
			return pos, err
		}
		switch f.buf[pos] {
		case ',':
			pos++
		case ']':
			return pos + 1, nil
		default:
			where := "after array element (expecting ',' or ']')"
			if f.decoder == nil {
				where = "after array value (expecting ',' or ']')"
			}
			return pos, jsonwire.NewInvalidCharacterError(f.buf[pos:], where)
		}
	}
}

package json

import (
	"cmp"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
)

// ErrUnknownName is about a name without a field.
var ErrUnknownName = errors.New("unknown object member name")

var (
	errAmbiguousName    = errors.New("ambiguous object member name")
	errInvalidStringTag = errors.New("invalid use of `string` tag option")
)

func isSemanticError(err error) bool {
	_, ok := err.(*SemanticError)
	return ok
}

func isSyntacticError(err error) bool {
	_, ok := err.(*jsontext.SyntacticError)
	return ok
}

// isFatal says whether the rest of the value is not to be looked at after err.
func isFatal(err error, flags jsonflags.Flags) bool {
	return !flags.Get(jsonflags.ReportErrorsWithLegacySemantics) ||
		isSyntacticError(err) || export.IsIOError(err)
}

type (
	requireKeyedLiterals struct{}
	nonComparable        [0]func()
)

// SemanticError is about a Go value that has no JSON, or JSON that does not suit a Go type.
type SemanticError struct {
	requireKeyedLiterals
	nonComparable

	// action is "marshal", "unmarshal", or unknown.
	action string

	// ByteOffset is where, in all that has been read or written.
	ByteOffset int64
	// JSONPointer is the value.
	JSONPointer jsontext.Pointer
	// JSONKind is its kind, if that is known.
	JSONKind jsontext.Kind
	// JSONValue is the value, if that matters.
	JSONValue jsontext.Value
	// GoType is the type, if it is known.
	GoType reflect.Type
	// Err is the cause, if there is one.
	Err error
}

func (e *SemanticError) Unwrap() error { return e.Err }

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// newMarshalErrorBefore is about what would be written next.
func newMarshalErrorBefore(e *jsontext.Encoder, t reflect.Type, err error) error {
	xe := export.Encoder(e)
	return &SemanticError{
		action: "marshal", GoType: t, Err: unexpected(err),
		ByteOffset:  e.OutputOffset() + int64(xe.CountNextDelimWhitespace()),
		JSONPointer: jsontext.Pointer(xe.AppendStackPointer(nil, +1)),
	}
}

// newUnmarshalErrorBefore is about what would be read next.
func newUnmarshalErrorBefore(d *jsontext.Decoder, t reflect.Type, err error) error {
	xd := export.Decoder(d)
	e := &SemanticError{action: "unmarshal", GoType: t, Err: unexpected(err)}
	if xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		e.JSONKind = d.PeekKind()
	}
	e.ByteOffset = d.InputOffset() + int64(xd.CountNextDelimWhitespace())
	e.JSONPointer = jsontext.Pointer(xd.AppendStackPointer(nil, +1))
	return e
}

// newUnmarshalErrorSkipping is as newUnmarshalErrorBefore, and passes over the value if more is
// read after an error.
func newUnmarshalErrorSkipping(d *jsontext.Decoder, t reflect.Type, err error) error {
	err = newUnmarshalErrorBefore(d, t, err)
	if xd := export.Decoder(d); xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		if err := xd.SkipValue(); err != nil {
			return err
		}
	}
	return err
}

// newUnmarshalErrorAfter is about what was read last.
func newUnmarshalErrorAfter(d *jsontext.Decoder, t reflect.Type, err error) error {
	xd := export.Decoder(d)
	text := xd.PreviousTokenOrValue()
	kind := jsontext.Value(text).Kind()
	offset := d.InputOffset() - int64(len(text))
	if xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		if kind == '[' || kind == '{' {
			offset++
		} else {
			offset += int64(len(text))
		}
	}
	return &SemanticError{
		action: "unmarshal", GoType: t, Err: unexpected(err), ByteOffset: offset, JSONKind: kind,
		JSONPointer: jsontext.Pointer(xd.AppendStackPointer(nil, -1)),
	}
}

// newUnmarshalErrorWithValue is as newUnmarshalErrorAfter, with the value.
func newUnmarshalErrorWithValue(d *jsontext.Decoder, t reflect.Type, err error) error {
	e := newUnmarshalErrorAfter(d, t, err).(*SemanticError)
	if e.JSONKind == '"' || e.JSONKind == '0' {
		e.JSONValue = jsontext.Value(export.Decoder(d).PreviousTokenOrValue()).Clone()
	}
	return e
}

// newUnmarshalErrorInside is as newUnmarshalErrorAfter, of the beginning of an array or object,
// whose rest it passes over if more is read after an error.
func newUnmarshalErrorInside(d *jsontext.Decoder, t reflect.Type, err error) error {
	err = newUnmarshalErrorAfter(d, t, err)
	if xd := export.Decoder(d); xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		if err := xd.SkipValueRemainder(); err != nil {
			return err
		}
	}
	return err
}

// positioned says where err is, which a method or function has given that began at that depth and
// length.
func positioned(coder any, t reflect.Type, depth int, length int64, err error) error {
	e, _ := err.(*SemanticError)
	if e == nil {
		e = &SemanticError{Err: err}
	}
	e.Err = unexpected(e.Err)
	var nowDepth int
	var nowLength, offset int64
	var pointer func([]byte, int) []byte
	switch c := coder.(type) {
	case *jsontext.Encoder:
		xe := export.Encoder(c)
		e.action = cmp.Or(e.action, "marshal")
		nowDepth, nowLength = xe.Tokens.DepthLength()
		offset = c.OutputOffset() + int64(xe.CountNextDelimWhitespace())
		pointer = xe.AppendStackPointer
	case *jsontext.Decoder:
		xd := export.Decoder(c)
		e.action = cmp.Or(e.action, "unmarshal")
		nowDepth, nowLength = xd.Tokens.DepthLength()
		text := xd.PreviousTokenOrValue()
		offset = c.InputOffset() - int64(len(text))
		if depth == nowDepth && length == nowLength || len(text) == 0 {
			offset = c.InputOffset() + int64(xd.CountNextDelimWhitespace())
		}
		pointer = xd.AppendStackPointer
	}
	e.ByteOffset = cmp.Or(e.ByteOffset, offset)
	if e.JSONPointer == "" {
		where := 0
		if depth == nowDepth && length == nowLength {
			where = +1
		} else if depth == nowDepth && length+1 == nowLength {
			where = -1
		}
		e.JSONPointer = jsontext.Pointer(pointer(nil, where))
	}
	e.GoType = cmp.Or(e.GoType, t)
	return e
}

// collapse makes one of an error and its cause, if that is a SemanticError, too.
func collapse(err error) error {
	if outer, ok := err.(*SemanticError); ok {
		if inner, ok := outer.Err.(*SemanticError); ok {
			inner.ByteOffset += outer.ByteOffset
			inner.JSONPointer = outer.JSONPointer + inner.JSONPointer
			*outer = *inner
		}
	}
	return err
}

// refuseUnsupported says that what may not refuse has done so.
func refuseUnsupported(err error, what string) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return errors.New(what + " may not return errors.ErrUnsupported")
	}
	return err
}

// modalVerb differs from run to run, so that nobody relies on the text.
var modalVerb = func() string {
	for verb := range map[string]bool{"cannot": true, "unable to": true} {
		return verb
	}
	return ""
}()

var kindNames = map[jsontext.Kind]string{
	'n': " JSON null", 'f': " JSON boolean", 't': " JSON boolean", '"': " JSON string",
	'0': " JSON number", '{': " JSON object", '}': " JSON object",
	'[': " JSON array", ']': " JSON array",
}

func (e *SemanticError) Error() string {
	text := "json: " + modalVerb
	preposition := ""
	switch e.action {
	case "marshal":
		text += " marshal"
		preposition = " from"
	case "unmarshal":
		text += " unmarshal"
		preposition = " into"
	default:
		text += " handle"
		if kindNames[e.JSONKind] != "" {
			preposition = " with"
		}
	}
	text += kindNames[e.JSONKind]
	if n := len(e.JSONValue); 0 < n && n < 100 {
		text += " " + string(e.JSONValue)
	}
	if t := e.GoType; t != nil {
		text += preposition + " Go " + typeText(t)
	}
	if e.Err == ErrUnknownName || e.Err == errAmbiguousName {
		text += ": " + e.Err.Error() + " " + strconv.Quote(e.JSONPointer.LastToken())
		if parent := e.JSONPointer.Parent(); parent != "" {
			text += " within " + strconv.Quote(jsonwire.TruncatePointer(string(parent), 100))
		}
		return text
	}
	// What the cause tells of the place need not be told twice.
	syntactic, _ := e.Err.(*jsontext.SyntacticError)
	if e.JSONPointer != "" {
		if syntactic == nil || !e.JSONPointer.Contains(syntactic.JSONPointer) {
			text += " within " + strconv.Quote(jsonwire.TruncatePointer(string(e.JSONPointer), 100))
		}
	} else if e.ByteOffset > 0 {
		if syntactic == nil || e.ByteOffset > syntactic.ByteOffset {
			text += " after offset " + strconv.FormatInt(e.ByteOffset, 10)
		}
	}
	if e.Err != nil {
		cause := e.Err.Error()
		if syntactic != nil {
			cause = strings.TrimPrefix(cause, "jsontext: ")
		}
		text += ": " + cause
	}
	return text
}

// typeText names a type, by its kind if it has a long name.
func typeText(t reflect.Type) string {
	if name := t.String(); len(name) <= 100 {
		return name
	}
	if t.Kind() == reflect.Struct && t.Name() == "" {
		for i := range t.NumField() {
			if path := t.Field(i).PkgPath; path != "" {
				return path[strings.LastIndexByte(path, '/')+1:] + ".struct"
			}
		}
	}
	return t.Kind().String()
}

func newDuplicateNameError(p jsontext.Pointer, quotedName []byte, offset int64) error {
	if quotedName != nil {
		name, _ := jsonwire.AppendUnquote(nil, quotedName)
		p = p.AppendToken(string(name))
	}
	return &jsontext.SyntacticError{ByteOffset: offset, JSONPointer: p, Err: jsontext.ErrDuplicateName}
}

package json

import (
	"cmp"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
)

// ErrUnknownName is about a name without a field.
var ErrUnknownName = errors.New("unknown object member name")

var (
	errNameOfSeveral = errors.New("ambiguous object member name")
	errStringTag     = errors.New("invalid use of `string` tag option")
)

// isA says whether err is itself an E; what it wraps does not count.
func isA[E error](err error) bool {
	_, ok := err.(E)
	return ok
}

// isFatal says whether the rest of the value is not to be looked at after err.
func isFatal(err error, flags jsonflags.Flags) bool {
	return isA[*jsontext.SyntacticError](err) || export.IsIOError(err) ||
		!flags.Get(jsonflags.ReportErrorsWithLegacySemantics)
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

// tellsAsV1 says whether errors are told as encoding/json does, which reads on after many.
func tellsAsV1(o *jsonopts.Struct) bool {
	return o.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics)
}

func (e *SemanticError) Unwrap() error { return e.Err }

// unexpected gives the end of the input another name, where there has to be more of it.
func unexpected(err error) error {
	if err != io.EOF {
		return err
	}
	return io.ErrUnexpectedEOF
}

// cannotWrite is about what would be written next.
func cannotWrite(enc *jsontext.Encoder, t reflect.Type, err error) error {
	v := encoderView(enc)
	return v.semantic(t, err, v.offset, +1)
}

// semantic makes an error about the value before or after the present position.
func (v view) semantic(t reflect.Type, err error, offset int64, where int) *SemanticError {
	e := &SemanticError{action: v.action, ByteOffset: offset, GoType: t, Err: unexpected(err)}
	e.JSONPointer = jsontext.Pointer(v.pointer(nil, where))
	return e
}

// cannotRead is about what would be read next.
func cannotRead(dec *jsontext.Decoder, t reflect.Type, err error) error {
	xd := export.Decoder(dec)
	kind := jsontext.KindInvalid
	if xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		kind = dec.PeekKind()
	}
	v := decoderView(dec, placeOf(&xd.Tokens))
	e := v.semantic(t, err, v.offset, +1)
	e.JSONKind = kind
	return e
}

// cannotReadSkipping is as cannotRead, and passes over the value if more is
// read after an error.
func cannotReadSkipping(d *jsontext.Decoder, t reflect.Type, err error) error {
	err = cannotRead(d, t, err)
	if xd := export.Decoder(d); xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		if err := xd.SkipValue(); err != nil {
			return err
		}
	}
	return err
}

// cannotTake is about what was read last.
func cannotTake(dec *jsontext.Decoder, t reflect.Type, err error) error {
	xd := export.Decoder(dec)
	text := xd.PreviousTokenOrValue()
	kind := jsontext.Value(text).Kind()
	begin, end := dec.InputOffset()-int64(len(text)), dec.InputOffset()
	switch legacy := xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics); {
	case !legacy:
	case kind == '[' || kind == '{':
		begin++
	default:
		begin = end
	}
	v := view{action: "unmarshal", pointer: xd.AppendStackPointer}
	e := v.semantic(t, err, begin, -1)
	e.JSONKind = kind
	return e
}

// cannotTakeText is as cannotTake, with the value.
func cannotTakeText(d *jsontext.Decoder, t reflect.Type, err error) error {
	e := cannotTake(d, t, err).(*SemanticError)
	switch e.JSONKind {
	case '0', '"':
		text := export.Decoder(d).PreviousTokenOrValue()
		e.JSONValue = jsontext.Value(text).Clone()
	}
	return e
}

// cannotTakeInside is as cannotTake, of the beginning of an array or object,
// whose rest it passes over if more is read after an error.
func cannotTakeInside(d *jsontext.Decoder, t reflect.Type, err error) error {
	err = cannotTake(d, t, err)
	if xd := export.Decoder(d); xd.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		if err := xd.SkipValueRemainder(); err != nil {
			return err
		}
	}
	return err
}

// A view is what an encoder or decoder tells of where it is.
type view struct {
	action  string
	now     place
	offset  int64
	pointer func(b []byte, where int) []byte
}

func encoderView(enc *jsontext.Encoder) view {
	xe := export.Encoder(enc)
	offset := enc.OutputOffset() + int64(xe.CountNextDelimWhitespace())
	return view{"marshal", placeOf(&xe.Tokens), offset, xe.AppendStackPointer}
}

// decoderView looks at what was read last, if something has been read since it began.
func decoderView(dec *jsontext.Decoder, began place) view {
	xd := export.Decoder(dec)
	v := view{"unmarshal", placeOf(&xd.Tokens), dec.InputOffset(), xd.AppendStackPointer}
	if text := xd.PreviousTokenOrValue(); len(text) > 0 && v.now != began {
		v.offset -= int64(len(text))
	} else {
		v.offset += int64(xd.CountNextDelimWhitespace())
	}
	return v
}

// positioned says where err is, which a method or function has given that began there.
func (v view) positioned(t reflect.Type, began place, err error) error {
	e, ok := err.(*SemanticError)
	if !ok || e == nil {
		e = &SemanticError{Err: err}
	}
	e.Err = unexpected(e.Err)
	e.action = cmp.Or(e.action, v.action)
	e.ByteOffset = cmp.Or(e.ByteOffset, v.offset)
	e.GoType = cmp.Or(e.GoType, t)
	if e.JSONPointer == "" {
		where := 0
		switch v.now {
		case began:
			where = +1
		case place{began.depth, began.length + 1}:
			where = -1
		}
		e.JSONPointer = jsontext.Pointer(v.pointer(nil, where))
	}
	return e
}

// collapse makes one of an error and its cause, if both are of this package: what the cause says of
// a part, the error says of the whole.
func collapse(err error) error {
	whole, _ := err.(*SemanticError)
	if whole == nil {
		return err
	}
	if part, ok := whole.Err.(*SemanticError); ok {
		both := *part
		both.ByteOffset += whole.ByteOffset
		both.JSONPointer = whole.JSONPointer + part.JSONPointer
		*whole = both
	}
	return err
}

// refuseUnsupported says that what may not refuse has done so.
func refuseUnsupported(err error, what string) error {
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return errors.New(what + " may not return errors.ErrUnsupported")
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
	if e.Err == ErrUnknownName || e.Err == errNameOfSeveral {
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

func sameName(p jsontext.Pointer, inQuotes []byte, offset int64) error {
	if inQuotes != nil {
		name, _ := jsonwire.AppendUnquote(nil, inQuotes)
		p = p.AppendToken(string(name))
	}
	return &jsontext.SyntacticError{ByteOffset: offset, JSONPointer: p, Err: jsontext.ErrDuplicateName}
}

// Package json turns Go values into JSON and back, as it always has: encoding/json/v2 with other
// options, and with errors of its own.
package json

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
)

var export = jsontext.Internal.Export(&internal.AllowInternalUse)

// Marshal gives v as JSON.
func Marshal(v any) ([]byte, error) { return jsonv2.Marshal(v, DefaultOptionsV1()) }

// MarshalIndent is as Marshal, with members and elements on lines of their own.
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	b, err := Marshal(v)
	if err == nil {
		b, err = appendIndent(nil, b, prefix, indent)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Unmarshal stores in *v what data says.
func Unmarshal(data []byte, v any) error { return jsonv2.Unmarshal(data, v, DefaultOptionsV1()) }

// Marshaler gives itself as JSON.
type Marshaler = jsonv2.Marshaler

// Unmarshaler takes JSON.
type Unmarshaler = jsonv2.Unmarshaler

// Valid says whether data is JSON.
func Valid(data []byte) bool {
	return jsontext.Value(data).IsValid(jsonflags.AllowDuplicateNames | jsonflags.AllowInvalidUTF8 | 1)
}

// UnsupportedTypeError is about a type without JSON.
type UnsupportedTypeError struct {
	Type reflect.Type
}

func (e *UnsupportedTypeError) Error() string {
	return "json: unsupported type: " + e.Type.String()
}

// UnsupportedValueError is about a value without JSON.
type UnsupportedValueError struct {
	Value reflect.Value
	Str   string
}

func (e *UnsupportedValueError) Error() string { return "json: unsupported value: " + e.Str }

// InvalidUTF8Error is not used any more.
type InvalidUTF8Error struct {
	S string
}

func (e *InvalidUTF8Error) Error() string {
	return "json: invalid UTF-8 in string: " + strconv.Quote(e.S)
}

// MarshalerError is an error of a method.
type MarshalerError struct {
	Type       reflect.Type
	Err        error
	sourceFunc string
}

func (e *MarshalerError) Error() string {
	method := cmp.Or(e.sourceFunc, "MarshalJSON")
	return "json: error calling " + method + " for type " + e.Type.String() + ": " + e.Err.Error()
}

func (e *MarshalerError) Unwrap() error { return e.Err }

// UnmarshalTypeError is about JSON that does not suit a type.
type UnmarshalTypeError struct {
	// Value describes it.
	Value  string
	Type   reflect.Type
	Offset int64
	// Struct is the type of the whole, Field the path to the value.
	Struct string
	Field  string
	Err    error
}

func (e *UnmarshalTypeError) Error() string {
	into := "Go value"
	if e.Struct != "" || e.Field != "" {
		into = e.Struct + "." + e.Field
		last := e.Field[strings.LastIndexByte(e.Field, '.')+1:]
		if last == "" || strings.Trim(last, "0123456789") != "" {
			into = "Go struct field " + into
		}
	}
	text := "json: cannot unmarshal " + e.Value + " into " + into + " of type " + e.Type.String()
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *UnmarshalTypeError) Unwrap() error { return e.Err }

// UnmarshalFieldError is not used any more.
type UnmarshalFieldError struct {
	Key   string
	Type  reflect.Type
	Field reflect.StructField
}

func (e *UnmarshalFieldError) Error() string {
	return "json: cannot unmarshal object key " + strconv.Quote(e.Key) +
		" into unexported field " + e.Field.Name + " of type " + e.Type.String()
}

// InvalidUnmarshalError is about something to unmarshal into that is no pointer to anything.
type InvalidUnmarshalError struct {
	Type reflect.Type
}

func (e *InvalidUnmarshalError) Error() string {
	switch {
	case e.Type == nil:
		return "json: Unmarshal(nil)"
	case e.Type.Kind() == reflect.Pointer:
		return "json: Unmarshal(nil " + e.Type.String() + ")"
	}
	return "json: Unmarshal(non-pointer " + e.Type.String() + ")"
}

// SyntaxError is about a text that is not JSON.
type SyntaxError struct {
	msg string
	// Offset is behind what is wrong.
	Offset int64
}

func (e *SyntaxError) Error() string { return e.msg }

// Number is a number as it is written.
type Number string

func (n Number) String() string { return string(n) }

func (n Number) Float64() (float64, error) { return strconv.ParseFloat(string(n), 64) }

func (n Number) Int64() (int64, error) { return strconv.ParseInt(string(n), 10, 64) }

// inString says whether a number has to be in a string where it is: as a name, or by an option.
func inString(opts Options, kind jsontext.Kind, length int64) bool {
	yes, _ := jsonv2.GetOption(opts, jsonv2.StringifyNumbers)
	return yes || kind == '{' && length%2 == 0
}

// MarshalJSONTo writes n, which must be a number.
func (n Number) MarshalJSONTo(enc *jsontext.Encoder) error {
	num := []byte(cmp.Or(n, "0"))
	val := num
	if kind, length := enc.StackIndex(enc.StackDepth()); inString(enc.Options(), kind, length) {
		val = []byte(`"` + string(num) + `"`)
	}
	if end, err := jsonwire.ConsumeNumber(num); err != nil || end != len(num) {
		return fmt.Errorf("cannot parse %q as JSON number: %w", val, strconv.ErrSyntax)
	}
	return enc.WriteValue(val)
}

// UnmarshalJSONFrom reads a number, or a string that has one in it.
func (n *Number) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	kind, length := dec.StackIndex(dec.StackDepth())
	val, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch k := val.Kind(); k {
	case 'n':
		if legacy, _ := jsonv2.GetOption(dec.Options(), MergeWithLegacySemantics); !legacy {
			*n = ""
		}
		return nil
	case '"':
		num := jsonwire.UnquoteMayCopy(val, false)
		if end, err := jsonwire.ConsumeNumber(num); err != nil || end != len(num) {
			return &jsonv2.SemanticError{
				JSONKind: k, JSONValue: val.Clone(), GoType: numberType, Err: strconv.ErrSyntax,
			}
		}
		*n = Number(num)
		return nil
	case '0':
		if !inString(dec.Options(), kind, length) {
			*n = Number(val)
			return nil
		}
	}
	return &jsonv2.SemanticError{JSONKind: val.Kind(), GoType: numberType}
}

var numberType = reflect.TypeFor[Number]()

//go:effect internal.TransformMarshalError
//go:effect internal.TransformUnmarshalError
//go:effect internal.NewMarshalerError
//go:effect internal.NewRawNumber
//go:effect internal.RawNumberOf
func init() {
	internal.TransformMarshalError = marshalError
	internal.TransformUnmarshalError = unmarshalError
	internal.NewMarshalerError = func(val any, err error, method string) error {
		return &MarshalerError{reflect.TypeOf(val), err, method}
	}
	internal.NewRawNumber = func() any { return new(Number) }
	internal.RawNumberOf = func(b []byte) any { return Number(b) }
}

// marshalError makes an error of this package of one of encoding/json/v2.
func marshalError(root any, err error) error {
	switch e := err.(type) {
	case *jsonv2.SemanticError:
		if e.Err == nil {
			return &UnsupportedTypeError{e.GoType}
		}
		var v reflect.Value
		if ve, ok := errors.AsType[*internal.ValueError](e.Err); ok {
			v = reflect.ValueOf(ve.Val)
		}
		text := e.Err.Error()
		if e.Err == internal.ErrCycle && e.GoType != nil {
			text += " via " + e.GoType.String()
		}
		return &UnsupportedValueError{v, strings.TrimPrefix(text, "unsupported value: ")}
	case *MarshalerError:
		e.Err = syntaxError(e.Err)
		return e
	}
	return syntaxError(err)
}

// unmarshalError makes an error of this package of one of encoding/json/v2.
func unmarshalError(root any, err error) error {
	e, ok := err.(*jsonv2.SemanticError)
	if !ok {
		return syntaxError(err)
	}
	switch e.Err {
	case internal.ErrNonNilReference:
		return &InvalidUnmarshalError{e.GoType}
	case jsonv2.ErrUnknownName:
		return fmt.Errorf("json: unknown field %q", e.JSONPointer.LastToken())
	}
	if e.Err == internal.ErrNilInterface {
		e.Err = nil
	}
	value := ""
	switch e.JSONKind {
	case 'n', '"', '0':
		value = e.JSONKind.String()
	case 'f', 't':
		value = "bool"
	case '[', ']':
		value = "array"
	case '{', '}':
		value = "object"
	}
	if len(e.JSONValue) > 0 {
		if (e.Err == strconv.ErrRange || e.Err == strconv.ErrSyntax) && isNumber(e.GoType) {
			value = "number"
			if e.JSONKind == '"' {
				e.JSONValue, _ = jsontext.AppendUnquote(nil, e.JSONValue)
			}
			e.Err = nil
		}
		value += " " + string(e.JSONValue)
	}
	name := ""
	if t := reflect.TypeOf(root); t != nil && e.JSONPointer != "" {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		name = t.Name()
	}
	path := strings.TrimPrefix(string(e.JSONPointer), "/")
	return &UnmarshalTypeError{
		Value: value, Type: e.GoType, Offset: e.ByteOffset, Struct: name,
		Field: strings.ReplaceAll(path, "/", "."), Err: syntaxError(e.Err),
	}
}

func isNumber(t reflect.Type) bool {
	return t != nil && reflect.Int <= t.Kind() && t.Kind() <= reflect.Float64
}

var errUnexpectedEnd = errors.New("unexpected end of JSON input")

var oldWords = strings.NewReplacer(
	"object name", "object key",
	"at start of value", "looking for beginning of value",
	"at start of string", "looking for beginning of object key string",
	"after object value", "after object key:value pair",
	"in number", "in numeric literal",
)

// syntaxError makes an error of this package of one of jsontext, if it is one.
func syntaxError(err error) error {
	e, ok := err.(*jsontext.SyntacticError)
	switch {
	case ok && export.IsIOError(e.Err):
		return errors.Unwrap(e.Err)
	case export.IsIOError(err):
		return errors.Unwrap(err)
	case !ok:
		return err
	}
	if e.Err == io.ErrUnexpectedEOF {
		e.Err = errUnexpectedEnd
	}
	text := e.Err.Error()
	if i := strings.Index(text, " (expecting"); i >= 0 && !strings.Contains(text, " in literal") {
		text = text[:i]
	}
	return &SyntaxError{oldWords.Replace(text), e.ByteOffset}
}

// Options is an option of the JSON packages, or several.
type Options = jsonopts.Options

// DefaultOptionsV1 is what this package does without options.
func DefaultOptionsV1() Options { return &jsonopts.DefaultOptionsV1 }

func flag(f jsonflags.Bools, v bool) Options {
	if v {
		return f | 1
	}
	return f
}

// CallMethodsWithLegacySemantics says whether methods are not called where they once were not.
func CallMethodsWithLegacySemantics(v bool) Options {
	return flag(jsonflags.CallMethodsWithLegacySemantics, v)
}

// FormatByteArrayAsArray says whether an array of bytes is an array of numbers.
func FormatByteArrayAsArray(v bool) Options { return flag(jsonflags.FormatByteArrayAsArray, v) }

// FormatBytesWithLegacySemantics says whether slices of named bytes are strings.
func FormatBytesWithLegacySemantics(v bool) Options {
	return flag(jsonflags.FormatBytesWithLegacySemantics, v)
}

// FormatDurationAsNano says whether a duration is a number of nanoseconds.
func FormatDurationAsNano(v bool) Options { return flag(jsonflags.FormatDurationAsNano, v) }

// MatchCaseSensitiveDelimiter says whether dashes and underscores count where case does not.
func MatchCaseSensitiveDelimiter(v bool) Options {
	return flag(jsonflags.MatchCaseSensitiveDelimiter, v)
}

// MergeWithLegacySemantics says whether null leaves most values as they are.
func MergeWithLegacySemantics(v bool) Options { return flag(jsonflags.MergeWithLegacySemantics, v) }

// OmitEmptyWithLegacySemantics says whether omitempty looks at the Go value.
func OmitEmptyWithLegacySemantics(v bool) Options {
	return flag(jsonflags.OmitEmptyWithLegacySemantics, v)
}

// ParseBytesWithLooseRFC4648 says whether line breaks in base64 are passed over.
func ParseBytesWithLooseRFC4648(v bool) Options {
	return flag(jsonflags.ParseBytesWithLooseRFC4648, v)
}

// ParseTimeWithLooseRFC3339 says whether times may be written as package time takes them.
func ParseTimeWithLooseRFC3339(v bool) Options {
	return flag(jsonflags.ParseTimeWithLooseRFC3339, v)
}

// ReportErrorsWithLegacySemantics says whether errors are those of this package.
func ReportErrorsWithLegacySemantics(v bool) Options {
	return flag(jsonflags.ReportErrorsWithLegacySemantics, v)
}

// StringifyWithLegacySemantics says whether the tag option string is for strings and bools, too.
func StringifyWithLegacySemantics(v bool) Options {
	return flag(jsonflags.StringifyWithLegacySemantics, v)
}

// UnmarshalArrayFromAnyLength says whether Go arrays take JSON arrays of other lengths.
func UnmarshalArrayFromAnyLength(v bool) Options {
	return flag(jsonflags.UnmarshalArrayFromAnyLength, v)
}

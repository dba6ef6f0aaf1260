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

// Unmarshal stores in *v what data says.
func Unmarshal(data []byte, v any) error { return jsonv2.Unmarshal(data, v, DefaultOptionsV1()) }

// MarshalIndent is as Marshal, with members and elements on lines of their own.
func MarshalIndent(v any, prefix, indent string) (text []byte, err error) {
	if text, err = Marshal(v); err == nil {
		text, err = appendIndent(nil, text, prefix, indent)
	}
	if err != nil {
		text = nil
	}
	return text, err
}

// Marshal gives v as JSON.
func Marshal(v any) ([]byte, error) { return jsonv2.Marshal(v, DefaultOptionsV1()) }

// Marshaler gives itself as JSON.
type Marshaler = jsonv2.Marshaler

// Unmarshaler takes JSON.
type Unmarshaler = jsonv2.Unmarshaler

// Valid says whether data is JSON.
func Valid(data []byte) bool {
	const lenient = jsonflags.AllowDuplicateNames | jsonflags.AllowInvalidUTF8
	return jsontext.Value(data).IsValid(lenient | 1)
}

// UnsupportedTypeError is about a type without JSON.
type UnsupportedTypeError struct {
	Type reflect.Type
}

// UnsupportedValueError is about a value without JSON.
type UnsupportedValueError struct {
	Value reflect.Value
	Str   string
}

// MarshalerError is an error of a method.
type MarshalerError struct {
	Type       reflect.Type
	Err        error
	sourceFunc string
}

func (e *UnsupportedValueError) Error() string { return "json: unsupported value: " + e.Str }

func (e *UnsupportedTypeError) Error() string { return "json: unsupported type: " + e.Type.String() }

func (e *MarshalerError) Error() string {
	method := cmp.Or(e.sourceFunc, "MarshalJSON")
	return "json: error calling " + method + " for type " + e.Type.String() + ": " + e.Err.Error()
}

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

// InvalidUTF8Error and UnmarshalFieldError are not used any more.
type (
	InvalidUTF8Error struct {
		S string
	}
	UnmarshalFieldError struct {
		Key   string
		Type  reflect.Type
		Field reflect.StructField
	}
)

func (e *UnmarshalFieldError) Error() string {
	key, field := strconv.Quote(e.Key), e.Field.Name
	return "json: cannot unmarshal object key " + key +
		" into unexported field " + field + " of type " + e.Type.String()
}

func (e *InvalidUTF8Error) Error() string {
	return "json: invalid UTF-8 in string: " + strconv.Quote(e.S)
}

func (e *UnmarshalTypeError) Unwrap() error { return e.Err }
func (e *MarshalerError) Unwrap() error     { return e.Err }

// InvalidUnmarshalError is about something to unmarshal into that is no pointer to anything.
type InvalidUnmarshalError struct {
	Type reflect.Type
}

func (e *InvalidUnmarshalError) Error() string {
	if e.Type == nil {
		return "json: Unmarshal(nil)"
	}
	what := "non-pointer "
	if e.Type.Kind() == reflect.Pointer {
		what = "nil "
	}
	return "json: Unmarshal(" + what + e.Type.String() + ")"
}

// Number is a number as it is written.
type Number string

func (num Number) Int64() (int64, error)     { return strconv.ParseInt(string(num), 10, 64) }
func (num Number) Float64() (float64, error) { return strconv.ParseFloat(string(num), 64) }
func (num Number) String() string            { return string(num) }

// SyntaxError is about a text that is not JSON.
type SyntaxError struct {
	msg string
	// Offset is behind what is wrong.
	Offset int64
}

func (e *SyntaxError) Error() string { return e.msg }

// quoted says whether a number has to be in a string where one is going to be: as a name, or by an
// option.
func quoted(opts Options, in jsontext.Kind, before int64) bool {
	if in == '{' && before%2 == 0 {
		return true
	}
	yes, _ := jsonv2.GetOption(opts, jsonv2.StringifyNumbers)
	return yes
}

// isNumberText says whether text is a number of JSON and nothing else.
func isNumberText(text []byte) bool {
	n, err := jsonwire.ConsumeNumber(text)
	return err == nil && n == len(text)
}

// MarshalJSONTo writes n, which must be a number.
func (n Number) MarshalJSONTo(enc *jsontext.Encoder) error {
	text := cmp.Or(n, "0")
	good := isNumberText([]byte(text))
	if in, before := enc.StackIndex(enc.StackDepth()); quoted(enc.Options(), in, before) {
		text = `"` + text + `"`
	}
	if good {
		return enc.WriteValue([]byte(text))
	}
	return fmt.Errorf("cannot parse %q as JSON number: %w", string(text), strconv.ErrSyntax)
}

// notNumber is the error about a value that a Number cannot take.
func notNumber(val jsontext.Value) *jsonv2.SemanticError {
	return &jsonv2.SemanticError{JSONKind: val.Kind(), GoType: reflect.TypeFor[Number]()}
}

// UnmarshalJSONFrom reads a number, or a string that has one in it.
func (n *Number) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	in, before := dec.StackIndex(dec.StackDepth())
	text, err := dec.ReadValue()
	if err != nil {
		return err
	}
	kind := text.Kind()
	if kind == 'n' {
		if keep, _ := jsonv2.GetOption(dec.Options(), MergeWithLegacySemantics); keep {
			return nil
		}
		text = nil
	} else if kind == '"' {
		whole := text
		if text = jsonwire.UnquoteMayCopy(whole, false); !isNumberText(text) {
			e := notNumber(whole)
			e.JSONValue, e.Err = whole.Clone(), strconv.ErrSyntax
			return e
		}
	} else if kind != '0' || quoted(dec.Options(), in, before) {
		return notNumber(text)
	}
	*n = Number(text)
	return nil
}

// classic gives encoding/json/v2 what only this package has.
type classic struct{}

//go:effect internal.V1
func init() { internal.V1 = classic{} }

func (classic) NewNumber() any         { return new(Number) }
func (classic) Number(text []byte) any { return Number(text) }

func (classic) MethodError(v any, err error, method string) error {
	return &MarshalerError{Type: reflect.TypeOf(v), Err: err, sourceFunc: method}
}

func (classic) MarshalError(err error) error {
	if e, ok := err.(*MarshalerError); ok {
		e.Err = syntaxError(e.Err)
		return e
	}
	e, ok := err.(*jsonv2.SemanticError)
	if !ok {
		return syntaxError(err)
	}
	why := e.Err
	if why == nil {
		return &UnsupportedTypeError{Type: e.GoType}
	}
	unsupported := &UnsupportedValueError{
		Str: strings.TrimPrefix(why.Error(), "unsupported value: "),
	}
	if why == internal.ErrCycle && e.GoType != nil {
		unsupported.Str += " via " + e.GoType.String()
	}
	if about, ok := errors.AsType[*internal.ValueError](why); ok {
		unsupported.Value = reflect.ValueOf(about.Val)
	}
	return unsupported
}

func (classic) UnmarshalError(root any, err error) error {
	e, ok := err.(*jsonv2.SemanticError)
	if !ok {
		return syntaxError(err)
	}
	why := e.Err
	if why == jsonv2.ErrUnknownName {
		return fmt.Errorf("json: unknown field %q", e.JSONPointer.LastToken())
	}
	if why == internal.ErrNonNilReference {
		return &InvalidUnmarshalError{Type: e.GoType}
	}
	unsuited := &UnmarshalTypeError{Type: e.GoType, Offset: e.ByteOffset}
	unsuited.Struct, unsuited.Field = location(root, e.JSONPointer)
	noNumber := len(e.JSONValue) > 0 && isNumberType(e.GoType) &&
		(why == strconv.ErrSyntax || why == strconv.ErrRange)
	unsuited.Value = describe(e.JSONKind, e.JSONValue, noNumber)
	if !noNumber && why != internal.ErrNilInterface {
		unsuited.Err = syntaxError(why)
	}
	return unsuited
}

// location gives the name of root's type, and the way from there with dots.
func location(root any, at jsontext.Pointer) (name, path string) {
	if at == "" {
		return "", ""
	}
	if t := reflect.TypeOf(root); t != nil {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		name = t.Name()
	}
	return name, strings.ReplaceAll(strings.TrimPrefix(string(at), "/"), "/", ".")
}

// describe says what a value is that does not suit: its kind, and its text if that matters. One
// that was to be a number is called so, and told without quotes.
func describe(kind jsontext.Kind, text jsontext.Value, asNumber bool) string {
	const kinds = `n"0tf[]{}`
	names := [...]string{
		"null", "string", "number", "bool", "bool", "array", "array", "object", "object", "",
	}
	i := strings.IndexByte(kinds, byte(kind))
	if i < 0 {
		i = len(kinds)
	}
	name := names[i]
	if len(text) == 0 {
		return name
	}
	if asNumber {
		name = "number"
		if kind == '"' {
			text, _ = jsontext.AppendUnquote(nil, text)
		}
	}
	return name + " " + string(text)
}

func isNumberType(t reflect.Type) bool {
	return t != nil && reflect.Int <= t.Kind() && t.Kind() <= reflect.Float64
}

const unexpectedEnd = "unexpected end of JSON input"

var oldWords = strings.NewReplacer(
	"object name", "object key",
	"at start of value", "looking for beginning of value",
	"at start of string", "looking for beginning of object key string",
	"after object value", "after object key:value pair",
	"in number", "in numeric literal",
)

// syntaxError makes an error of this package of one of jsontext, and frees one of a reader.
func syntaxError(err error) error {
	e, ok := err.(*jsontext.SyntacticError)
	why := err
	if ok {
		why = e.Err
	}
	if export.IsIOError(why) {
		return errors.Unwrap(why)
	}
	if !ok {
		return err
	}
	text := unexpectedEnd
	if why != io.ErrUnexpectedEOF {
		text = why.Error()
		// Only of literals was ever told what they lack.
		if before, _, found := strings.Cut(text, " (expecting"); found &&
			!strings.Contains(text, " in literal") {
			text = before
		}
		text = oldWords.Replace(text)
	}
	return &SyntaxError{msg: text, Offset: e.ByteOffset}
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

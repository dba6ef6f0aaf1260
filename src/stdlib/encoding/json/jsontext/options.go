package jsontext

import (
	"io"
	"strings"

	"encoding/json/internal"
	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
)

// Options is an option of encoders and decoders, or several.
type Options = jsonopts.Options

func flag(f jsonflags.Bools, v bool) Options {
	if v {
		return f | 1
	}
	return f
}

// AllowDuplicateNames says whether an object may have a name twice.
func AllowDuplicateNames(v bool) Options { return flag(jsonflags.AllowDuplicateNames, v) }

// AllowInvalidUTF8 says whether bytes that are no UTF-8 are replaced, or an error.
func AllowInvalidUTF8(v bool) Options { return flag(jsonflags.AllowInvalidUTF8, v) }

// EscapeForHTML says whether <, > and & are escaped.
func EscapeForHTML(v bool) Options { return flag(jsonflags.EscapeForHTML, v) }

// EscapeForJS says whether U+2028 and U+2029 are escaped.
func EscapeForJS(v bool) Options { return flag(jsonflags.EscapeForJS, v) }

// PreserveRawStrings says whether strings of values keep the escapes that they have.
func PreserveRawStrings(v bool) Options { return flag(jsonflags.PreserveRawStrings, v) }

// CanonicalizeRawInts says whether integers of values are written as RFC 8785 asks.
func CanonicalizeRawInts(v bool) Options { return flag(jsonflags.CanonicalizeRawInts, v) }

// CanonicalizeRawFloats says whether other numbers of values are written as RFC 8785 asks.
func CanonicalizeRawFloats(v bool) Options { return flag(jsonflags.CanonicalizeRawFloats, v) }

// ReorderRawObjects says whether the members of objects of values are put in order.
func ReorderRawObjects(v bool) Options { return flag(jsonflags.ReorderRawObjects, v) }

// SpaceAfterColon says whether a space is written after colons.
func SpaceAfterColon(v bool) Options { return flag(jsonflags.SpaceAfterColon, v) }

// SpaceAfterComma says whether a space is written after commas.
func SpaceAfterComma(v bool) Options { return flag(jsonflags.SpaceAfterComma, v) }

// Multiline says whether members and elements are written on lines of their own.
func Multiline(v bool) Options { return flag(jsonflags.Multiline, v) }

// WithIndent says what a level is indented by, and implies Multiline.
func WithIndent(indent string) Options {
	mustBeBlank(indent, "indent")
	return jsonopts.Indent(indent)
}

// WithIndentPrefix says what each line but the first begins with, and implies Multiline.
func WithIndentPrefix(prefix string) Options {
	mustBeBlank(prefix, "indent prefix")
	return jsonopts.IndentPrefix(prefix)
}

// mustBeBlank panics if s has other characters than spaces and tabs.
func mustBeBlank(s, what string) {
	if rest := strings.Trim(s, " \t"); rest != "" {
		panic("json: invalid character " + jsonwire.QuoteRune([]byte(rest)) + " in " + what)
	}
}

// Internal is for the JSON packages alone.
var Internal exporter

type exporter struct{}

// Export gives what the JSON packages share.
func (exporter) Export(p *internal.NotForPublicUse) (all export) {
	if p == &internal.AllowInternalUse {
		return all
	}
	panic("unauthorized call to Export")
}

type export struct{}

func (export) Decoder(d *Decoder) *decoderState { return &d.s }
func (export) Encoder(e *Encoder) *encoderState { return &e.s }

func (export) GetBufferedDecoder(b []byte, o ...Options) *Decoder { return borrowDecoder(b, o...) }
func (export) GetBufferedEncoder(o ...Options) *Encoder           { return borrowEncoder(o...) }

func (export) PutBufferedDecoder(d *Decoder) { giveBackDecoder(d) }
func (export) PutBufferedEncoder(e *Encoder) { giveBackEncoder(e) }

func (export) GetStreamingDecoder(r io.Reader, o ...Options) *Decoder { return NewDecoder(r, o...) }
func (export) GetStreamingEncoder(w io.Writer, o ...Options) *Encoder { return NewEncoder(w, o...) }

func (export) IsIOError(err error) (is bool) {
	_, is = err.(*ioError)
	return is
}

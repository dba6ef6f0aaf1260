package json

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
)

// formatting are the options by which Compact and Indent work.
const formatting = jsonflags.ReportErrorsWithLegacySemantics | jsonflags.AllowDuplicateNames |
	jsonflags.AllowInvalidUTF8 | jsonflags.PreserveRawStrings | 1

// Compact appends src without white space.
func Compact(dst *bytes.Buffer, src []byte) error {
	dst.Grow(len(src))
	b, err := jsontext.AppendFormat(dst.AvailableBuffer(), src, formatting)
	if err != nil {
		return syntaxError(err)
	}
	dst.Write(b)
	return nil
}

// Indent appends src with members and elements on lines of their own.
func Indent(dst *bytes.Buffer, src []byte, prefix, indent string) error {
	dst.Grow(2 * len(src))
	text, err := appendIndent(dst.AvailableBuffer(), src, prefix, indent)
	dst.Write(text)
	return err
}

func appendIndent(dst, src []byte, prefix, indent string) ([]byte, error) {
	start := len(dst)
	spaces := func(s string) string {
		if strings.Trim(s, " \t") == "" {
			return s
		}
		return strings.Repeat(" ", len(s))
	}
	// jsontext takes nothing but white space: what else is asked for is put in afterwards.
	other := spaces(prefix) != prefix || spaces(indent) != indent
	prefixSpaces, indentSpaces := prefix, indent
	if other {
		prefixSpaces = strings.Repeat(" ", len(prefix))
		indentSpaces = strings.Repeat(" ", len(indent))
	}
	dst, err := jsontext.AppendFormat(dst, src, formatting, jsontext.Multiline(true),
		jsontext.WithIndentPrefix(prefixSpaces), jsontext.WithIndent(indentSpaces))
	if err != nil {
		return dst[:start], syntaxError(err)
	}
	if rest := bytes.TrimRight(src, " \n\r\t"); len(rest) < len(src) {
		dst = append(dst, src[len(rest):]...)
	}
	if other {
		for b := dst[start:]; ; {
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				break
			}
			b = b[i+1:]
			gap := b[:len(b)-len(bytes.TrimLeft(b, " "))]
			b = b[len(gap):]
			gap = gap[copy(gap, prefix):]
			for len(gap) > 0 && indent != "" {
				gap = gap[copy(gap, indent):]
			}
		}
	}
	return dst, nil
}

// HTMLEscape appends src with what HTML minds in strings escaped.
func HTMLEscape(dst *bytes.Buffer, src []byte) {
	dst.Grow(len(src))
	start := 0
	for i, c := range src {
		// Of the characters U+2028 and U+2029 the last byte ends differently.
		var with string
		n := 1
		switch {
		case c == '<':
			with = `\u003c`
		case c == '>':
			with = `\u003e`
		case c == '&':
			with = `\u0026`
		case c == 0xE2 && endsLine(src[i+1:]):
			with = `\u2028`
			if src[i+2] == 0xA9 {
				with = `\u2029`
			}
			n = 3
		default:
			continue
		}
		dst.Write(src[start:i])
		dst.WriteString(with)
		start = i + n
	}
	dst.Write(src[start:])
}

// endsLine says whether b goes on as U+2028 and U+2029 do behind their first byte.
func endsLine(b []byte) bool { return len(b) >= 2 && b[0] == 0x80 && b[1]|1 == 0xA9 }

// RawMessage is a value as it is written.
type RawMessage = jsontext.Value

// Token is a Delim, bool, float64, Number, string or nil.
type Token any

// Delim is one of [ ] { }.
type Delim rune

func (d Delim) String() string { return string(d) }

// Decoder reads values.
type Decoder struct {
	dec  *jsontext.Decoder
	opts jsonopts.Struct
	err  error
	// peeked and ended say that InputOffset is further on.
	peeked, ended bool
}

// Decode stores in *v what the next value says.
func (dec *Decoder) Decode(v any) error {
	if dec.err == nil {
		val, err := dec.dec.ReadValue()
		if err == nil {
			dec.peeked, dec.ended = false, false
			return jsonv2.Unmarshal(val, v, &dec.opts)
		}
		// From here on there is nothing but this error.
		if dec.err = syntaxError(err); dec.err.Error() == unexpectedEnd {
			dec.err = io.ErrUnexpectedEOF
		}
	}
	return dec.err
}

// NewDecoder makes a decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder {
	// jsontext would take all that a buffer has.
	switch r.(type) {
	case *bytes.Buffer:
		r = struct{ io.Reader }{r}
	}
	return &Decoder{
		dec:  jsontext.NewDecoder(r, DefaultOptionsV1()),
		opts: jsonopts.DefaultOptionsV1,
	}
}

// DisallowUnknownFields has names without a field be an error.
func (dec *Decoder) DisallowUnknownFields() {
	dec.opts.Flags.Set(jsonflags.RejectUnknownMembers | 1)
}

// UseNumber has numbers be Numbers where there is no type.
func (dec *Decoder) UseNumber() { dec.opts.Flags.Set(jsonflags.UnmarshalAnyWithRawNumber | 1) }

// number makes a number what UseNumber asks for.
func (dec *Decoder) number(tok jsontext.Token) (Token, error) {
	if dec.opts.Flags.Get(jsonflags.UnmarshalAnyWithRawNumber) {
		return Number(tok.String()), nil
	}
	if f, err := tok.Float(); err == nil {
		return f, nil
	}
	e := &UnmarshalTypeError{Value: "number " + tok.String(), Type: reflect.TypeFor[float64]()}
	e.Offset = dec.InputOffset()
	return nil, e
}

// Token gives the next token.
func (dec *Decoder) Token() (Token, error) {
	if dec.err != nil {
		return nil, dec.err
	}
	next, err := dec.dec.ReadToken()
	if err != nil {
		return nil, dec.noToken(err)
	}
	dec.peeked, dec.ended = false, false
	switch k := next.Kind(); k {
	case jsontext.KindNull:
		return nil, nil
	case jsontext.KindNumber:
		return dec.number(next)
	case jsontext.KindString:
		return next.String(), nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return k == jsontext.KindTrue, nil
	default:
		return Delim(k), nil
	}
}

// noToken tells why there is none. Where a token could begin the text may simply end.
func (dec *Decoder) noToken(err error) error {
	if export.IsIOError(err) || !errors.Is(err, io.ErrUnexpectedEOF) {
		return syntaxError(err)
	}
	if len(bytes.Trim(dec.dec.UnreadBuffer(), " \r\n\t,:")) > 0 {
		return io.ErrUnexpectedEOF
	}
	dec.ended = true
	return io.EOF
}

// More says whether the array or object has more.
func (dec *Decoder) More() bool {
	dec.peeked = true
	if kind := dec.dec.PeekKind(); kind != jsontext.KindInvalid {
		return !strings.ContainsRune("]}", rune(kind))
	}
	return dec.trouble() != io.EOF
}

// trouble gives the error that a peek has met, which is told when the token is read.
func (dec *Decoder) trouble() error {
	if dec.err != nil {
		return dec.err
	}
	if _, err := dec.dec.ReadToken(); err == nil {
		dec.err = errors.New("json: successful read after failed peek")
	} else {
		dec.err = syntaxError(err)
	}
	return dec.err
}

// InputOffset says how far dec has read: to the end of a token, or the beginning of the next.
func (dec *Decoder) InputOffset() int64 {
	passed := 0
	if dec.peeked || dec.ended {
		unread := dec.dec.UnreadBuffer()
		n := len(unread) - len(bytes.TrimLeft(unread, " \n\r\t"))
		if n < len(unread) {
			passed = n
			if c := unread[n]; dec.ended && (c == ',' || c == ':') {
				passed++
			}
		}
	}
	return dec.dec.InputOffset() + int64(passed)
}

// Buffered gives what has been read and not decoded.
func (dec *Decoder) Buffered() io.Reader { return bytes.NewReader(dec.dec.UnreadBuffer()) }

// Encoder writes values, each on a line.
type Encoder struct {
	w              io.Writer
	opts           jsonopts.Struct
	err            error
	prefix, indent string
}

// NewEncoder makes an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder {
	return &Encoder{w: w, opts: jsonopts.DefaultOptionsV1}
}

// Encode writes v as JSON.
func (enc *Encoder) Encode(v any) error {
	if enc.err == nil {
		e := export.GetBufferedEncoder(&enc.opts)
		defer export.PutBufferedEncoder(e)
		if bad := jsonv2.MarshalEncode(e, v); bad != nil {
			return bad
		}
		line := export.Encoder(e).Buf
		if enc.indent != "" || enc.prefix != "" {
			var err error
			if line, err = appendIndent(nil, line, enc.prefix, enc.indent); err != nil {
				return err
			}
		}
		_, enc.err = enc.w.Write(append(line, '\n'))
	}
	return enc.err
}

// SetIndent has members and elements be on lines of their own.
func (enc *Encoder) SetIndent(prefix, indent string) { enc.prefix, enc.indent = prefix, indent }

// SetEscapeHTML says whether <, > and & are escaped.
func (enc *Encoder) SetEscapeHTML(on bool) {
	if on {
		enc.opts.Flags.Set(jsonflags.EscapeForHTML | 1)
	} else {
		enc.opts.Flags.Set(jsonflags.EscapeForHTML | 0)
	}
}

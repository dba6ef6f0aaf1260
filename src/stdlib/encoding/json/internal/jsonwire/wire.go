// Package jsonwire has what depends on how JSON is written, and on nothing else.
package jsonwire

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"encoding/json/internal/jsonflags"
)

// ValueFlags says what is special about a string.
type ValueFlags int

const (
	nonVerbatim ValueFlags = 1 << iota
	nonCanonical
)

// IsVerbatim says whether the string's text is what lies between its quotes.
func (f ValueFlags) IsVerbatim() bool { return f&nonVerbatim == 0 }

// What can be wrong with a token, as the natives tell it.
const (
	atEnd = 1 + iota
	badUTF8
	badEscape
	controlCharacter
	noQuote
	afterString
)

func skipSpace(b []byte) int
func scanString(b []byte, from int, validate bool) (n, flags, fault, length int)
func scanNumber(b []byte) (n, fault int)
func unquote(dst, src []byte) (b []byte, at, fault, length int)
func quote(dst []byte, src string, html, js bool) ([]byte, bool)
func needEscape(s string) bool
func rewriteString(dst, src []byte, flags, wish int) []byte
func rewriteNumber(dst, src []byte, wish int) []byte
func rewriteValue(dst, src []byte, depth, wish int, prefix, indent string) ([]byte, int)
func scanValue(
	b []byte, at, depth int, validate, last bool, state int, open []byte,
) (n, what, newState int, nowOpen []byte)

// HasDuplicates says whether an object of the valid value b has a name twice.
func HasDuplicates(b []byte) bool

// AppendFloat appends src as JavaScript writes numbers.
func AppendFloat(dst []byte, src float64, bits int) []byte

// ConsumeWhitespace gives the length of the white space at the front.
func ConsumeWhitespace(b []byte) int {
	if len(b) == 0 || b[0] > ' ' {
		return 0
	}
	return skipSpace(b)
}

// fault makes an error of what a native tells about b.
func fault(b []byte, at, what, length int) error {
	switch what {
	case 0:
		return nil
	case badUTF8:
		return ErrInvalidUTF8
	case badEscape:
		return NewInvalidEscapeSequenceError(b[at : at+length])
	case controlCharacter:
		return NewInvalidCharacterError(b[at:], "in string (expecting non-control character)")
	case noQuote:
		return NewInvalidCharacterError(b[at:], `at start of string (expecting '"')`)
	case afterString:
		return NewInvalidCharacterError(b[at:], "after string value")
	}
	return io.ErrUnexpectedEOF
}

// ConsumeString gives the length of the string at the front of b, of which from bytes are known.
func ConsumeString(b []byte, from int, validate bool) (int, ValueFlags, error) {
	n, flags, what, length := scanString(b, from, validate)
	if what != 0 {
		return n, ValueFlags(flags), fault(b, n, what, length)
	}
	return n, ValueFlags(flags), nil
}

// ConsumeNumber gives the length of the number at the front of b.
func ConsumeNumber(b []byte) (int, error) {
	n, what := scanNumber(b)
	switch what {
	case 1:
		return n, io.ErrUnexpectedEOF
	case 2:
		return n, NewInvalidCharacterError(b[n:], "in number (expecting digit)")
	}
	return n, nil
}

// ConsumeLiteral gives the length of lit, which the front of b should be.
func ConsumeLiteral(b []byte, lit string) (int, error) {
	n := min(len(b), len(lit))
	if string(b[:n]) == lit[:n] {
		if n < len(lit) {
			return n, io.ErrUnexpectedEOF
		}
		return n, nil
	}
	for n = 0; b[n] == lit[n]; n++ {
	}
	expected := strconv.QuoteRune(rune(lit[n]))
	return n, NewInvalidCharacterError(b[n:], "in literal "+lit+" (expecting "+expected+")")
}

// A Scan finds the end of a value of which more and more is known.
type Scan struct {
	state int
	open  []byte
}

// Resume goes on at b[at:]; last says that no more will come. It gives what lies behind the value,
// or where to go on if there is more to come. It is not ok if the value is not.
func (s *Scan) Resume(
	b []byte, at, depth int, validate, last bool,
) (n int, flags ValueFlags, more, ok bool) {
	n, what, state, open := scanValue(b, at, depth, validate, last, s.state, s.open)
	switch what {
	case 0:
		return n, ValueFlags(state), false, true
	case 1:
		s.state, s.open = state, open
		return n, 0, true, true
	}
	return 0, 0, false, false
}

// AppendUnquote appends the text of the string src. It does so even if src is not valid UTF-8.
func AppendUnquote(dst, src []byte) ([]byte, error) {
	b, at, what, length := unquote(dst, src)
	if what != 0 {
		return b, fault(src, at, what, length)
	}
	return b, nil
}

// UnquoteMayCopy gives the text of a valid string.
func UnquoteMayCopy(b []byte, isVerbatim bool) []byte {
	if isVerbatim {
		return b[1 : len(b)-1]
	}
	b, _, _, _ = unquote(nil, b)
	return b
}

// NeedEscape says whether a string with this text might be written with escapes.
func NeedEscape(s string) bool { return needEscape(s) }

// AppendQuote appends a string with the text src.
func AppendQuote(dst []byte, src string, flags *jsonflags.Flags) ([]byte, error) {
	html, js := flags.Get(jsonflags.EscapeForHTML), flags.Get(jsonflags.EscapeForJS)
	dst, good := quote(dst, src, html, js)
	if good || flags.Get(jsonflags.AllowInvalidUTF8) {
		return dst, nil
	}
	return dst, ErrInvalidUTF8
}

// wishes has the bits of options as the natives take them.
func wishes(flags *jsonflags.Flags) int {
	wish := 0
	for i, flag := range [...]jsonflags.Bools{
		jsonflags.AllowInvalidUTF8,
		jsonflags.AllowDuplicateNames,
		jsonflags.PreserveRawStrings,
		jsonflags.EscapeForHTML,
		jsonflags.EscapeForJS,
		jsonflags.CanonicalizeRawInts,
		jsonflags.CanonicalizeRawFloats,
		jsonflags.Multiline,
		jsonflags.SpaceAfterColon,
		jsonflags.SpaceAfterComma,
	} {
		if flags.Get(flag) {
			wish |= 1 << i
		}
	}
	return wish
}

// ReformatString appends the string at the front of src as the flags ask.
func ReformatString(dst, src []byte, flags *jsonflags.Flags) ([]byte, int, error) {
	size, what, err := ConsumeString(src, 0, !flags.Get(jsonflags.AllowInvalidUTF8))
	switch {
	case err != nil:
	case needEscape(string(src[1 : size-1])):
		dst = rewriteString(dst, src[:size], int(what), wishes(flags))
	default:
		dst = append(dst, src[:size]...)
	}
	return dst, size, err
}

// ReformatNumber appends the number at the front of src as the flags ask.
func ReformatNumber(dst, src []byte, flags *jsonflags.Flags) ([]byte, int, error) {
	size, err := ConsumeNumber(src)
	switch {
	case err != nil:
	case flags.Get(jsonflags.CanonicalizeNumbers):
		dst = rewriteNumber(dst, src[:size], wishes(flags))
	default:
		dst = append(dst, src[:size]...)
	}
	return dst, size, err
}

// ReformatValue appends the value at the front of src as the flags ask, which is depth levels down.
// It gives -1 if something is wrong with it.
func ReformatValue(
	dst, src []byte, depth int, flags *jsonflags.Flags, prefix, indent string,
) ([]byte, int) {
	return rewriteValue(dst, src, depth, wishes(flags), prefix, indent)
}

// ParseUint reads a number of digits alone. One that is too large is math.MaxUint64, and not ok.
func ParseUint(b []byte) (uint64, bool) {
	if len(b) == 0 || b[0] == '0' && len(b) > 1 {
		return 0, false
	}
	var v uint64
	for _, c := range b {
		if c < '0' || '9' < c {
			return 0, false
		}
		v = v*10 + uint64(c-'0')
	}
	if len(b) > 20 || len(b) == 20 && (b[0] != '1' || v < 1e19) {
		return math.MaxUint64, false
	}
	return v, true
}

// TrimSuffixWhitespace cuts white space off the end.
func TrimSuffixWhitespace(b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] > ' ' {
		return b
	}
	return bytes.TrimRight(b, " \t\r\n")
}

// TrimSuffixString cuts a string off the end: back to a quote that is not escaped.
func TrimSuffixString(b []byte) []byte {
	for end := len(b) - 1; end > 0; {
		if end = bytes.LastIndexByte(b[:end], '"'); end > 0 && b[end-1] != '\\' {
			return b[:end]
		}
	}
	return b[:0]
}

// QuoteRune quotes the first character of b, or byte if it is none.
func QuoteRune(b []byte) string {
	first, size := utf8.DecodeRune(b)
	if first != utf8.RuneError || size != 1 {
		return strconv.QuoteRune(first)
	}
	return `'\x` + strconv.FormatUint(uint64(b[0]), 16) + `'`
}

// HasSuffixByte says whether b ends with c.
func HasSuffixByte(b []byte, c byte) bool {
	last := len(b) - 1
	return last >= 0 && b[last] == c
}

// TrimSuffixByte cuts a c off the end, if there is one.
func TrimSuffixByte(b []byte, c byte) []byte {
	if last := len(b) - 1; last >= 0 && b[last] == c {
		b = b[:last]
	}
	return b
}

// rank gives the place of the first character of s in the order of UTF-16, which is that of its
// units: a surrogate pair lies before U+E000. A byte that is no character lies at U+FFFD, among
// others by its value. The size is that of the character.
func rank(s []byte) (place uint32, size int) {
	r, size := utf8.DecodeRune(s)
	place = uint32(r) << 16
	if r == utf8.RuneError {
		place |= uint32(s[0])
	} else if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		place = uint32(high)<<16 | uint32(low)
	}
	return place, size
}

// CompareUTF16 compares texts by their UTF-16 units.
func CompareUTF16(x, y []byte) int {
	for len(x) > 0 && len(y) > 0 {
		a, n := rank(x)
		b, m := rank(y)
		if a != b {
			return cmp.Compare(a, b)
		}
		x, y = x[n:], y[m:]
	}
	return cmp.Compare(len(x), len(y))
}

var ErrInvalidUTF8 = errors.New("invalid UTF-8")

// InvalidTextError is an error about a piece of text.
type InvalidTextError struct {
	Label string
	What  string
	Where string
}

// NewInvalidCharacterError is about the first character of b.
func NewInvalidCharacterError(b []byte, where string) error {
	_, n := utf8.DecodeRune(b)
	return &InvalidTextError{"character", string(b[:n]), where}
}

// NewInvalidEscapeSequenceError is about an escape, or a pair of them.
func NewInvalidEscapeSequenceError(what []byte) error {
	label := "escape sequence"
	if len(what) > 6 {
		label = "surrogate pair"
	}
	return &InvalidTextError{label, string(what), "in string"}
}

func (e *InvalidTextError) Error() string {
	text := "invalid " + e.Label + " " + quotePiece(e.What)
	if e.Where != "" {
		text += " " + e.Where
	}
	return text
}

// quotePiece quotes a piece of text as briefly as it can be.
func quotePiece(s string) string {
	if utf8.RuneCountInString(s) == 1 {
		return QuoteRune([]byte(s))
	}
	for _, r := range s {
		// Of what IsPrint lets pass the space is the only one that is white.
		if r == ' ' || r == '`' || r == utf8.RuneError || !unicode.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return "`" + s + "`"
}

// TruncatePointer shortens a pointer to about n bytes by leaving out the middle. The parts that are
// cut into are told by a "…" each, and all between them by another one.
func TruncatePointer(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from, to := n/2, len(s)-n/2
	if slash := strings.LastIndexByte(s[:from], '/'); slash > 0 {
		from = slash
	}
	if slash := strings.IndexByte(s[to:], '/'); slash >= 0 {
		to += slash + 1
	}
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	parts := strings.Split(s[from:to], "/")
	last := len(parts) - 1
	if last > 2 {
		parts = []string{parts[0], "", parts[last]}
		last = 2
	}
	for i, part := range parts {
		if part != "" || 0 < i && i < last {
			parts[i] = "…"
		}
	}
	return s[:from] + strings.Join(parts, "/") + s[to:]
}

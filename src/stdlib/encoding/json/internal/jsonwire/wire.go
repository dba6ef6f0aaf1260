// Package jsonwire has what depends on how JSON is written, and on nothing else.
package jsonwire

import (
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
	if !good && !flags.Get(jsonflags.AllowInvalidUTF8) {
		return dst, ErrInvalidUTF8
	}
	return dst, nil
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
	n, what, err := ConsumeString(src, 0, !flags.Get(jsonflags.AllowInvalidUTF8))
	if err != nil {
		return dst, n, err
	}
	if !needEscape(string(src[1 : n-1])) {
		return append(dst, src[:n]...), n, nil
	}
	return rewriteString(dst, src[:n], int(what), wishes(flags)), n, nil
}

// ReformatNumber appends the number at the front of src as the flags ask.
func ReformatNumber(dst, src []byte, flags *jsonflags.Flags) ([]byte, int, error) {
	n, err := ConsumeNumber(src)
	if err != nil {
		return dst, n, err
	}
	if !flags.Get(jsonflags.CanonicalizeNumbers) {
		return append(dst, src[:n]...), n, nil
	}
	return rewriteNumber(dst, src[:n], wishes(flags)), n, nil
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
	n := len(b)
	for n > 0 && (b[n-1] == ' ' || b[n-1] == '\t' || b[n-1] == '\r' || b[n-1] == '\n') {
		n--
	}
	return b[:n]
}

// TrimSuffixString cuts a string off the end.
func TrimSuffixString(b []byte) []byte {
	n := max(len(b)-1, 0)
	for n > 0 && !(b[n-1] == '"' && (n < 2 || b[n-2] != '\\')) {
		n--
	}
	return b[:max(n-1, 0)]
}

// TrimSuffixByte cuts a c off the end, if there is one.
func TrimSuffixByte(b []byte, c byte) []byte {
	if HasSuffixByte(b, c) {
		return b[:len(b)-1]
	}
	return b
}

// HasSuffixByte says whether b ends with c.
func HasSuffixByte(b []byte, c byte) bool {
	return len(b) > 0 && b[len(b)-1] == c
}

// QuoteRune quotes the first character of b, or byte if it is none.
func QuoteRune(b []byte) string {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 {
		return `'\x` + strconv.FormatUint(uint64(b[0]), 16) + `'`
	}
	return strconv.QuoteRune(r)
}

// units gives the first UTF-16 unit of what s begins with, how many bytes that is, and whether it
// is a character.
func unit(s []byte) (rune, int, bool) {
	r, n := utf8.DecodeRune(s)
	bad := r == utf8.RuneError && n == 1
	if high, _ := utf16.EncodeRune(r); r > 0xFFFF {
		return high, n, !bad
	}
	return r, n, !bad
}

// CompareUTF16 compares texts by their UTF-16 units.
func CompareUTF16(x, y []byte) int {
	for len(x) > 0 && len(y) > 0 {
		rx, nx, okx := unit(x)
		ry, ny, oky := unit(y)
		if rx != ry {
			return cmp.Compare(rx, ry)
		}
		if nx == 4 && ny == 4 {
			rx, _ = utf8.DecodeRune(x)
			ry, _ = utf8.DecodeRune(y)
			if rx != ry {
				return cmp.Compare(rx, ry)
			}
		}
		if (!okx || !oky) && x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[nx:], y[ny:]
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
	what := "`" + e.What + "`"
	if utf8.RuneCountInString(e.What) == 1 {
		what = QuoteRune([]byte(e.What))
	} else if strings.ContainsFunc(e.What, func(r rune) bool {
		return r == '`' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}) {
		what = strconv.Quote(e.What)
	}
	return strings.TrimSuffix("invalid "+e.Label+" "+what+" "+e.Where, " ")
}

// TruncatePointer shortens a pointer to about n bytes by leaving out the middle.
func TruncatePointer(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i, j := n/2, len(s)-n/2
	if k := strings.LastIndexByte(s[:i], '/'); k > 0 {
		i = k
	}
	if k := strings.IndexByte(s[j:], '/'); k >= 0 {
		j += k + 1
	}
	for r, w := utf8.DecodeLastRuneInString(s[:i]); i > 0 && r == utf8.RuneError && w == 1; {
		i--
		r, w = utf8.DecodeLastRuneInString(s[:i])
	}
	for r, w := utf8.DecodeRuneInString(s[j:]); j < len(s) && r == utf8.RuneError && w == 1; {
		j++
		r, w = utf8.DecodeRuneInString(s[j:])
	}
	cut := s[i:j]
	slashes := strings.Count(cut, "/")
	if slashes == 0 {
		return s[:i] + "…" + s[j:]
	}
	middle := "…/…"
	if slashes > 1 {
		middle = "…/…/…"
	}
	if cut[0] == '/' {
		middle = strings.TrimPrefix(middle, "…")
	}
	if cut[len(cut)-1] == '/' {
		middle = strings.TrimSuffix(middle, "…")
	}
	return s[:i] + middle + s[j:]
}

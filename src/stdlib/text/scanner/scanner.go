// Package scanner: the tokens of a text, which are those of Go unless one asks for others.
package scanner

import (
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf8"
)

// A Position is valid if it has a line. Columns count characters.
type Position struct {
	Filename string
	Offset   int
	Line     int
	Column   int
}

func (pos *Position) IsValid() bool { return pos.Line > 0 }

func (pos Position) String() string {
	name := pos.Filename
	if name == "" {
		name = "<input>"
	}
	if !pos.IsValid() {
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, pos.Line, pos.Column)
}

// What Scan returns for tokens that are no single characters.
const (
	EOF = -(iota + 1)
	Ident
	Int
	Float
	Char
	String
	RawString
	Comment
	skipComment
)

// Which tokens are known; a Scanner's Mode. With SkipComments comments are white space.
const (
	ScanIdents     = 1 << -Ident
	ScanInts       = 1 << -Int
	ScanFloats     = 1 << -Float
	ScanChars      = 1 << -Char
	ScanStrings    = 1 << -String
	ScanRawStrings = 1 << -RawString
	ScanComments   = 1 << -Comment
	SkipComments   = 1 << -skipComment
	GoTokens       = ScanIdents | ScanFloats | ScanChars | ScanStrings | ScanRawStrings |
		ScanComments | SkipComments
)

// GoWhitespace is the white space of Go, a bit for each character.
const GoWhitespace = 1<<'\t' | 1<<'\n' | 1<<'\r' | 1<<' '

var tokenNames = [...]string{
	"EOF", "Ident", "Int", "Float", "Char", "String", "RawString", "Comment",
}

// TokenString is the name of a token, or the quoted character.
func TokenString(tok rune) string {
	if tok < 0 && int(-tok) <= len(tokenNames) {
		return tokenNames[-tok-1]
	}
	return fmt.Sprintf("%q", string(tok))
}

// notRead is the current character before the first one has been read.
const notRead = -2

// A Scanner reads tokens. Its Position is that of the token that was read last. The fields can be
// set after Init, which sets Error to nil (errors are printed), Mode to GoTokens and Whitespace to
// GoWhitespace.
type Scanner struct {
	src  io.Reader
	buf  []byte
	pos  int // what is read next, in buf
	base int // the offset of buf[0]
	// The token's text in buf; first is negative if there is none.
	first, end int

	line, column int
	lastColumn   int  // that of the end of the line before
	size         int  // of the current character
	ch           rune // the current character

	Error       func(s *Scanner, msg string)
	ErrorCount  int
	Mode        uint
	Whitespace  uint64
	IsIdentRune func(ch rune, i int) bool
	Position
}

func (s *Scanner) Init(src io.Reader) *Scanner {
	s.src, s.buf, s.pos, s.base, s.first = src, s.buf[:0], 0, 0, -1
	s.line, s.column, s.lastColumn, s.size, s.ch = 1, 0, 0, 0, notRead
	s.Error, s.ErrorCount = nil, 0
	s.Mode, s.Whitespace = GoTokens, GoWhitespace
	s.Line = 0
	return s
}

const chunk = 1024

// fill reads on, and keeps what is unread, and the token.
func (s *Scanner) fill() error {
	keep := s.pos
	if s.first >= 0 {
		keep = s.first
		s.first = 0
		s.end -= keep
	}
	n := copy(s.buf[:cap(s.buf)], s.buf[keep:])
	s.base += keep
	s.pos -= keep
	s.buf = s.buf[:n]
	if cap(s.buf)-n < chunk {
		s.buf = append(make([]byte, 0, 2*(n+chunk)), s.buf...)
	}
	read, err := s.src.Read(s.buf[n : n+chunk])
	s.buf = s.buf[:n+read]
	return err
}

// next reads the next character.
func (s *Scanner) next() rune {
	var ch rune
	size := 1
	if s.pos < len(s.buf) && s.buf[s.pos] < utf8.RuneSelf {
		ch = rune(s.buf[s.pos])
	} else {
		for !utf8.FullRune(s.buf[s.pos:]) {
			err := s.fill()
			if err == nil {
				continue
			}
			if err != io.EOF {
				s.error(err.Error())
			}
			if s.pos == len(s.buf) {
				if s.size > 0 {
					s.column++
				}
				s.size = 0
				return EOF
			}
			break
		}
		ch, size = utf8.DecodeRune(s.buf[s.pos:])
	}
	s.pos += size
	s.size = size
	s.column++
	switch {
	case ch == utf8.RuneError && size == 1:
		s.error("invalid UTF-8 encoding")
	case ch == 0:
		s.error("invalid character NUL")
	case ch == '\n':
		s.line++
		s.lastColumn, s.column = s.column, 0
	}
	return ch
}

// Next reads a character, which is no token.
func (s *Scanner) Next() rune {
	s.first = -1
	s.Line = 0
	ch := s.Peek()
	if ch != EOF {
		s.ch = s.next()
	}
	return ch
}

// Peek gives the next character without reading it. A byte order mark at the start is not seen.
func (s *Scanner) Peek() rune {
	if s.ch == notRead {
		s.ch = s.next()
		if s.ch == '\uFEFF' {
			s.ch = s.next()
		}
	}
	return s.ch
}

// The token ends before the current character.
func (s *Scanner) endToken() { s.end = s.pos - s.size }

func (s *Scanner) error(msg string) {
	s.endToken()
	s.ErrorCount++
	if s.Error != nil {
		s.Error(s, msg)
		return
	}
	pos := s.Position
	if !pos.IsValid() {
		pos = s.Pos()
	}
	fmt.Fprintf(os.Stderr, "%s: %s\n", pos, msg)
}

// Pos is where the character begins that is read next, or the one behind the token.
func (s *Scanner) Pos() (pos Position) {
	line, column := s.place()
	if s.column == 0 && s.lastColumn == 0 {
		line, column = 1, 1
	}
	return Position{s.Filename, s.base + s.pos - s.size, line, column}
}

// place is the line and column of the current character.
func (s *Scanner) place() (line, column int) {
	if s.column > 0 {
		return s.line, s.column
	}
	return s.line - 1, s.lastColumn
}

// TokenText is the text of the token that was read last; so far, if it is called by Error.
func (s *Scanner) TokenText() string {
	if s.first < 0 {
		return ""
	}
	return string(s.buf[s.first:max(s.first, s.end)])
}

func (s *Scanner) beginsIdent(ch rune, i int) bool {
	if s.IsIdentRune != nil {
		return ch != EOF && s.IsIdentRune(ch, i)
	}
	return ch == '_' || unicode.IsLetter(ch) || unicode.IsDigit(ch) && i > 0
}

// Scan reads a token.
func (s *Scanner) Scan() rune {
	ch := s.Peek()
	s.first = -1
	s.Line = 0
	for {
		for s.Whitespace&(1<<uint(ch)) != 0 {
			ch = s.next()
		}
		s.first = s.pos - s.size
		s.Offset = s.base + s.first
		s.Line, s.Column = s.place()
		tok, next := s.token(ch)
		ch = next
		if tok != skipComment {
			s.endToken()
			s.ch = ch
			return tok
		}
	}
}

// token reads the token that begins with ch; it returns the character behind it, too.
func (s *Scanner) token(ch rune) (tok, next rune) {
	does := func(mode uint) bool { return s.Mode&mode != 0 }
	if s.beginsIdent(ch, 0) {
		if !does(ScanIdents) {
			return ch, s.next()
		}
		next = s.next()
		for i := 1; s.beginsIdent(next, i); i++ {
			next = s.next()
		}
		return Ident, next
	}
	if isDecimal(ch) {
		if !does(ScanInts | ScanFloats) {
			return ch, s.next()
		}
		return s.number(ch, false)
	}
	tok = ch
	switch ch {
	case EOF:
		return EOF, EOF
	case '"':
		if does(ScanStrings) {
			s.quoted('"')
			tok = String
		}
	case '\'':
		if does(ScanChars) {
			if s.quoted('\'') != 1 {
				s.error("invalid char literal")
			}
			tok = Char
		}
	case '`':
		if does(ScanRawStrings) {
			s.raw()
			tok = RawString
		}
	case '.':
		next = s.next()
		if isDecimal(next) && does(ScanFloats) {
			return s.number(next, true)
		}
		return ch, next
	case '/':
		next = s.next()
		if next != '/' && next != '*' || !does(ScanComments) {
			return ch, next
		}
		tok = Comment
		if does(SkipComments) {
			s.first = -1
			tok = skipComment
		}
		return tok, s.comment(next)
	}
	return tok, s.next()
}

// comment reads a comment, whose second character is ch.
func (s *Scanner) comment(ch rune) rune {
	if ch == '/' {
		for ch = s.next(); ch != '\n' && ch >= 0; {
			ch = s.next()
		}
		return ch
	}
	last := rune(0)
	for ch = s.next(); ch >= 0; ch = s.next() {
		if last == '*' && ch == '/' {
			return s.next()
		}
		last = ch
	}
	s.error("comment not terminated")
	return ch
}

func (s *Scanner) raw() {
	for ch := s.next(); ch != '`'; ch = s.next() {
		if ch < 0 {
			s.error("literal not terminated")
			return
		}
	}
}

// quoted reads up to a quote, and counts the characters.
func (s *Scanner) quoted(quote rune) (n int) {
	for ch := s.next(); ch != quote; n++ {
		switch {
		case ch == '\n' || ch < 0:
			s.error("literal not terminated")
			return n
		case ch == '\\':
			ch = s.escape(quote)
		default:
			ch = s.next()
		}
	}
	return n
}

// escape reads what follows a backslash, and returns the character behind that.
func (s *Scanner) escape(quote rune) rune {
	ch := s.next()
	base, n := 16, 0
	switch ch {
	case 'a', 'b', 'f', 'n', 'r', 't', 'v', '\\', quote:
		return s.next()
	case '0', '1', '2', '3', '4', '5', '6', '7':
		base, n = 8, 3
	case 'x':
		n = 2
	case 'u':
		n = 4
	case 'U':
		n = 8
	default:
		s.error("invalid char escape")
		return ch
	}
	if base == 16 {
		ch = s.next()
	}
	for ; n > 0 && digit(ch) < base; n-- {
		ch = s.next()
	}
	if n > 0 {
		s.error("invalid char escape")
	}
	return ch
}

func isDecimal(ch rune) bool { return '0' <= ch && ch <= '9' }

func lower(ch rune) rune { return ch | 0x20 }

// digit is the value of a digit, 16 of other characters.
func digit(ch rune) int {
	switch l := lower(ch); {
	case isDecimal(ch):
		return int(ch - '0')
	case 'a' <= l && l <= 'f':
		return int(l - 'a' + 10)
	}
	return 16
}

// digits reads digits and underscores. Decimal digits that the base does not have are taken, too;
// the first one is kept in bad.
func (s *Scanner) digits(ch rune, base int, bad *rune) (next rune, any, separated bool) {
	all := max(base, 10)
	for ; ch == '_' || digit(ch) < all; ch = s.next() {
		if ch == '_' {
			separated = true
			continue
		}
		any = true
		if digit(ch) >= base && *bad == 0 {
			*bad = ch
		}
	}
	return ch, any, separated
}

var literals = map[rune]string{
	0: "decimal literal", 'x': "hexadecimal literal", 'o': "octal literal", '0': "octal literal",
	'b': "binary literal",
}

// number reads a number that begins with ch, behind a point if hasPoint is set.
func (s *Scanner) number(ch rune, hasPoint bool) (tok, next rune) {
	tok = Int
	base, prefix := 10, rune(0)
	var bad rune
	var hasDigits, isSeparated bool
	take := func(base int) bool {
		var any, separated bool
		ch, any, separated = s.digits(ch, base, &bad)
		isSeparated = isSeparated || separated
		return any
	}
	if !hasPoint {
		if ch == '0' {
			ch = s.next()
			switch l := lower(ch); l {
			case 'x', 'o', 'b':
				prefix = l
				base = map[rune]int{'x': 16, 'o': 8, 'b': 2}[l]
				ch = s.next()
			default:
				base, prefix, hasDigits = 8, '0', true
			}
		}
		hasDigits = take(base) || hasDigits
		if ch == '.' && s.Mode&ScanFloats != 0 {
			ch = s.next()
			hasPoint = true
		}
	}
	if hasPoint {
		tok = Float
		if prefix == 'o' || prefix == 'b' {
			s.error("invalid radix point in " + literals[prefix])
		}
		hasDigits = take(base) || hasDigits
	}
	if !hasDigits {
		s.error(literals[prefix] + " has no digits")
	}
	if e := lower(ch); (e == 'e' || e == 'p') && s.Mode&ScanFloats != 0 {
		switch {
		case e == 'e' && prefix != 0 && prefix != '0':
			s.error(fmt.Sprintf("%q exponent requires decimal mantissa", ch))
		case e == 'p' && prefix != 'x':
			s.error(fmt.Sprintf("%q exponent requires hexadecimal mantissa", ch))
		}
		ch = s.next()
		tok = Float
		if ch == '+' || ch == '-' {
			ch = s.next()
		}
		if !take(10) {
			s.error("exponent has no digits")
		}
	} else if prefix == 'x' && tok == Float {
		s.error("hexadecimal mantissa requires a 'p' exponent")
	}
	if tok == Int && bad != 0 {
		s.error(fmt.Sprintf("invalid digit %q in %s", bad, literals[prefix]))
	}
	if isSeparated {
		s.endToken()
		if !separates(s.TokenText()) {
			s.error("'_' must separate successive digits")
		}
	}
	return tok, ch
}

// separates says whether each underscore of a number stands between digits, or between the base and
// a digit.
func separates(text string) bool {
	isHex := false
	before := false // a digit, or the base
	i := 0
	if len(text) >= 2 && text[0] == '0' {
		switch lower(rune(text[1])) {
		case 'x':
			isHex = true
			fallthrough
		case 'o', 'b':
			before = true
			i = 2
		}
	}
	for isOpen := false; i <= len(text); i++ {
		if i == len(text) {
			return !isOpen
		}
		ch := rune(text[i])
		isDigit := isDecimal(ch) || isHex && digit(ch) < 16
		if ch == '_' {
			if !before {
				return false
			}
		} else if isOpen && !isDigit {
			return false
		}
		before = isDigit
		isOpen = ch == '_'
	}
	return true
}

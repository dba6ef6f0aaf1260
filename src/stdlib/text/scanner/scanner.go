// Package scanner: the tokens of a text, which are those of Go unless one asks for others.
//
// A Scanner holds one character, the next one, and knows where it is. A token is read by the
// routine for its first character, which takes characters and returns the token's kind; the
// character that is then the next one is the first behind the token. An input keeps the bytes of
// the token until the next one begins.
package scanner

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Position is a place in a text. It is valid if it has a line. Columns count characters.
type Position struct {
	Filename string
	Offset   int // in bytes
	Line     int
	Column   int
}

// IsValid says whether the position is one.
func (pos *Position) IsValid() bool { return pos.Line > 0 }

func (pos Position) String() string {
	text := "<input>"
	if pos.Filename != "" {
		text = pos.Filename
	}
	if pos.IsValid() {
		text += ":" + strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.Column)
	}
	return text
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
	skipped // a comment that is white space
)

// Which tokens are known; a Scanner's Mode. With SkipComments comments are white space.
const (
	ScanIdents     = 1 << -Ident
	ScanInts       = 1 << -Int
	ScanFloats     = 1 << -Float // and ScanInts
	ScanChars      = 1 << -Char
	ScanStrings    = 1 << -String
	ScanRawStrings = 1 << -RawString
	ScanComments   = 1 << -Comment
	SkipComments   = 1 << -skipped
	GoTokens       = ScanIdents | ScanFloats | ScanChars | ScanStrings | ScanRawStrings |
		ScanComments | SkipComments
)

// GoWhitespace is the white space of Go, a bit for each character.
const GoWhitespace = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'

var tokenNames = [...]string{
	-EOF: "EOF", -Ident: "Ident", -Int: "Int", -Float: "Float", -Char: "Char",
	-String: "String", -RawString: "RawString", -Comment: "Comment",
}

// TokenString is the name of a token, or the quoted character.
func TokenString(tok rune) string {
	if i := -int(tok); i > 0 && i < len(tokenNames) {
		return tokenNames[i]
	}
	return strconv.Quote(string(tok))
}

// An input is the bytes of a source that are still needed.
type input struct {
	source io.Reader
	bytes  []byte
	offset int // of the first of the bytes
	at     int // of the bytes that have not been taken
	token  int // of the token's first one, or -1
	end    int // of the token
}

const readSize = 1024

// more reads bytes behind those that are needed: the token's, and those not taken.
func (in *input) more() error {
	needed := in.at
	if in.token >= 0 {
		needed = in.token
		in.token, in.end = 0, in.end-needed
	}
	in.offset, in.at = in.offset+needed, in.at-needed
	left := in.bytes[needed:]
	if cap(in.bytes) < len(left)+readSize {
		in.bytes = make([]byte, 2*(len(left)+readSize))
	}
	n := copy(in.bytes[:cap(in.bytes)], left)
	got, err := in.source.Read(in.bytes[n : n+readSize : n+readSize])
	in.bytes = in.bytes[:n+got]
	return err
}

// take takes a character; size is 0 at the end. err is what the source has said but io.EOF.
func (in *input) take() (ch rune, size int, err error) {
	rest := in.bytes[in.at:]
	for err == nil && !utf8.FullRune(rest) {
		err = in.more()
		rest = in.bytes[in.at:]
	}
	if err == io.EOF {
		err = nil
	}
	if len(rest) > 0 {
		ch, size = utf8.DecodeRune(rest)
		in.at += size
	}
	return ch, size, err
}

// unread is the next character before any has been read.
const unread = -2

// A Scanner reads tokens. Its Position is that of the token that was read last. The fields can be
// set after Init, which sets Error to nil (errors are printed), Mode to GoTokens and Whitespace to
// GoWhitespace.
type Scanner struct {
	in   input
	ch   rune // the next character
	size int  // of that, in bytes

	line, column int
	lineEnd      int // the column at the end of the line before

	Error       func(s *Scanner, msg string)
	ErrorCount  int
	Mode        uint   // which tokens are known
	Whitespace  uint64 // what is skipped, a bit for each character
	IsIdentRune func(ch rune, i int) bool
	Position
}

// Init makes a Scanner read from src.
func (s *Scanner) Init(src io.Reader) *Scanner {
	s.in = input{source: src, bytes: s.in.bytes[:0], token: -1}
	s.ch, s.size = unread, 0
	s.line, s.column, s.lineEnd = 1, 0, 0
	s.Mode, s.Whitespace = GoTokens, GoWhitespace
	s.Error, s.ErrorCount, s.Line = nil, 0, 0
	return s
}

// next goes to the next character, and returns it.
func (s *Scanner) next() rune {
	if in := &s.in; in.at < len(in.bytes) {
		if b := in.bytes[in.at]; '\n' < b && b < utf8.RuneSelf {
			in.at++
			s.column++
			s.ch, s.size = rune(b), 1
			return s.ch
		}
	}
	return s.nextOfAny()
}

// skip goes to the last of the characters behind the next one that are in a set, as far as they
// have been read. All of them must be of ASCII, and not end lines. It returns how many it has
// passed.
func (s *Scanner) skip(isIn func(b byte) bool) int {
	rest := s.in.bytes[s.in.at:]
	n := 0
	for n < len(rest) && isIn(rest[n]) {
		n++
	}
	if n > 0 {
		s.in.at += n
		s.column += n
		s.ch, s.size = rune(rest[n-1]), 1
	}
	return n
}

func isPlainIdent(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || '0' <= b && b <= '9'
}

// isProse is for what means nothing in comments and between quotes.
func isProse(b byte) bool {
	return ' ' <= b && b < 0x7f && b != '*' && b != '"' && b != '\'' && b != '\\' && b != '`'
}

// nextOfAny is next for all characters, and the end.
func (s *Scanner) nextOfAny() rune {
	ch, size, err := s.in.take()
	if err != nil {
		s.error(err.Error())
	}
	if size == 0 {
		// The end is in a column of its own.
		s.column += min(s.size, 1)
		s.ch, s.size = EOF, 0
		return EOF
	}
	s.ch, s.size = ch, size
	s.column++
	if ch == '\n' {
		s.line, s.lineEnd, s.column = s.line+1, s.column, 0
	}
	if ch == 0 {
		s.error("invalid character NUL")
	}
	if ch == utf8.RuneError && size == 1 {
		s.error("invalid UTF-8 encoding")
	}
	return ch
}

// Peek gives the next character without reading it. A byte order mark at the start is not seen.
func (s *Scanner) Peek() rune {
	if s.ch == unread && s.next() == '\uFEFF' {
		s.next()
	}
	return s.ch
}

// forget makes the Scanner have no token.
func (s *Scanner) forget() {
	s.in.token, s.Line = -1, 0
}

// Next reads a character, which is no token.
func (s *Scanner) Next() rune {
	s.forget()
	ch := s.Peek()
	if ch != EOF {
		s.next()
	}
	return ch
}

// endToken makes the token end before the next character.
func (s *Scanner) endToken() { s.in.end = s.in.at - s.size }

// TokenText is the text of the token that was read last; so far, if it is called by Error.
func (s *Scanner) TokenText() string {
	if in := &s.in; in.token >= 0 && in.end > in.token {
		return string(in.bytes[in.token:in.end])
	}
	return ""
}

// place is the line and column of the next character.
func (s *Scanner) place() (line, column int) {
	if s.column == 0 {
		return s.line - 1, s.lineEnd
	}
	return s.line, s.column
}

// Pos is where the character begins that is read next, or the one behind the token.
func (s *Scanner) Pos() (pos Position) {
	pos.Filename = s.Filename
	pos.Offset = s.in.offset + s.in.at - s.size
	if pos.Line, pos.Column = s.place(); pos.Column == 0 {
		pos.Line, pos.Column = 1, 1 // nothing has been read
	}
	return pos
}

func (s *Scanner) error(msg string) {
	s.ErrorCount++
	s.endToken()
	if report := s.Error; report != nil {
		report(s, msg)
	} else {
		at := s.Position
		if s.Line <= 0 {
			at = s.Pos()
		}
		fmt.Fprintln(os.Stderr, at.String()+": "+msg)
	}
}

// Scan reads a token.
func (s *Scanner) Scan() rune {
	s.Peek()
	s.forget()
	for {
		for s.Whitespace>>uint(s.ch)&1 != 0 {
			s.next()
		}
		s.in.token = s.in.at - s.size
		s.Offset = s.in.offset + s.in.token
		s.Line, s.Column = s.place()
		if tok := s.scanToken(); tok != skipped {
			s.endToken()
			return tok
		}
	}
}

// knows says whether tokens of one of some modes are known.
func (s *Scanner) knows(modes uint) bool { return s.Mode&modes != 0 }

// inIdent says whether the next character can be the i'th of an identifier.
func (s *Scanner) inIdent(i int) bool {
	if s.IsIdentRune == nil {
		return s.ch == '_' || unicode.IsLetter(s.ch) || i > 0 && unicode.IsDigit(s.ch)
	}
	return s.ch != EOF && s.IsIdentRune(s.ch, i)
}

// A lexeme is what may begin with a character: it is read if one of the modes is set.
type lexeme struct {
	modes uint
	read  func(s *Scanner) rune // returns the token, from behind the first character on
}

var lexemes = [utf8.RuneSelf]lexeme{
	'"':  {ScanStrings, (*Scanner).stringToken},
	'\'': {ScanChars, (*Scanner).charToken},
	'`':  {ScanRawStrings, (*Scanner).rawToken},
	'/':  {ScanComments, (*Scanner).commentToken},
	'.':  {ScanFloats, (*Scanner).fractionToken},
}

// scanToken reads the token that begins with the next character.
func (s *Scanner) scanToken() rune {
	first := s.ch
	isIdent, isNumber := s.inIdent(0), isNumeral(first)
	if isIdent && s.IsIdentRune == nil && s.knows(ScanIdents) {
		s.skip(isPlainIdent)
	}
	if first == EOF && !isIdent {
		return EOF
	}
	if isNumber && !isIdent && s.knows(ScanInts|ScanFloats) {
		return s.number(false)
	}
	s.next()
	switch {
	case isIdent && s.knows(ScanIdents):
		for i := 1; s.inIdent(i); i++ {
			s.next()
		}
		return Ident
	case !isIdent && first >= 0 && int(first) < len(lexemes):
		if l := &lexemes[first]; s.knows(l.modes) {
			return l.read(s)
		}
	}
	return first
}

const unterminated = "literal not terminated"

func (s *Scanner) stringToken() rune {
	s.quoted('"')
	s.next()
	return String
}

func (s *Scanner) charToken() rune {
	if s.quoted('\'') != 1 {
		s.error("invalid char literal")
	}
	s.next()
	return Char
}

func (s *Scanner) rawToken() rune {
	for s.ch != '`' && s.ch != EOF {
		s.next()
	}
	if s.ch == EOF {
		s.error(unterminated)
	}
	s.next()
	return RawString
}

func (s *Scanner) fractionToken() rune {
	if isNumeral(s.ch) {
		return s.number(true)
	}
	return '.'
}

func (s *Scanner) commentToken() (tok rune) {
	second := s.ch
	if second != '/' && second != '*' {
		return '/'
	}
	if tok = Comment; s.knows(SkipComments) {
		tok = skipped
		s.in.token = -1
	}
	s.next()
	if second == '/' {
		for s.ch != '\n' && s.ch != EOF {
			s.skip(isProse)
			s.next()
		}
		return tok
	}
	for before := rune(0); before != '*' || s.ch != '/'; {
		if s.ch == EOF {
			s.error("comment not terminated")
			return tok
		}
		if s.ch != '*' {
			s.skip(isProse)
		}
		before = s.ch
		s.next()
	}
	s.next()
	return tok
}

// quoted reads up to a quote, and counts the characters.
func (s *Scanner) quoted(quote rune) (count int) {
	for s.ch != quote {
		if s.ch == '\n' || s.ch == EOF {
			s.error(unterminated)
			break
		}
		count++
		if s.ch == '\\' {
			s.next()
			s.escape(quote)
		} else {
			count += s.skip(isProse)
			s.next()
		}
	}
	return count
}

// escape reads what follows a backslash: a letter, or digits, of which there must be enough.
func (s *Scanner) escape(quote rune) {
	base, count := 16, 0
	switch {
	case s.ch == quote, s.ch > 0 && strings.ContainsRune(`abfnrtv\`, s.ch):
		s.next()
		return
	case '0' <= s.ch && s.ch < '8':
		base, count = 8, 3
	default:
		if size := strings.IndexRune("xuU", s.ch); size >= 0 {
			count = 2 << size
			s.next()
		}
	}
	isWrong := count == 0
	for ; count > 0 && !isWrong; count-- {
		if isWrong = digit(s.ch) >= base; !isWrong {
			s.next()
		}
	}
	if isWrong {
		s.error("invalid char escape")
	}
}

// Numbers:

func isNumeral(ch rune) bool { return '0' <= ch && ch <= '9' }

// digit is the value of a digit, 16 of other characters.
func digit(ch rune) int {
	const digits = "0123456789abcdef"
	if ch < utf8.RuneSelf && ch >= '0' {
		if value := strings.IndexByte(digits, byte(ch)|0x20); value >= 0 {
			return value
		}
	}
	return len(digits)
}

// A notation is how numbers with a prefix are written.
type notation struct {
	prefix   rune // the letter behind a 0
	base     int
	exponent rune // the letter that it begins with
	name     string
}

var (
	plain     = notation{0, 10, 'e', "decimal literal"}
	notations = [...]notation{
		{'x', 16, 'p', "hexadecimal literal"}, {'b', 2, 0, "binary literal"},
		{'o', 8, 0, "octal literal"}, {0, 8, 'e', "octal literal"},
	}
)

// A numeral is what has been read of a number.
type numeral struct {
	*notation
	wrong       rune // the first digit that the base does not have
	hasDigits   bool
	isSeparated bool // by underscores
}

// digits reads digits, decimal ones in any case, and underscores; it says whether there are digits.
func (s *Scanner) digits(n *numeral, base int) (any bool) {
	for ; s.ch == '_' || digit(s.ch) < max(base, 10); s.next() {
		if s.ch == '_' {
			n.isSeparated = true
			continue
		}
		any = true
		if n.wrong == 0 && digit(s.ch) >= base {
			n.wrong = s.ch
		}
	}
	return any
}

// number reads a number; if it isFraction, from behind its point on.
func (s *Scanner) number(isFraction bool) rune {
	n := numeral{notation: &plain}
	tok, hasFloats := rune(Int), s.knows(ScanFloats)
	if !isFraction {
		if s.ch == '0' {
			s.prefix(&n)
		}
		n.hasDigits = s.digits(&n, n.base) || n.hasDigits
		if isFraction = hasFloats && s.ch == '.'; isFraction {
			s.next()
		}
	}
	if isFraction {
		tok = Float
		if n.exponent == 0 {
			s.error("invalid radix point in " + n.name)
		}
		n.hasDigits = s.digits(&n, n.base) || n.hasDigits
	}
	if !n.hasDigits {
		s.error(n.name + " has no digits")
	}
	switch letter := s.ch | 0x20; {
	case hasFloats && (letter == 'e' || letter == 'p'):
		tok = Float
		s.exponent(&n, letter)
	case tok == Float && n.exponent == 'p':
		s.error("hexadecimal mantissa requires a 'p' exponent")
	}
	if n.wrong != 0 && tok == Int {
		s.error(fmt.Sprintf("invalid digit %q in %s", n.wrong, n.name))
	}
	if n.isSeparated {
		if s.endToken(); !isWellSeparated(s.TokenText()) {
			s.error("'_' must separate successive digits")
		}
	}
	return tok
}

// prefix reads a 0 that may begin a prefix.
func (s *Scanner) prefix(n *numeral) {
	letter := s.next() | 0x20
	for i := range notations {
		n.notation = &notations[i]
		if n.prefix == letter {
			s.next()
			return
		}
	}
	n.hasDigits = true // it is one itself
}

func (s *Scanner) exponent(n *numeral, letter rune) {
	if letter != n.exponent {
		of := "decimal"
		if letter == 'p' {
			of = "hexadecimal"
		}
		s.error(fmt.Sprintf("%q exponent requires %s mantissa", s.ch, of))
	}
	if sign := s.next(); sign == '+' || sign == '-' {
		s.next()
	}
	if !s.digits(n, 10) {
		s.error("exponent has no digits")
	}
}

// isWellSeparated says whether each underscore of a number stands between digits. A prefix counts
// as one.
func isWellSeparated(number string) bool {
	isDigit := func(b byte) bool { return isNumeral(rune(b)) }
	if len(number) > 1 && number[0] == '0' && strings.IndexByte("xob", number[1]|0x20) >= 0 {
		if number[1]|0x20 == 'x' {
			isDigit = func(b byte) bool { return digit(rune(b)) < 16 }
		}
		number = "0" + number[2:]
	}
	for i := range len(number) {
		if number[i] == '_' && (i == 0 || i+1 == len(number) ||
			!isDigit(number[i-1]) || !isDigit(number[i+1])) {
			return false
		}
	}
	return true
}

// Package scanner takes Go's source text apart into tokens.
package scanner

import (
	"bytes"
	"fmt"
	"go/token"
	"path/filepath"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// ErrorHandler is told of each error.
type ErrorHandler func(pos token.Position, msg string)

// Mode is a set of ScanComments.
type Mode uint

// ScanComments has Scan return comments.
const ScanComments Mode = 1

const (
	bom = '\uFEFF'
	eof = -1
)

// Scanner is at a place of a source text, behind the token that Scan returned last.
type Scanner struct {
	file *token.File
	src  []byte
	err  ErrorHandler
	mode Mode

	ch      rune // the one at offset; eof at the end
	offset  int
	after   int       // offset of what follows ch
	line    int       // where the line began
	ends    bool      // would a newline end a statement?
	newline token.Pos // of the semicolon that a comment of several lines leaves behind it

	ErrorCount int // how many errors there were

	end    token.Pos // of the last token,
	endSet bool      // if that is not at offset
}

// Init starts on src, which is the text of file.
func (s *Scanner) Init(file *token.File, src []byte, err ErrorHandler, mode Mode) {
	if file.Size() != len(src) {
		panic(fmt.Sprintf("file size (%d) does not match src len (%d)", file.Size(), len(src)))
	}
	*s = Scanner{file: file, src: src, err: err, mode: mode, ch: ' ', endSet: true}
	s.next()
	if s.ch == bom {
		s.next()
	}
}

func (s *Scanner) error(offset int, msg string) {
	if s.err != nil {
		s.err(s.file.Position(s.file.Pos(offset)), msg)
	}
	s.ErrorCount++
}

func (s *Scanner) errorf(offset int, format string, args ...any) {
	s.error(offset, fmt.Sprintf(format, args...))
}

// next goes on by one character.
func (s *Scanner) next() {
	s.offset = min(s.after, len(s.src))
	if s.ch == '\n' {
		s.line = s.offset
		s.file.AddLine(s.offset)
	}
	if s.after >= len(s.src) {
		s.ch = eof
		return
	}
	c := s.src[s.after]
	if 0 < c && c < utf8.RuneSelf {
		s.ch = rune(c)
		s.after++
		return
	}
	if c == 0 {
		s.error(s.offset, "illegal character NUL")
		s.ch = 0
		s.after++
		return
	}
	rest := s.src[s.after:]
	r, width := utf8.DecodeRune(rest)
	if r == utf8.RuneError && width == 1 {
		wide := bytes.HasPrefix(rest, []byte("\xff\xfe")) || bytes.HasPrefix(rest, []byte("\xfe\xff"))
		if s.offset == 0 && wide {
			s.error(0, "illegal UTF-8 encoding (got UTF-16)")
			s.after += len(rest) // one error is enough
		} else {
			s.error(s.offset, "illegal UTF-8 encoding")
		}
	} else if r == bom && s.offset > 0 {
		s.error(s.offset, "illegal byte order mark")
	}
	s.ch = r
	s.after += width
}

// peek returns the byte behind ch, 0 at the end.
func (s *Scanner) peek() byte {
	if s.after < len(s.src) {
		return s.src[s.after]
	}
	return 0
}

// End returns the place behind the token that Scan returned last.
func (s *Scanner) End() token.Pos {
	if s.endSet {
		return s.end
	}
	return s.file.Pos(s.offset)
}

func lower(ch rune) rune { return ch | 0x20 }

func isDecimal(ch rune) bool { return '0' <= ch && ch <= '9' }

func isHex(ch rune) bool { return isDecimal(ch) || 'a' <= lower(ch) && lower(ch) <= 'f' }

func isLetter(ch rune) bool {
	if ch < utf8.RuneSelf {
		return 'a' <= lower(ch) && lower(ch) <= 'z' || ch == '_'
	}
	return unicode.IsLetter(ch)
}

func isDigit(ch rune) bool {
	return isDecimal(ch) || ch >= utf8.RuneSelf && unicode.IsDigit(ch)
}

// Scan returns the next token, its place and, of a name, a literal, a comment, a semicolon
// and what is illegal, its text.
func (s *Scanner) Scan() (pos token.Pos, tok token.Token, lit string) {
	for {
		pos, tok, lit = s.scan()
		if tok != token.COMMENT || s.mode&ScanComments != 0 {
			return pos, tok, lit
		}
	}
}

func (s *Scanner) scan() (pos token.Pos, tok token.Token, lit string) {
	s.endSet = false
	if pos = s.newline; pos != token.NoPos {
		s.newline = token.NoPos
		s.end, s.endSet = pos+1, true
		return pos, token.SEMICOLON, "\n"
	}
	for s.ch == ' ' || s.ch == '\t' || s.ch == '\r' || s.ch == '\n' && !s.ends {
		s.next()
	}
	pos = s.file.Pos(s.offset)
	ch := s.ch
	if isLetter(ch) {
		lit = s.identifier()
		tok = token.Lookup(lit)
		switch tok {
		case token.IDENT, token.BREAK, token.CONTINUE, token.FALLTHROUGH, token.RETURN:
			s.ends = true
		default:
			s.ends = false
		}
		return pos, tok, lit
	}
	if isDecimal(ch) || ch == '.' && isDecimal(rune(s.peek())) {
		s.ends = true
		tok, lit = s.number()
		return pos, tok, lit
	}
	start := s.offset
	s.next()
	ended := s.ends
	s.ends = false
	switch ch {
	case eof:
		if ended {
			return pos, token.SEMICOLON, "\n"
		}
		return pos, token.EOF, ""
	case '\n':
		return pos, token.SEMICOLON, "\n"
	case '"':
		s.ends = true
		return pos, token.STRING, s.string(start)
	case '`':
		s.ends = true
		return pos, token.STRING, s.rawString(start)
	case '\'':
		s.ends = true
		return pos, token.CHAR, s.char(start)
	case ';':
		return pos, token.SEMICOLON, ";"
	case '/':
		if s.ch == '/' || s.ch == '*' {
			lit, newline := s.comment(start)
			if ended && newline > 0 {
				s.newline = s.file.Pos(newline)
			} else {
				s.ends = ended
			}
			return pos, token.COMMENT, lit
		}
	}
	if tok = s.operator(ch); tok != token.ILLEGAL {
		switch tok {
		case token.RPAREN, token.RBRACK, token.RBRACE, token.INC, token.DEC:
			s.ends = true
		}
		return pos, tok, ""
	}
	s.ends = ended
	switch ch {
	case bom: // next has said so
	case '“', '”':
		s.errorf(start, "curly quotation mark %q (use neutral %q)", ch, '"')
	default:
		s.errorf(start, "illegal character %#U", ch)
	}
	return pos, token.ILLEGAL, string(ch)
}

// then returns with if ch is want, which it takes, and else without.
func (s *Scanner) then(want rune, with, without token.Token) token.Token {
	if s.ch != want {
		return without
	}
	s.next()
	return with
}

// thenEither is then with two characters to choose from.
func (s *Scanner) thenEither(one rune, with token.Token, other rune, withOther,
	without token.Token) token.Token {
	if s.ch == one {
		s.next()
		return with
	}
	return s.then(other, withOther, without)
}

// operator returns the operator or delimiter that begins with first, which is taken already.
func (s *Scanner) operator(first rune) token.Token {
	switch first {
	case '(':
		return token.LPAREN
	case ')':
		return token.RPAREN
	case '[':
		return token.LBRACK
	case ']':
		return token.RBRACK
	case '{':
		return token.LBRACE
	case '}':
		return token.RBRACE
	case ',':
		return token.COMMA
	case '~':
		return token.TILDE
	case '.':
		if s.ch == '.' && s.peek() == '.' {
			s.next()
			s.next()
			return token.ELLIPSIS
		}
		return token.PERIOD
	case ':':
		return s.then('=', token.DEFINE, token.COLON)
	case '=':
		return s.then('=', token.EQL, token.ASSIGN)
	case '!':
		return s.then('=', token.NEQ, token.NOT)
	case '*':
		return s.then('=', token.MUL_ASSIGN, token.MUL)
	case '/':
		return s.then('=', token.QUO_ASSIGN, token.QUO)
	case '%':
		return s.then('=', token.REM_ASSIGN, token.REM)
	case '^':
		return s.then('=', token.XOR_ASSIGN, token.XOR)
	case '+':
		return s.thenEither('+', token.INC, '=', token.ADD_ASSIGN, token.ADD)
	case '-':
		return s.thenEither('-', token.DEC, '=', token.SUB_ASSIGN, token.SUB)
	case '|':
		return s.thenEither('|', token.LOR, '=', token.OR_ASSIGN, token.OR)
	case '&':
		if s.ch == '^' {
			s.next()
			return s.then('=', token.AND_NOT_ASSIGN, token.AND_NOT)
		}
		return s.thenEither('&', token.LAND, '=', token.AND_ASSIGN, token.AND)
	case '<':
		if s.ch == '<' {
			s.next()
			return s.then('=', token.SHL_ASSIGN, token.SHL)
		}
		return s.thenEither('-', token.ARROW, '=', token.LEQ, token.LSS)
	case '>':
		if s.ch == '>' {
			s.next()
			return s.then('=', token.SHR_ASSIGN, token.SHR)
		}
		return s.then('=', token.GEQ, token.GTR)
	}
	return token.ILLEGAL
}

func (s *Scanner) identifier() string {
	start := s.offset
	for i := s.after; i < len(s.src); i++ {
		c := s.src[i]
		if c != '_' && !isDecimal(rune(c)) && (lower(rune(c)) < 'a' || 'z' < lower(rune(c))) {
			s.after = i
			break
		}
		s.after = i + 1
	}
	s.next()
	for isLetter(s.ch) || isDigit(s.ch) {
		s.next()
	}
	return string(s.src[start:s.offset])
}

// digits takes digits and underscores, and says what it has seen; invalid gets the offset of
// the first digit that base has not.
func (s *Scanner) digits(base rune, invalid *int) (digit, underscore bool) {
	for {
		switch {
		case s.ch == '_':
			underscore = true
		case isDecimal(s.ch):
			digit = true
			if s.ch >= '0'+base && *invalid < 0 {
				*invalid = s.offset
			}
		case base == 16 && isHex(s.ch):
			digit = true
		default:
			return digit, underscore
		}
		s.next()
	}
}

func (s *Scanner) number() (token.Token, string) {
	start, invalid := s.offset, -1
	tok := token.ILLEGAL
	base, name := rune(10), "decimal literal"
	octal := false // by a 0 in front
	var digit, underscore bool
	if s.ch != '.' {
		tok = token.INT
		if s.ch == '0' {
			s.next()
			switch lower(s.ch) {
			case 'x':
				base, name = 16, "hexadecimal literal"
			case 'o':
				base, name = 8, "octal literal"
			case 'b':
				base, name = 2, "binary literal"
			default:
				base, name, octal = 8, "octal literal", true
			}
			if !octal {
				s.next()
			}
		}
		digit, underscore = s.digits(base, &invalid)
		digit = digit || octal
	}
	if s.ch == '.' {
		tok = token.FLOAT
		if base < 10 && !octal {
			s.error(s.offset, "invalid radix point in "+name)
		}
		s.next()
		d, u := s.digits(base, &invalid)
		digit, underscore = digit || d, underscore || u
	}
	if !digit {
		s.error(s.offset, name+" has no digits")
	}
	if e := lower(s.ch); e == 'e' || e == 'p' {
		if e == 'e' && base != 10 && !octal {
			s.errorf(s.offset, "%q exponent requires decimal mantissa", s.ch)
		} else if e == 'p' && base != 16 {
			s.errorf(s.offset, "%q exponent requires hexadecimal mantissa", s.ch)
		}
		s.next()
		tok = token.FLOAT
		if s.ch == '+' || s.ch == '-' {
			s.next()
		}
		ignored := 0
		d, u := s.digits(10, &ignored)
		underscore = underscore || u
		if !d {
			s.error(s.offset, "exponent has no digits")
		}
	} else if base == 16 && tok == token.FLOAT {
		s.error(s.offset, "hexadecimal mantissa requires a 'p' exponent")
	}
	if s.ch == 'i' {
		tok = token.IMAG
		s.next()
	}
	lit := string(s.src[start:s.offset])
	if tok == token.INT && invalid >= 0 {
		s.errorf(invalid, "invalid digit %q in %s", lit[invalid-start], name)
	}
	if underscore {
		if i := badUnderscore(lit, base == 16, base != 10 && !octal); i >= 0 {
			s.error(start+i, "'_' must separate successive digits")
		}
	}
	return tok, lit
}

// badUnderscore returns where lit has an underscore that is not between digits, or -1. The
// letter of a prefix counts as a digit.
func badUnderscore(lit string, hex, prefixed bool) int {
	i := 0
	digit, under := false, false // what the last character was
	if prefixed {
		i, digit = 2, true
	}
	for ; i < len(lit); i++ {
		c := rune(lit[i])
		switch {
		case c == '_':
			if !digit {
				return i
			}
			digit, under = false, true
		case isDecimal(c) || hex && isHex(c):
			digit, under = true, false
		default:
			if under {
				return i - 1
			}
			digit = false
		}
	}
	if under {
		return len(lit) - 1
	}
	return -1
}

// escape takes what follows a backslash, and says whether it was in order.
func (s *Scanner) escape(quote rune) bool {
	start := s.offset
	digits, base, limit := 0, rune(16), rune(unicode.MaxRune)
	switch s.ch {
	case 'a', 'b', 'f', 'n', 'r', 't', 'v', '\\', quote:
		s.next()
		return true
	case '0', '1', '2', '3', '4', '5', '6', '7':
		digits, base, limit = 3, 8, 255
	case 'x':
		digits, limit = 2, 255
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case eof:
		s.error(start, "escape sequence not terminated")
		return false
	default:
		s.error(start, "unknown escape sequence")
		return false
	}
	if base == 16 {
		s.next()
	}
	value := int64(0)
	for range digits {
		d := rune(16)
		if isDecimal(s.ch) {
			d = s.ch - '0'
		} else if isHex(s.ch) {
			d = lower(s.ch) - 'a' + 10
		}
		if d >= base {
			if s.ch == eof {
				s.error(s.offset, "escape sequence not terminated")
			} else {
				s.errorf(s.offset, "illegal character %#U in escape sequence", s.ch)
			}
			return false
		}
		value = value*int64(base) + int64(d)
		s.next()
	}
	if value > int64(limit) || 0xD800 <= value && value < 0xE000 {
		s.error(start, "escape sequence is invalid Unicode code point")
		return false
	}
	return true
}

func (s *Scanner) char(start int) string {
	good, n := true, 0
	for {
		ch := s.ch
		if ch == '\n' || ch == eof {
			if good {
				s.error(start, "rune literal not terminated")
			}
			good = false
			break
		}
		s.next()
		if ch == '\'' {
			break
		}
		n++
		if ch == '\\' && !s.escape('\'') {
			good = false
		}
	}
	if good && n != 1 {
		s.error(start, "illegal rune literal")
	}
	return string(s.src[start:s.offset])
}

func (s *Scanner) string(start int) string {
	for {
		ch := s.ch
		if ch == '\n' || ch == eof {
			s.error(start, "string literal not terminated")
			break
		}
		s.next()
		if ch == '"' {
			break
		}
		if ch == '\\' {
			s.escape('"')
		}
	}
	return string(s.src[start:s.offset])
}

func (s *Scanner) rawString(start int) string {
	for {
		ch := s.ch
		if ch == eof {
			s.error(start, "raw string literal not terminated")
			break
		}
		s.next()
		if ch == '`' {
			break
		}
	}
	return string(bytes.ReplaceAll(s.src[start:s.offset], []byte("\r"), nil))
}

// comment returns a comment's text, and the offset of the first newline in it, else 0.
func (s *Scanner) comment(start int) (string, int) {
	newline, follows := 0, -1
	if s.ch == '/' {
		for s.ch != '\n' && s.ch != eof {
			s.next()
		}
		follows = s.offset
		if s.ch == '\n' {
			follows++
		}
	} else {
		s.next()
		for s.ch != eof && follows < 0 {
			ch := s.ch
			if ch == '\n' && newline == 0 {
				newline = s.offset
			}
			s.next()
			if ch == '*' && s.ch == '/' {
				s.next()
				follows = s.offset
			}
		}
		if follows < 0 {
			s.error(start, "comment not terminated")
		}
	}
	text := s.src[start:s.offset]
	long := text[1] == '*'
	if !long {
		text = bytes.TrimSuffix(text, []byte("\r"))
	}
	if follows >= 0 && (long || start == s.line) && bytes.HasPrefix(text[2:], []byte("line ")) {
		s.lineComment(start, follows, text)
	}
	if bytes.IndexByte(text, '\r') >= 0 {
		text = withoutReturns(text, long)
	}
	return string(text), newline
}

// withoutReturns drops carriage returns, but for those whose lack would end the comment.
func withoutReturns(text []byte, long bool) []byte {
	var kept []byte
	for i, c := range text {
		guards := long && len(kept) > len("/*") && kept[len(kept)-1] == '*' &&
			i+1 < len(text) && text[i+1] == '/'
		if c != '\r' || guards {
			kept = append(kept, c)
		}
	}
	return kept
}

// lineComment does what a `//line` comment asks for from offset follows on.
func (s *Scanner) lineComment(start, follows int, text []byte) {
	if text[1] == '*' {
		text = text[:len(text)-len("*/")]
	}
	const intro = len("//line ")
	text = text[intro:]
	start += intro
	i, n, ok := numberAtEnd(text)
	if i == 0 {
		return
	}
	if !ok {
		s.error(start+i, "invalid line number: "+string(text[i:]))
		return
	}
	const most = 1 << 30
	line, column := n, 0
	j, m, both := numberAtEnd(text[:i-1])
	if both {
		i, j = j, i
		line, column = m, n
		if column == 0 || column > most {
			s.error(start+j, "invalid column number: "+string(text[j:]))
			return
		}
		text = text[:j-1]
	}
	if line == 0 || line > most {
		s.error(start+i, "invalid line number: "+string(text[i:]))
		return
	}
	name := string(text[:i-1])
	if name == "" && both {
		name = s.file.Position(s.file.Pos(start)).Filename
	} else if name != "" {
		name = filepath.Clean(name)
		if !filepath.IsAbs(name) {
			dir, _ := filepath.Split(s.file.Name())
			name = filepath.Join(dir, name)
		}
	}
	s.file.AddLineColumnInfo(follows, name, line, column)
}

// numberAtEnd returns the number behind the last colon, and where it begins; 0 without colon.
func numberAtEnd(text []byte) (int, int, bool) {
	i := bytes.LastIndexByte(text, ':') + 1
	if i == 0 {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(string(text[i:]), 10, 0)
	return i, int(n), err == nil
}

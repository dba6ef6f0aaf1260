// Package scanner takes Go's source text apart into tokens.
//
// A Scanner is at a character of the text. There are two ways to go on from there: next goes to
// the following character, whatever it is, decodes it, notes where lines begin and tells what is
// wrong with the encoding; run goes over ASCII characters of a set at one go, which is how names,
// blanks, strings and comments are mostly taken. What a token is depends on its first character;
// operators are taken by a table of what may follow what (operators.go), and numbers by a
// function that knows only their text (numbers.go).
//
// Text of tokens is cut out of one copy of the source.
package scanner

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
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
	eof = -1
	bom = '\uFEFF'
)

// set is a set of ASCII characters, without NUL.
type set [2]uint64

func (s *set) has(c byte) bool { return c < utf8.RuneSelf && s[c>>6]>>(c&63)&1 != 0 }

var (
	blanks  = set{1<<' ' | 1<<'\t' | 1<<'\r'}
	letters = set{0, (1<<26-1)<<('A'-64) | (1<<26-1)<<('a'-64) | 1<<('_'-64)}
	word    = set{(1<<10 - 1) << '0', letters[1]}

	inLine   = set{^uint64(1 | 1<<'\n'), ^uint64(0)}
	inBlock  = set{^uint64(1 | 1<<'\n' | 1<<'*'), ^uint64(0)}
	inRaw    = set{^uint64(1 | 1<<'\n'), ^uint64(1 << ('`' - 64))}
	inString = set{^uint64(1 | 1<<'\n' | 1<<'"'), ^uint64(1 << ('\\' - 64))}
)

// Scanner is at a place of a source text, behind the token that Scan returned last.
type Scanner struct {
	file *token.File
	text string
	mode Mode
	err  ErrorHandler

	ErrorCount int // how many errors there were

	offset int  // of the current character,
	ch     rune // which is that, or eof,
	after  int  // and where the next one is
	begin  int  // where the current line begins

	ends    bool      // would a newline end a statement?
	pending token.Pos // of the semicolon that a comment of several lines leaves behind it

	end   token.Pos // of the last token,
	known bool      // if that is not the current place
}

// Init starts on src, which is the text of file.
func (s *Scanner) Init(file *token.File, src []byte, err ErrorHandler, mode Mode) {
	if size := file.Size(); size != len(src) {
		panic(fmt.Sprintf("file size (%d) does not match src len (%d)", size, len(src)))
	}
	*s = Scanner{file: file, text: string(src), mode: mode, err: err, known: true}
	if s.next(); s.ch == bom {
		s.next()
	}
}

// error tells of an error at an offset.
func (s *Scanner) error(offset int, msg string) {
	if tell := s.err; tell != nil {
		tell(s.file.Position(s.file.Pos(offset)), msg)
	}
	s.ErrorCount++
}

// next goes on by one character.
func (s *Scanner) next() {
	ended := s.ch == '\n'
	s.offset = s.after
	if ended {
		s.begin = s.offset
		s.file.AddLine(s.offset)
	}
	if s.offset >= len(s.text) {
		s.ch = eof
	} else if c := s.text[s.offset]; c-1 < utf8.RuneSelf-1 {
		s.ch = rune(c)
		s.after = s.offset + 1
	} else {
		s.decode()
	}
}

// decode takes a character that is not ASCII, or NUL.
func (s *Scanner) decode() {
	rest := s.text[s.offset:]
	width := 0
	s.ch, width = utf8.DecodeRuneInString(rest)
	s.after += width
	switch {
	case s.ch == 0:
		s.error(s.offset, "illegal character NUL")
	case s.ch == bom && s.offset > 0:
		s.error(s.offset, "illegal byte order mark")
	case s.ch != utf8.RuneError || width > 1:
	case s.offset == 0 && (strings.HasPrefix(rest, "\xfe\xff") || strings.HasPrefix(rest, "\xff\xfe")):
		s.error(0, "illegal UTF-8 encoding (got UTF-16)")
		s.after = len(s.text) // one error is enough
	default:
		s.error(s.offset, "illegal UTF-8 encoding")
	}
}

// run goes over the characters of a set, from the current one on.
func (s *Scanner) run(over *set) {
	i := s.offset
	for i < len(s.text) && over.has(s.text[i]) {
		i++
	}
	if i > s.offset {
		s.after = i
		s.next()
	}
}

// End returns the place behind the token that Scan returned last.
func (s *Scanner) End() token.Pos {
	if !s.known {
		return s.file.Pos(s.offset)
	}
	return s.end
}

// Scan returns the next token, its place and, of a name, a literal, a comment, a semicolon
// and what is illegal, its text.
func (s *Scanner) Scan() (pos token.Pos, tok token.Token, lit string) {
	if s.known = s.pending.IsValid(); s.known {
		pos = s.pending
		s.pending, s.end = token.NoPos, pos+1
		return pos, token.SEMICOLON, "\n"
	}
	for s.run(&blanks); s.ch == '\n' && !s.ends; s.run(&blanks) {
		s.next()
	}
	start := s.offset
	pos = s.file.Pos(start)
	switch ch := s.ch; {
	case s.atLetter():
		lit = s.name()
		tok = token.Lookup(lit)
	case s.atNumber():
		tok = s.number()
		lit = s.text[start:s.offset]
	default:
		s.next()
		tok, lit = s.symbol(ch, start)
		if tok == token.COMMENT && s.mode&ScanComments == 0 {
			return s.Scan()
		}
	}
	if tok != token.COMMENT && tok != token.ILLEGAL {
		s.ends = ending.has(tok)
	}
	return pos, tok, lit
}

// atLetter says whether a name begins here.
func (s *Scanner) atLetter() bool {
	if s.ch >= utf8.RuneSelf {
		return unicode.IsLetter(s.ch)
	}
	return s.ch > 0 && letters.has(byte(s.ch))
}

// atNumber says whether a number begins here: with a digit, or with a point before one.
func (s *Scanner) atNumber() bool {
	c := s.ch
	if c == '.' && s.after < len(s.text) {
		c = rune(s.text[s.after])
	}
	return '0' <= c && c <= '9'
}

func (s *Scanner) name() string {
	start := s.offset
	for {
		s.run(&word)
		if s.ch < utf8.RuneSelf || !unicode.IsLetter(s.ch) && !unicode.IsDigit(s.ch) {
			return s.text[start:s.offset]
		}
		s.next()
	}
}

// symbol takes a token that begins with ch, which is taken already and is of no name or number.
func (s *Scanner) symbol(ch rune, start int) (tok token.Token, lit string) {
	switch ch {
	case '\n':
		return token.SEMICOLON, "\n"
	case ';':
		return token.SEMICOLON, ";"
	case '"':
		s.quoted(start)
		return token.STRING, s.text[start:s.offset]
	case '\'':
		s.char(start)
		return token.CHAR, s.text[start:s.offset]
	case '`':
		return token.STRING, s.raw(start)
	case eof:
		if s.ends {
			return token.SEMICOLON, "\n"
		}
		return token.EOF, ""
	case '/':
		if s.ch == '/' || s.ch == '*' {
			return token.COMMENT, s.comment(start)
		}
	}
	if tok = s.operator(ch); tok == token.ILLEGAL {
		lit = string(ch)
		s.illegal(ch, start)
	}
	return tok, lit
}

// illegal tells that no token begins with ch.
func (s *Scanner) illegal(ch rune, offset int) {
	switch ch {
	case bom: // decode has told
	case '“', '”':
		s.error(offset, fmt.Sprintf("curly quotation mark %q (use neutral %q)", ch, '"'))
	default:
		s.error(offset, fmt.Sprintf("illegal character %#U", ch))
	}
}

// escapes has the numeric escapes by their first character: how many digits of what base they
// have, and the largest value. An octal one begins with a digit.
var escapes = [...]struct {
	digits, base int
	most         uint32
}{
	'0': {3, 8, 255}, '1': {3, 8, 255}, '2': {3, 8, 255}, '3': {3, 8, 255},
	'4': {3, 8, 255}, '5': {3, 8, 255}, '6': {3, 8, 255}, '7': {3, 8, 255},
	'x': {2, 16, 255}, 'u': {4, 16, unicode.MaxRune}, 'U': {8, 16, unicode.MaxRune},
}

// escape takes what follows a backslash, and says whether it was in order.
func (s *Scanner) escape(quote rune) bool {
	const unfinished = "escape sequence not terminated"
	start, first := s.offset, s.ch
	if first == eof {
		s.error(start, unfinished)
		return false
	}
	if first == quote || first < utf8.RuneSelf && strings.ContainsRune(`abfnrtv\`, first) {
		s.next()
		return true
	}
	if int(first) >= len(escapes) || escapes[first].digits == 0 {
		s.error(start, "unknown escape sequence")
		return false
	}
	form := &escapes[first]
	if form.base > 8 {
		s.next() // the letter
	}
	value := uint32(0)
	for range form.digits {
		d := digitValue(s.ch)
		if d >= form.base {
			msg := unfinished
			if s.ch != eof {
				msg = fmt.Sprintf("illegal character %#U in escape sequence", s.ch)
			}
			s.error(s.offset, msg)
			return false
		}
		value = value*uint32(form.base) + uint32(d)
		s.next()
	}
	if value > form.most || value&^0x7FF == 0xD800 {
		s.error(start, "escape sequence is invalid Unicode code point")
		return false
	}
	return true
}

// char takes a character literal, of which the quote is taken. There is one error at most.
func (s *Scanner) char(start int) {
	chars, told := 0, false
	for s.ch != '\'' {
		if s.ch == eof || s.ch == '\n' {
			if !told {
				s.error(start, "rune literal not terminated")
			}
			return
		}
		chars++
		escaped := s.ch == '\\'
		if s.next(); escaped && !s.escape('\'') {
			told = true
		}
	}
	if s.next(); chars != 1 && !told {
		s.error(start, "illegal rune literal")
	}
}

// quoted takes a string literal, of which the quote is taken.
func (s *Scanner) quoted(start int) {
	for s.run(&inString); s.ch != '"'; s.run(&inString) {
		escaped := s.ch == '\\'
		if s.ch == '\n' || s.ch == eof {
			s.error(start, "string literal not terminated")
			return
		}
		if s.next(); escaped {
			s.escape('"')
		}
	}
	s.next()
}

// raw takes a raw string literal, of which the quote is taken; carriage returns are not part
// of it.
func (s *Scanner) raw(start int) string {
	for s.run(&inRaw); s.ch != '`' && s.ch != eof; s.run(&inRaw) {
		s.next()
	}
	if s.ch == eof {
		s.error(start, "raw string literal not terminated")
	} else {
		s.next()
	}
	return strings.ReplaceAll(s.text[start:s.offset], "\r", "")
}

// comment takes a comment, of which the first slash is taken, and does what it asks for. If a
// newline in it ends a statement, a semicolon is left for the next call of Scan.
func (s *Scanner) comment(start int) string {
	block := s.ch == '*'
	s.next()
	closed := !block
	if block {
		closed = s.restOfBlock()
		if !closed {
			s.error(start, "comment not terminated")
		}
	} else {
		for s.run(&inLine); s.ch != '\n' && s.ch != eof; s.run(&inLine) {
			s.next()
		}
	}
	text := s.text[start:s.offset]
	if newline := strings.IndexByte(text, '\n'); newline >= 0 && s.ends {
		s.pending, s.ends = s.file.Pos(start+newline), false
	}
	follows := s.offset
	if !block {
		text = strings.TrimSuffix(text, "\r")
		if s.ch == '\n' {
			follows++
		}
	}
	if closed && strings.HasPrefix(text[2:], "line ") && (block || start == s.begin) {
		asks := text[len("//line "):]
		if block {
			asks = asks[:len(asks)-len("*/")]
		}
		s.directive(start+len("//line "), follows, asks)
	}
	return withoutReturns(text, block)
}

// restOfBlock goes behind the end of a comment in `/*`, and says whether there was one.
func (s *Scanner) restOfBlock() bool {
	for s.ch != eof {
		s.run(&inBlock)
		star := s.ch == '*'
		if s.next(); star && s.ch == '/' {
			s.next()
			return true
		}
	}
	return false
}

// withoutReturns drops carriage returns, but for one whose lack would end a block comment.
func withoutReturns(text string, block bool) string {
	var kept strings.Builder
	for {
		before, after, found := strings.Cut(text, "\r")
		if !found && kept.Len() == 0 {
			return text
		}
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		ending := block && kept.Len() > len("/*") && strings.HasSuffix(kept.String(), "*")
		if ending && strings.HasPrefix(after, "/") {
			kept.WriteByte('\r')
		}
		text = after
	}
}

// directive does what `//line` asks for from offset follows on. Its text, which is at start,
// is a name and one number or two behind colons.
func (s *Scanner) directive(start, follows int, text string) {
	type number struct{ value, at, end int }
	var numbers []number // from the right
	rest := text
	for len(numbers) < 2 {
		colon := strings.LastIndexByte(rest, ':')
		if colon < 0 {
			break
		}
		value, err := strconv.ParseUint(rest[colon+1:], 10, 0)
		if err != nil {
			if len(numbers) == 0 {
				s.error(start+colon+1, "invalid line number: "+rest[colon+1:])
				return
			}
			break
		}
		numbers = append(numbers, number{int(value), colon + 1, len(rest)})
		rest = rest[:colon]
	}
	if len(numbers) == 0 {
		return
	}
	line, column := numbers[len(numbers)-1].value, 0
	what := "line"
	if len(numbers) == 2 {
		column = numbers[0].value
		what = "column"
	}
	for _, n := range numbers {
		if n.value == 0 || n.value > 1<<30 {
			s.error(start+n.at, "invalid "+what+" number: "+text[n.at:n.end])
			return
		}
		what = "line"
	}
	if rest != "" {
		rest = filepath.Clean(rest)
		if !filepath.IsAbs(rest) {
			rest = filepath.Join(filepath.Dir(s.file.Name()), rest)
		}
	} else if len(numbers) == 2 {
		rest = s.file.Position(s.file.Pos(start)).Filename
	}
	s.file.AddLineColumnInfo(follows, rest, line, column)
}

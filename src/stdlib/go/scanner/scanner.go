// Package scanner takes Go's source text apart into tokens.
//
// A Scanner is at a character of the text. There are two ways to go on from there: next goes to
// the following character, whatever it is, decodes it, notes where lines begin and tells what is
// wrong with the encoding; run goes over ASCII characters of a class at one go, which is how names,
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

// class is a set of what an ASCII character can be.
type class uint8

const (
	blank      class = 1 << iota // space between tokens, but no newline
	letter                       // first or later in a name
	digit                        // later in a name
	endsLine                     // where the inside of a comment in `//` ends,
	endsBlock                    // that of one in `/*`,
	endsRaw                      // that of a raw string,
	endsString                   // and of a string; all of these are looked at one by one

	word    = letter | digit
	endsAll = endsLine | endsBlock | endsRaw | endsString
)

var classes = [utf8.RuneSelf]class{
	0: endsAll, '\n': endsAll,
	'\t': blank, '\r': blank, ' ': blank,
	'*': endsBlock, '`': endsRaw, '"': endsString, '\\': endsString,
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit,
	'7': digit, '8': digit, '9': digit, '_': letter,
	'A': letter, 'B': letter, 'C': letter, 'D': letter, 'E': letter, 'F': letter, 'G': letter,
	'H': letter, 'I': letter, 'J': letter, 'K': letter, 'L': letter, 'M': letter, 'N': letter,
	'O': letter, 'P': letter, 'Q': letter, 'R': letter, 'S': letter, 'T': letter, 'U': letter,
	'V': letter, 'W': letter, 'X': letter, 'Y': letter, 'Z': letter,
	'a': letter, 'b': letter, 'c': letter, 'd': letter, 'e': letter, 'f': letter, 'g': letter,
	'h': letter, 'i': letter, 'j': letter, 'k': letter, 'l': letter, 'm': letter, 'n': letter,
	'o': letter, 'p': letter, 'q': letter, 'r': letter, 's': letter, 't': letter, 'u': letter,
	'v': letter, 'w': letter, 'x': letter, 'y': letter, 'z': letter,
}

// Scanner is at a place of a source text, behind the token that Scan returned last.
type Scanner struct {
	file *token.File
	base token.Pos
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
	*s = Scanner{file: file, base: token.Pos(file.Base()), text: string(src), mode: mode, err: err}
	s.known = true
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

// run goes over the characters of these classes, from the current one on, which is no newline
// unless it is not of them.
func (s *Scanner) run(of class) {
	i := s.offset
	for i < len(s.text) {
		if c := s.text[i]; c >= utf8.RuneSelf || classes[c]&of == 0 {
			break
		}
		i++
	}
	s.jump(i)
}

// runTo goes over ASCII characters that are not of these classes.
func (s *Scanner) runTo(of class) {
	i := s.offset
	for i < len(s.text) {
		if c := s.text[i]; c >= utf8.RuneSelf || classes[c]&of != 0 {
			break
		}
		i++
	}
	s.jump(i)
}

// jump goes to a character further on; what it goes over needs no look.
func (s *Scanner) jump(offset int) {
	if offset > s.offset {
		s.after = offset
		s.next()
	}
}

// End returns the place behind the token that Scan returned last.
func (s *Scanner) End() token.Pos {
	if !s.known {
		return s.base + token.Pos(s.offset)
	}
	return s.end
}

// Scan returns the next token, its place and, of a name, a literal, a comment, a semicolon
// and what is illegal, its text.
func (s *Scanner) Scan() (pos token.Pos, tok token.Token, lit string) {
	if s.known = s.pending != token.NoPos; s.known {
		pos = s.pending
		s.pending, s.end = token.NoPos, pos+1
		return pos, token.SEMICOLON, "\n"
	}
	for s.run(blank); s.ch == '\n' && !s.ends; s.run(blank) {
		s.next()
	}
	start := s.offset
	pos = s.base + token.Pos(start)
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
		s.ends = int(tok) < len(ending) && ending[tok]
	}
	return pos, tok, lit
}

// atLetter says whether a name begins here.
func (s *Scanner) atLetter() bool {
	if s.ch >= utf8.RuneSelf {
		return unicode.IsLetter(s.ch)
	}
	return s.ch > 0 && classes[s.ch]&letter != 0
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
		s.run(word)
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
	for s.runTo(endsString); s.ch != '"'; s.runTo(endsString) {
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
	for s.runTo(endsRaw); s.ch != '`' && s.ch != eof; s.runTo(endsRaw) {
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
		for s.runTo(endsLine); s.ch != '\n' && s.ch != eof; s.runTo(endsLine) {
			s.next()
		}
	}
	text := s.text[start:s.offset]
	if newline := strings.IndexByte(text, '\n'); newline >= 0 && s.ends {
		s.pending, s.ends = s.base+token.Pos(start+newline), false
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
		s.runTo(endsBlock)
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

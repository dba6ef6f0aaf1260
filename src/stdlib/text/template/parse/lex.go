// From text to tokens.
//
// The whole text is cut before it is parsed: plain text and comments between actions, the words of
// actions with the blanks between them. What a word is, its first byte says by its class; for each
// class there is a routine that finds the end of such words. The first thing that is wrong is the
// last token.

package parse

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a part of a text, and the line where it begins. That of a failure has the message as
// its text.
type token struct {
	kind kind
	pos  Pos
	text string
	line int
}

// String is how messages quote a token; the end and failures say it themselves.
func (t token) String() string {
	if t.kind <= failure {
		return t.text
	}
	format := "%q"
	if t.kind.isKeyword() {
		format = "<%s>"
	} else if len(t.text) > 10 {
		format = "%.10q..."
	}
	return fmt.Sprintf(format, t.text)
}

type kind uint8

const (
	endOfText kind = iota
	failure
	plain
	comment
	open
	end
	blank
	bar
	closing // a parenthesis
	assigns
	declares
	mark // another character of ASCII

	// What operands begin with:
	opening
	name
	variable
	field
	truth
	char
	number
	complexNumber
	quoted
	raw
	dot
	nothing

	// Keywords; dot and nothing are words, too.
	blockWord
	breakWord
	continueWord
	defineWord
	elseWord
	endWord
	ifWord
	rangeWord
	templateWord
	withWord
)

func (k kind) isKeyword() bool { return k >= dot }

func (k kind) beginsOperand() bool { return opening <= k && k <= nothing }

var words = map[string]kind{
	"true": truth, "false": truth, "nil": nothing, "if": ifWord, "else": elseWord, "end": endWord,
	"range": rangeWord, "break": breakWord, "continue": continueWord, "with": withWord,
	"template": templateWord, "block": blockWord, "define": defineWord,
}

const blanks = " \t\r\n"

// A cutter cuts a text.
type cutter struct {
	text        string
	left, right string // delimiters
	plainWords  string // keywords that are functions here
	comments    bool   // are tokens

	at     int
	tokens []token
	parens int // how many are open
}

// cut returns the tokens of the cutter's text. There is at least one: the end, or a failure.
func (c *cutter) cut() []token {
	for c.upToAction() && c.action() {
	}
	line, counted := 1, Pos(0)
	for i := range c.tokens {
		t := &c.tokens[i]
		line += strings.Count(c.text[counted:t.pos], "\n")
		t.line, counted = line, t.pos
	}
	return c.tokens
}

func (c *cutter) rest() string { return c.text[c.at:] }

// add makes what lies before end a token, and goes there.
func (c *cutter) add(k kind, end int) {
	c.append(k, c.text[c.at:end])
	c.at = end
}

func (c *cutter) append(k kind, text string) {
	c.tokens = append(c.tokens, token{kind: k, pos: Pos(c.at), text: text})
}

// fail ends the tokens.
func (c *cutter) fail(problem string) bool {
	c.append(failure, problem)
	return false
}

// upToAction cuts text, and comments, up to the next action. It returns false if there is none.
func (c *cutter) upToAction() bool {
	for {
		before, after, isThere := strings.Cut(c.rest(), c.left)
		trimmed, trims := after, len(after) > 1 && after[0] == '-' && isBlank(after[1])
		delim := c.at + len(before)
		if trims {
			before, trimmed = strings.TrimRight(before, blanks), after[2:]
		}
		if before != "" {
			c.add(plain, c.at+len(before))
		}
		if !isThere {
			c.append(endOfText, "EOF")
			return false
		}
		c.at = delim
		inside := len(c.text) - len(trimmed)
		if !strings.HasPrefix(trimmed, "/*") {
			c.add(open, delim+len(c.left))
			c.at, c.parens = inside, 0
			return true
		}
		c.at = inside
		if !c.comment() {
			return false
		}
	}
}

func (c *cutter) comment() bool {
	body, _, isClosed := strings.Cut(c.rest()[2:], "*/")
	if !isClosed {
		return c.fail("unclosed comment")
	}
	behind := c.at + len(body) + 4
	size, skip := c.closes(behind)
	if size == 0 {
		return c.fail("comment ends before closing delimiter")
	}
	if c.comments {
		c.add(comment, behind)
	}
	c.at = behind + size + skip
	return true
}

// closes says how much of the text from a place on ends an action there, nothing if it goes on, and
// how many blanks behind that are to be dropped.
func (c *cutter) closes(at int) (size, skip int) {
	s := c.text[at:]
	if len(s) > 1 && isBlank(s[0]) && s[1] == '-' {
		if after, ok := strings.CutPrefix(s[2:], c.right); ok {
			return 2 + len(c.right), len(after) - len(strings.TrimLeft(after, blanks))
		}
	}
	if strings.HasPrefix(s, c.right) {
		return len(c.right), 0
	}
	return 0, 0
}

// action cuts an action up to its end, and the end.
func (c *cutter) action() bool {
	for {
		if size, skip := c.closes(c.at); size > 0 {
			if c.parens > 0 {
				return c.fail("unclosed left paren")
			}
			c.at += size - len(c.right)
			c.add(end, c.at+len(c.right))
			c.at += skip
			return true
		}
		if c.rest() == "" {
			return c.fail("unclosed action")
		}
		k, size, problem := routines[classes[c.text[c.at]]](c, c.rest())
		if problem != "" {
			return c.fail(problem)
		}
		c.add(k, c.at+size)
	}
}

// A class is what words begin with a byte.
type class uint8

const (
	otherClass class = iota
	blankClass
	digitClass
	dotClass
	variableClass
	quoteClass
	rawClass
	signClass
	parenClass
)

var classes = [256]class{
	' ': blankClass, '\t': blankClass, '\r': blankClass, '\n': blankClass,
	'+': digitClass, '-': digitClass, '0': digitClass, '1': digitClass, '2': digitClass,
	'3': digitClass, '4': digitClass, '5': digitClass, '6': digitClass, '7': digitClass,
	'8': digitClass, '9': digitClass,
	'.': dotClass, '$': variableClass, '"': quoteClass, '\'': quoteClass, '`': rawClass,
	'=': signClass, ':': signClass, '|': signClass, '(': parenClass, ')': parenClass,
}

// A routine says what the word is that s begins with, and how long it is.
type routine func(c *cutter, s string) (k kind, size int, problem string)

var routines = [...]routine{
	otherClass:    (*cutter).other,
	blankClass:    (*cutter).blanks,
	digitClass:    (*cutter).number,
	dotClass:      (*cutter).dotted,
	variableClass: (*cutter).variable,
	quoteClass:    (*cutter).quoted,
	rawClass:      (*cutter).raw,
	signClass:     (*cutter).sign,
	parenClass:    (*cutter).paren,
}

func isBlank(b byte) bool { return classes[b] == blankClass }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// blanks leaves the last one to the end of an action that begins with it.
func (c *cutter) blanks(s string) (k kind, size int, _ string) {
	size = len(s) - len(strings.TrimLeft(s, blanks))
	if n, _ := c.closes(c.at + size - 1); n > len(c.right) {
		size--
	}
	return blank, size, ""
}

func (c *cutter) sign(s string) (k kind, size int, problem string) {
	switch {
	case s[0] == '|':
		return bar, 1, ""
	case s[0] == '=':
		return assigns, 1, ""
	case strings.HasPrefix(s, ":="):
		return declares, 2, ""
	}
	return failure, 0, "expected :="
}

func (c *cutter) paren(s string) (k kind, size int, problem string) {
	if s[0] == '(' {
		c.parens++
		return opening, 1, ""
	}
	if c.parens--; c.parens < 0 {
		problem = "unexpected right paren"
	}
	return closing, 1, problem
}

func (c *cutter) raw(s string) (k kind, size int, problem string) {
	if size = strings.IndexByte(s[1:], '`'); size < 0 {
		problem = "unterminated raw quoted string"
	}
	return raw, size + 2, problem
}

func (c *cutter) quoted(s string) (k kind, size int, problem string) {
	quote := s[0]
	k, problem = quoted, "unterminated quoted string"
	if quote == '\'' {
		k, problem = char, "unterminated character constant"
	}
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		if s[i] == quote {
			return k, i + 1, ""
		}
		if s[i] == '\\' && i+1 < len(s) && s[i+1] != '\n' {
			i++
		}
	}
	return k, 0, problem
}

// wordSize is the size of the letters and digits that s begins with. No word may end before some
// characters.
func (c *cutter) wordSize(s string) (size int, problem string) {
	for i, r := range s {
		if isWordRune(r) {
			continue
		}
		if !strings.ContainsRune(blanks+".,|:()", r) && !strings.HasPrefix(s[i:], c.right) {
			problem = fmt.Sprintf("bad character %#U", r)
		}
		return i, problem
	}
	return len(s), ""
}

func (c *cutter) variable(s string) (k kind, size int, problem string) {
	size, problem = c.wordSize(s[1:])
	return variable, 1 + size, problem
}

func (c *cutter) dotted(s string) (k kind, size int, problem string) {
	if len(s) == 1 || isDigit(s[1]) {
		return c.number(s)
	}
	size, problem = c.wordSize(s[1:])
	if size == 0 {
		return dot, 1, problem
	}
	return field, 1 + size, problem
}

// other cuts words, and characters that mean nothing by themselves.
func (c *cutter) other(s string) (k kind, size int, problem string) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case isWordRune(r):
	case r <= unicode.MaxASCII && unicode.IsPrint(r):
		return mark, size, ""
	default:
		return failure, size, fmt.Sprintf("unrecognized character in action: %#U", r)
	}
	size, problem = c.wordSize(s)
	k, isWord := words[s[:size]]
	if !isWord || strings.Contains(c.plainWords, s[:size]) {
		k = name
	}
	return k, size, problem
}

// number cuts what looks like a number; what is in it will be seen when it is parsed.
func (c *cutter) number(s string) (k kind, size int, problem string) {
	k = number
	size, ok := realSize(s)
	if ok && size < len(s) && (s[size] == '+' || s[size] == '-') {
		var imaginary int
		imaginary, ok = realSize(s[size:])
		k, size = complexNumber, size+imaginary
		ok = ok && s[size-1] == 'i'
	}
	if !ok {
		problem = fmt.Sprintf("bad number syntax: %q", s[:size])
	}
	return k, size, problem
}

const decimals = "0123456789_"

// A notation is the digits and exponents that a number with a prefix has.
type notation struct{ digits, exponents string }

var notations = map[byte]notation{
	'x': {decimals + "abcdefABCDEF", "pP"},
	'o': {"01234567_", ""},
	'b': {"01_", ""},
}

// realSize is the size of the number that s begins with, or with what cannot follow a number.
func realSize(s string) (size int, ok bool) {
	rest := skipOne(s, "+-")
	n := notation{decimals, "eE"}
	if len(rest) > 1 && rest[0] == '0' {
		if other, ok := notations[rest[1]|0x20]; ok {
			n, rest = other, rest[2:]
		}
	}
	rest = strings.TrimLeft(rest, n.digits)
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(fraction, n.digits)
	}
	if exponent := skipOne(rest, n.exponents); exponent != rest {
		rest = strings.TrimLeft(skipOne(exponent, "+-"), decimals)
	}
	rest = skipOne(rest, "i")
	r, bad := utf8.DecodeRuneInString(rest)
	if size = len(s) - len(rest); bad > 0 && isWordRune(r) {
		return size + bad, false
	}
	return size, true
}

// skipOne is s behind a byte of a set, if it begins with one.
func skipOne(s, set string) string {
	if s != "" && strings.IndexByte(set, s[0]) >= 0 {
		return s[1:]
	}
	return s
}

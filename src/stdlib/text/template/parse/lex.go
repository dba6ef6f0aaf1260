package parse

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An item is a word of a template, with the line that it begins in.
type item struct {
	typ  itemType
	pos  Pos
	val  string
	line int
}

func (i item) String() string {
	switch {
	case i.typ == itemEOF:
		return "EOF"
	case i.typ == itemError:
		return i.val
	case i.typ > itemKeyword:
		return "<" + i.val + ">"
	case len(i.val) > 10:
		return fmt.Sprintf("%.10q...", i.val)
	}
	return fmt.Sprintf("%q", i.val)
}

type itemType int

const (
	itemError itemType = iota // val tells it
	itemEOF
	itemText
	itemComment
	itemLeftDelim
	itemRightDelim
	itemSpace
	itemAssign
	itemDeclare
	itemPipe
	itemLeftParen
	itemRightParen
	itemChar // another character of ASCII
	itemBool
	itemCharConstant
	itemNumber
	itemComplex
	itemString
	itemRawString
	itemField
	itemIdentifier
	itemVariable
	itemKeyword // those behind it are words
	itemDot
	itemNil
	itemBlock
	itemBreak
	itemContinue
	itemDefine
	itemElse
	itemEnd
	itemIf
	itemRange
	itemTemplate
	itemWith
)

var keywords = map[string]itemType{
	".": itemDot, "nil": itemNil, "block": itemBlock, "break": itemBreak,
	"continue": itemContinue, "define": itemDefine, "else": itemElse, "end": itemEnd,
	"if": itemIf, "range": itemRange, "template": itemTemplate, "with": itemWith,
}

const spaces = " \t\r\n"

// A lexer gives the items of a text one by one: plain text and comments between actions, the words
// of actions with the spaces between them.
type lexer struct {
	input       string
	left, right string // delimiters
	start, pos  int    // of the item that is being read
	startLine   int
	inAction    bool
	parens      int
	failed      bool

	comments   bool // are items
	breakOK    bool // break and continue are words
	continueOK bool
}

func isSpace(c byte) bool { return strings.IndexByte(spaces, c) >= 0 }

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (l *lexer) rest() string { return l.input[l.pos:] }

// peek is the next character, -1 at the end, and its length.
func (l *lexer) peek() (rune, int) {
	if l.pos >= len(l.input) {
		return -1, 0
	}
	return utf8.DecodeRuneInString(l.rest())
}

// item ends an item.
func (l *lexer) item(t itemType) item {
	i := item{t, Pos(l.start), l.input[l.start:l.pos], l.startLine}
	l.ignore()
	return i
}

// ignore drops what has been read.
func (l *lexer) ignore() {
	l.startLine += strings.Count(l.input[l.start:l.pos], "\n")
	l.start = l.pos
}

func (l *lexer) errorf(format string, args ...any) item {
	i := item{itemError, Pos(l.start), fmt.Sprintf(format, args...), l.startLine}
	l.failed = true
	return i
}

func (l *lexer) next() item {
	if l.failed {
		return item{itemEOF, 0, "EOF", l.startLine}
	}
	if l.inAction {
		return l.action()
	}
	return l.text()
}

// trimsLeft says whether an action that begins before s takes the spaces before it away.
func trimsLeft(s string) bool { return len(s) >= 2 && s[0] == '-' && isSpace(s[1]) }

// atRight says whether the action ends here, and takes the spaces behind it away.
func (l *lexer) atRight() (ends, trims bool) {
	s := l.rest()
	if len(s) >= 2 && isSpace(s[0]) && s[1] == '-' && strings.HasPrefix(s[2:], l.right) {
		return true, true
	}
	return strings.HasPrefix(s, l.right), false
}

// skipSpaces skips spaces if an action has said so.
func (l *lexer) skipSpaces(trims bool) {
	if trims {
		l.pos += len(l.rest()) - len(strings.TrimLeft(l.rest(), spaces))
	}
	l.ignore()
}

func (l *lexer) text() item {
	for {
		i := strings.Index(l.rest(), l.left)
		if i < 0 {
			l.pos = len(l.input)
			if l.pos > l.start {
				return l.item(itemText)
			}
			return item{itemEOF, Pos(l.pos), "", l.startLine}
		}
		delim := l.pos + i
		trims := trimsLeft(l.input[delim+len(l.left):])
		if i > 0 {
			l.pos = delim
			if trims {
				l.pos = l.start + len(strings.TrimRight(l.input[l.start:delim], spaces))
			}
			t := l.item(itemText)
			l.pos = delim
			l.ignore()
			if t.val != "" {
				return t
			}
		}
		l.pos += len(l.left)
		skip := 0
		if trims {
			skip = 2
		}
		if !strings.HasPrefix(l.input[l.pos+skip:], "/*") {
			t := l.item(itemLeftDelim)
			l.pos += skip
			l.ignore()
			l.inAction, l.parens = true, 0
			return t
		}
		l.pos += skip
		l.ignore()
		if t := l.comment(); t.typ == itemError || l.comments {
			return t
		}
	}
}

func (l *lexer) comment() item {
	end := strings.Index(l.rest()[2:], "*/")
	if end < 0 {
		return l.errorf("unclosed comment")
	}
	l.pos += end + 4
	ends, trims := l.atRight()
	if !ends {
		return l.errorf("comment ends before closing delimiter")
	}
	t := l.item(itemComment)
	if trims {
		l.pos += 2
	}
	l.pos += len(l.right)
	l.skipSpaces(trims)
	return t
}

func (l *lexer) rightDelim(trims bool) item {
	if trims {
		l.pos += 2
		l.ignore()
	}
	l.pos += len(l.right)
	t := l.item(itemRightDelim)
	l.skipSpaces(trims)
	l.inAction = false
	return t
}

func (l *lexer) action() item {
	if ends, trims := l.atRight(); ends {
		if l.parens > 0 {
			return l.errorf("unclosed left paren")
		}
		return l.rightDelim(trims)
	}
	r, n := l.peek()
	if r < 0 {
		return l.errorf("unclosed action")
	}
	if r < utf8.RuneSelf && isSpace(byte(r)) {
		return l.spaces()
	}
	l.pos += n
	switch r {
	case '=':
		return l.item(itemAssign)
	case ':':
		if !strings.HasPrefix(l.rest(), "=") {
			return l.errorf("expected :=")
		}
		l.pos++
		return l.item(itemDeclare)
	case '|':
		return l.item(itemPipe)
	case '"':
		return l.quoted('"', itemString, "unterminated quoted string")
	case '\'':
		return l.quoted('\'', itemCharConstant, "unterminated character constant")
	case '`':
		i := strings.IndexByte(l.rest(), '`')
		if i < 0 {
			return l.errorf("unterminated raw quoted string")
		}
		l.pos += i + 1
		return l.item(itemRawString)
	case '$':
		return l.name(itemVariable, itemVariable)
	case '.':
		if c, _ := l.peek(); c < 0 || '0' <= c && c <= '9' {
			l.pos--
			return l.number()
		}
		return l.name(itemField, itemDot)
	case '(':
		l.parens++
		return l.item(itemLeftParen)
	case ')':
		if l.parens--; l.parens < 0 {
			return l.errorf("unexpected right paren")
		}
		return l.item(itemRightParen)
	}
	switch {
	case r == '+' || r == '-' || '0' <= r && r <= '9':
		l.pos -= n
		return l.number()
	case isWordRune(r):
		l.pos -= n
		return l.word()
	case r <= unicode.MaxASCII && unicode.IsPrint(r):
		return l.item(itemChar)
	}
	return l.errorf("unrecognized character in action: %#U", r)
}

// spaces reads spaces, of which the last may belong to the end of the action.
func (l *lexer) spaces() item {
	for l.pos < len(l.input) && isSpace(l.input[l.pos]) {
		l.pos++
	}
	l.pos--
	if ends, trims := l.atRight(); ends && trims {
		if l.pos == l.start {
			return l.rightDelim(true)
		}
		return l.item(itemSpace)
	}
	l.pos++
	return l.item(itemSpace)
}

func (l *lexer) quoted(end byte, t itemType, problem string) item {
	for ; l.pos < len(l.input); l.pos++ {
		switch c := l.input[l.pos]; {
		case c == end:
			l.pos++
			return l.item(t)
		case c == '\n':
			return l.errorf("%s", problem)
		case c == '\\':
			if l.pos++; l.pos < len(l.input) && l.input[l.pos] == '\n' {
				return l.errorf("%s", problem)
			}
		}
	}
	l.pos = len(l.input)
	return l.errorf("%s", problem)
}

// skipWord skips letters and digits, and says whether a word can end there.
func (l *lexer) skipWord() (bad rune, ok bool) {
	for {
		r, n := l.peek()
		if !isWordRune(r) {
			ok := r < 0 || strings.ContainsRune(spaces+".,|:)(", r) ||
				strings.HasPrefix(l.rest(), l.right)
			return r, ok
		}
		l.pos += n
	}
}

// name reads a field or a variable behind its first character; alone is what that is by itself.
func (l *lexer) name(t, alone itemType) item {
	begin := l.pos
	bad, ok := l.skipWord()
	if !ok {
		return l.errorf("bad character %#U", bad)
	}
	if l.pos == begin {
		t = alone
	}
	return l.item(t)
}

func (l *lexer) word() item {
	if bad, ok := l.skipWord(); !ok {
		return l.errorf("bad character %#U", bad)
	}
	word := l.input[l.start:l.pos]
	t, ok := keywords[word]
	switch {
	case t == itemBreak && !l.breakOK, t == itemContinue && !l.continueOK:
		t = itemIdentifier
	case ok:
	case word == "true", word == "false":
		t = itemBool
	default:
		t = itemIdentifier
	}
	return l.item(t)
}

func (l *lexer) number() item {
	ok := l.scanNumber()
	t := itemNumber
	if r, _ := l.peek(); ok && (r == '+' || r == '-') {
		t = itemComplex
		ok = l.scanNumber() && l.input[l.pos-1] == 'i'
	}
	if !ok {
		return l.errorf("bad number syntax: %q", l.input[l.start:l.pos])
	}
	return l.item(t)
}

// scanNumber reads what looks like a number; what is in it the parser will see.
func (l *lexer) scanNumber() bool {
	accept := func(set string) bool {
		if l.pos < len(l.input) && strings.IndexByte(set, l.input[l.pos]) >= 0 {
			l.pos++
			return true
		}
		return false
	}
	run := func(set string) {
		for accept(set) {
		}
	}
	const decimal, hex = "0123456789_", "0123456789abcdefABCDEF_"
	digits, exponent := decimal, "eE"
	accept("+-")
	if accept("0") {
		switch {
		case accept("xX"):
			digits, exponent = hex, "pP"
		case accept("oO"):
			digits, exponent = "01234567_", ""
		case accept("bB"):
			digits, exponent = "01_", ""
		}
	}
	run(digits)
	if accept(".") {
		run(digits)
	}
	if accept(exponent) {
		accept("+-")
		run(decimal)
	}
	accept("i")
	if r, n := l.peek(); isWordRune(r) {
		l.pos += n
		return false
	}
	return true
}

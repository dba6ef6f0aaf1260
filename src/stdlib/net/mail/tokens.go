package mail

// The tokens of addresses: RFC 5322, section 3.2. Blanks between tokens are not tokens, but a token
// knows whether some stand before it. Whether a token may stand where it does is not said here.

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const blanks = " \t"

// isText says whether a character may stand between quotes.
func isText(r rune) bool { return r == ' ' || r == '\t' || isVisible(r) }

func isVisible(r rune) bool { return r > ' ' && r != 0x7f }

// isSpecial says whether a character, a dot included, ends an atom without dots.
func isSpecial(r rune) bool { return !isVisible(r) || strings.ContainsRune(`()<>[]:;@\,".`, r) }

// isForeign says whether a character cannot stand in an atom with dots.
func isForeign(r rune) bool { return r != '.' && isSpecial(r) }

// The kinds of tokens; those of one character have that character as their kind.
const (
	end     rune = -1
	atom    rune = 'a'
	quoted  rune = '"'
	comment rune = '('
	literal rune = '['
)

// A token is a piece of an address.
type token struct {
	kind rune
	// Blanks stand before it.
	isApart bool
	// Where it begins.
	at int
	// What it says: an atom itself, others what is between their marks, without escapes.
	text string
	// Why it is not one. Such a token is the last.
	err error
}

// tokensOf cuts all of a text; the last token is of the kind end, unless one before has an error.
func tokensOf(text string) []token {
	list := make([]token, 0, 8)
	for at := 0; ; {
		rest := strings.TrimLeft(text[at:], blanks)
		start := len(text) - len(rest)
		t, size := firstToken(rest)
		t.at, t.isApart = start, start > at
		list = append(list, t)
		if t.kind == end || t.err != nil {
			return list
		}
		at = start + size
	}
}

// firstToken cuts the first token of a text, which takes so many bytes.
func firstToken(s string) (t token, size int) {
	if s == "" {
		return token{kind: end}, 0
	}
	switch t.kind = rune(s[0]); t.kind {
	case quoted:
		t.text, size, t.err = cutQuoted(s)
	case literal:
		t.text, size, t.err = cutLiteral(s)
	case comment:
		if t.text, size = cutComment(s); size == 0 {
			t.err = errComment
		}
	default:
		if size, t.err = lengthOfAtom(s); size > 0 || t.err != nil {
			t.kind, t.text = atom, s[:size]
		} else {
			size = 1
		}
	}
	return t, size
}

// isBroken says whether r, which took so many bytes, stands for a byte that is not UTF-8.
func isBroken(r rune, size int) bool { return r == utf8.RuneError && size == 1 }

func lengthOfAtom(s string) (int, error) {
	for i, r := range s {
		if isForeign(r) {
			return i, nil
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); isBroken(r, size) {
				return 0, fmt.Errorf("mail: invalid utf-8 in address: %q", s)
			}
		}
	}
	return len(s), nil
}

// cutQuoted cuts a string between quotes, in which a backslash takes the meaning of what follows.
func cutQuoted(s string) (string, int, error) {
	var text strings.Builder
	isEscaped := false
	from := 1 // what is not yet in text
	for i := 1; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if isBroken(r, size) {
			return "", 0, fmt.Errorf("mail: invalid utf-8 in quoted-string: %q", s)
		}
		if !isText(r) {
			return "", 0, fmt.Errorf("mail: bad character in quoted-string: %q", r)
		}
		isMark := !isEscaped && (r == '"' || r == '\\')
		if isMark {
			text.WriteString(s[from:i])
			from = i + 1
		}
		if isMark && r == '"' {
			return text.String(), from, nil
		}
		isEscaped = isMark
		i += size
	}
	return "", 0, errUnclosedQuote
}

// cutLiteral cuts what is between brackets.
func cutLiteral(s string) (string, int, error) {
	for i, r := range s[1:] {
		if r == ']' {
			return s[1 : 1+i], i + 2, nil
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[1+i:]); isBroken(r, size) {
				return "", 0, fmt.Errorf("mail: invalid utf-8 in domain-literal: %q", s[1+i:])
			}
		}
		if r == '[' || r == '\\' || !isVisible(r) {
			return "", 0, fmt.Errorf("mail: bad character in domain-literal: %q", r)
		}
	}
	return "", 0, errUnclosedLiteral
}

// cutComment cuts a comment, in which there may be others. The size is 0 if it has no end.
func cutComment(s string) (string, int) {
	text := make([]byte, 0, len(s))
	isEscaped := false
	for i, depth := 0, 0; i < len(s); i++ {
		c := s[i]
		if !isEscaped && c == '\\' {
			isEscaped = true
			continue
		}
		if !isEscaped && c == '(' {
			depth++
		}
		if !isEscaped && c == ')' {
			depth--
		}
		if depth == 0 {
			return string(text[1:]), i + 1
		}
		text = append(text, c)
		isEscaped = false
	}
	return "", 0
}

// areComments says whether no comment at the beginning of a text lacks its end.
func areComments(s string) bool {
	for {
		if s = strings.TrimLeft(s, blanks); s == "" || s[0] != '(' {
			return true
		}
		_, size := cutComment(s)
		if size == 0 {
			return false
		}
		s = s[size:]
	}
}

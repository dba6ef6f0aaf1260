package http2

import (
	"strconv"
	"strings"
)

// Rank is the priority of a stream, by RFC 9218: those of lesser urgency (0 to 7) come first;
// incremental ones share what there is.
type Rank struct {
	Urgency     int
	Incremental bool
}

// ParseRank reads a priority, such as "u=1, i", which changes usual; it is false for what is no
// dictionary by RFC 8941.
func ParseRank(text string, usual Rank) (rank Rank, ok bool) {
	rank = usual
	s := scanner{text}
	for s.text != "" {
		key, ok := s.key()
		if !ok {
			return usual, false
		}
		value := "?1"
		if s.skip('=') {
			if value, ok = s.value(); !ok {
				return usual, false
			}
		}
		if !s.parameters() {
			return usual, false
		}
		switch {
		case key == "u":
			if n, err := strconv.Atoi(value); err == nil && 0 <= n && n <= 7 {
				rank.Urgency = n
			}
		case key == "i" && (value == "?0" || value == "?1"):
			rank.Incremental = value == "?1"
		}
		s.blanks()
		if s.text == "" {
			break
		}
		s.skip(',')
		s.blanks()
		if s.text == "" {
			return usual, false
		}
	}
	return rank, true
}

// scanner reads structured fields.
type scanner struct {
	text string
}

func (s *scanner) skip(c byte) bool {
	if s.text == "" || s.text[0] != c {
		return false
	}
	s.text = s.text[1:]
	return true
}

func (s *scanner) blanks() { s.text = strings.TrimLeft(s.text, " \t") }

// take takes all that consists of such bytes.
func (s *scanner) take(is func(c byte) bool) string {
	n := 0
	for n < len(s.text) && is(s.text[n]) {
		n++
	}
	taken := s.text[:n]
	s.text = s.text[n:]
	return taken
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isOf(c byte, others string) bool {
	return isLower(c|0x20) || isDigit(c) || strings.IndexByte(others, c) >= 0
}

func (s *scanner) key() (string, bool) {
	if s.text == "" || !isLower(s.text[0]) && s.text[0] != '*' {
		return "", false
	}
	return s.take(func(c byte) bool {
		return isLower(c) || isDigit(c) || strings.IndexByte("_-.*", c) >= 0
	}), true
}

// value reads an item, or a list of them.
func (s *scanner) value() (value string, ok bool) {
	whole := s.text
	if !s.skip('(') {
		return s.item()
	}
	for s.text != "" {
		if s.blanks(); s.skip(')') {
			break
		}
		if _, ok := s.item(); !ok || !s.parameters() {
			return "", false
		}
		if s.text == "" || s.text[0] != ')' && s.text[0] != ' ' {
			return "", false
		}
	}
	return whole[:len(whole)-len(s.text)], true
}

// parameters reads what stands behind an item.
func (s *scanner) parameters() bool {
	for s.skip(';') {
		s.blanks()
		if _, ok := s.key(); !ok {
			return false
		}
		if s.skip('=') {
			if _, ok := s.item(); !ok {
				return false
			}
		}
	}
	return true
}

func (s *scanner) item() (item string, ok bool) {
	if s.text == "" {
		return "", false
	}
	whole := s.text
	switch c := whole[0]; {
	case c == '-' || isDigit(c):
		ok = s.number()
	case c == '"':
		ok = s.quoted()
	case c == ':':
		s.skip(':')
		s.take(func(c byte) bool { return isOf(c, "+/=") })
		ok = s.skip(':')
	case c == '?':
		s.skip('?')
		ok = s.skip('0') || s.skip('1')
	case c == '@':
		s.skip('@')
		before := s.text
		ok = s.number() && !strings.Contains(before[:len(before)-len(s.text)], ".")
	case c == '*' || isLower(c|0x20):
		s.take(func(c byte) bool { return isOf(c, "!#$%&'*+-.^_`|~:/") })
		ok = true
	}
	return whole[:len(whole)-len(s.text)], ok
}

func (s *scanner) number() bool {
	s.skip('-')
	whole := s.take(isDigit)
	if !s.skip('.') {
		return whole != "" && len(whole) <= 15
	}
	part := s.take(isDigit)
	return whole != "" && len(whole) <= 12 && part != "" && len(part) <= 3
}

func (s *scanner) quoted() bool {
	s.skip('"')
	for s.text != "" {
		c := s.text[0]
		s.text = s.text[1:]
		switch {
		case c == '"':
			return true
		case c == '\\':
			if !s.skip('"') && !s.skip('\\') {
				return false
			}
		case c < ' ' || c > '~':
			return false
		}
	}
	return false
}

// Package html: characters of text that mean something in HTML, as entities and back.
package html

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

var escaper = strings.NewReplacer("&", "&amp;", "'", "&#39;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")

func EscapeString(s string) string { return escaper.Replace(s) }

// entities is what each name means.
var entities = sync.OnceValue(func() map[string]string {
	names := make(map[string]string, 2300)
	for e := range strings.FieldsSeq(entityList) {
		name, hex, _ := strings.Cut(e, "=")
		text := ""
		for code := range strings.SplitSeq(hex, "+") {
			n, _ := strconv.ParseUint(code, 16, 32)
			text += string(rune(n))
		}
		names[name] = text
	}
	return names
})

// No name without a semicolon is longer.
const longestBare = 6

// What the numbers from 0x80 on stand for: the characters of Windows.
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

func UnescapeString(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for ; i >= 0; i = strings.IndexByte(s, '&') {
		b = append(b, s[:i]...)
		text, n := entity(s[i:])
		b = append(b, text...)
		s = s[i+n:]
	}
	return string(append(b, s...))
}

// entity is what s begins with, an ampersand, stands for, and how many bytes of s do.
func entity(s string) (text string, n int) {
	if len(s) > 1 && s[1] == '#' {
		return numeric(s)
	}
	n = 1
	for n < len(s) && (isDigit(s[n]) || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	name := s[1:n]
	names := entities()
	if text, ok := names[name]; ok {
		return text, n
	}
	for i := min(len(name)-1, longestBare); i > 1; i-- {
		if text, ok := names[name[:i]]; ok {
			return text, i + 1
		}
	}
	return s[:n], n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// numeric is the same of what begins with &#.
func numeric(s string) (text string, n int) {
	if len(s) <= 3 {
		return "&", 1
	}
	n = 2
	base := rune(10)
	if s[n]|0x20 == 'x' {
		base = 16
		n++
	}
	x := rune(0)
	for ; n < len(s); n++ {
		c := s[n]
		if isDigit(c) {
			x = base*x + rune(c-'0')
		} else if c |= 0x20; base == 16 && 'a' <= c && c <= 'f' {
			x = base*x + rune(c-'a') + 10
		} else {
			break
		}
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	switch {
	case n <= 3:
		return "&", 1
	case 0x80 <= x && x <= 0x9f:
		return string([]rune(windows)[x-0x80]), n
	case x == 0 || x > utf8.MaxRune:
		x = utf8.RuneError
	}
	return string(x), n
}

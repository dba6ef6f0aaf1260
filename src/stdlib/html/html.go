// Package html: characters of text that mean something in HTML, as entities and back.
//
// entity.go has the names of characters. A reference begins with an ampersand; reference reads one,
// by its number or by the longest name that there is.
package html

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

var replacer = strings.NewReplacer(
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "'", "&#39;", `"`, "&#34;")

// EscapeString returns s with the characters <, >, &, ' and " as entities.
func EscapeString(s string) string { return replacer.Replace(s) }

// UnescapeString returns s with what entities stand for in their place.
func UnescapeString(s string) string {
	before, rest, isThere := strings.Cut(s, "&")
	if !isThere {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	for isThere {
		out.WriteString(before)
		text, size := reference(rest)
		out.WriteString(text)
		before, rest, isThere = strings.Cut(rest[size:], "&")
	}
	out.WriteString(before)
	return out.String()
}

// names has what each name stands for; there is a semicolon in those that must end with one.
var names = sync.OnceValue(func() map[string]string {
	all := make(map[string]string, 2300)
	for entry := range strings.FieldsSeq(entityList) {
		name, codes, _ := strings.Cut(entry, "=")
		var text []byte
		for code := range strings.SplitSeq(codes, "+") {
			char, _ := strconv.ParseUint(code, 16, 32)
			text = utf8.AppendRune(text, rune(char))
		}
		all[name] = string(text)
	}
	return all
})

// longestOpen is how long names without a semicolon are at most.
const longestOpen = 6

// reference is what an ampersand before s stands for, with as much of s as belongs to it.
func reference(s string) (text string, size int) {
	if number, ok := strings.CutPrefix(s, "#"); ok {
		return numbered(number)
	}
	isInName := func(c byte) bool {
		return 'a' <= c|' ' && c|' ' <= 'z' || '0' <= c && c <= '9'
	}
	for size < len(s) && isInName(s[size]) {
		size++
	}
	letters := size
	if strings.HasPrefix(s[size:], ";") {
		size++
	}
	if text, ok := names()[s[:size]]; ok {
		return text, size
	}
	// A name may go on with what is none.
	last := letters
	if last == size {
		last--
	}
	for known := min(last, longestOpen); known > 1; known-- {
		if text, ok := names()[s[:known]]; ok {
			return text, known
		}
	}
	return "&" + s[:size], size
}

// windows is what the numbers from firstWindows on stand for: the characters of Windows.
const (
	firstWindows = 0x80
	windows      = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
)

// numbered is reference for what is behind the sign of numbers.
func numbered(s string) (text string, size int) {
	if len(s) < 2 {
		return "&", 0
	}
	digits, base := "0123456789", rune(10)
	if s[0]|' ' == 'x' {
		digits, base = "0123456789abcdef", 16
		size = 1
	}
	code := rune(0)
	for ; size < len(s); size++ {
		digit := strings.IndexByte(digits, s[size]|' ')
		if digit < 0 || s[size] < '0' {
			break
		}
		code = code*base + rune(digit)
	}
	if strings.HasPrefix(s[size:], ";") {
		size++
	}
	if size < 2 {
		return "&", 0
	}
	if at := code - firstWindows; at >= 0 && at < 0x20 {
		code = []rune(windows)[at]
	} else if code == 0 || code > utf8.MaxRune {
		code = utf8.RuneError
	}
	return string(code), size + 1
}

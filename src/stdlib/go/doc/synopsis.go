package doc

// This file finds the first sentence of a text.

import (
	"go/doc/comment"
	"slices"
	"strings"
	"unicode"
)

// IllegalPrefixes begin comments that do not document anything, in small letters.
var IllegalPrefixes = []string{"copyright", "all rights", "author"}

// Synopsis is Package.Synopsis.
//
// Deprecated: without a package, links to documentation are not known.
func Synopsis(text string) string { return new(Package).Synopsis(text) }

// Synopsis returns the first sentence of a text on one line: up to a dot with space behind it, that
// is not behind a single capital letter, or to the end of the paragraph. It is empty if the text
// begins with one of IllegalPrefixes, or not with a paragraph.
func (p *Package) Synopsis(text string) string {
	text = sentence(text)
	lower := strings.ToLower(text)
	illegal := func(prefix string) bool { return strings.HasPrefix(lower, prefix) }
	if slices.ContainsFunc(IllegalPrefixes, illegal) {
		return ""
	}
	parsed := p.Parser().Parse(text)
	for i, x := range parsed.Content {
		if _, ok := x.(*comment.Paragraph); ok && i == 0 {
			continue
		}
		parsed.Content = parsed.Content[:i]
		break
	}
	if len(parsed.Content) == 0 {
		return ""
	}
	line := p.Printer()
	line.TextWidth = -1
	return strings.TrimSpace(string(line.Text(parsed)))
}

// sentence returns the first sentence.
func sentence(text string) string {
	var last [3]rune // the latest first
	for i, c := range text {
		if c == '\n' || c == '\r' || c == '\t' {
			c = ' '
		}
		initial := unicode.IsUpper(last[1]) && !unicode.IsUpper(last[2])
		if c == ' ' && last[0] == '.' && !initial || last[0] == '。' || last[0] == '．' {
			return text[:i]
		}
		last = [3]rune{c, last[0], last[1]}
	}
	return text
}

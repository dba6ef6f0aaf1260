package strings

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Sequences of parts of strings.

func Lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			line := s
			if i := IndexByte(s, '\n'); i >= 0 {
				line = s[:i+1]
			}
			s = s[len(line):]
			if !yield(line) {
				return
			}
		}
	}
}

// pieces yields what lies between separators, each with its first kept bytes of the separator behind it.
func pieces(s, sep string, kept int) iter.Seq[string] {
	return func(yield func(string) bool) {
		rest := s
		if sep == "" {
			for len(rest) > 0 {
				_, size := utf8.DecodeRuneInString(rest)
				if !yield(rest[:size]) {
					return
				}
				rest = rest[size:]
			}
			return
		}
		for {
			i := Index(rest, sep)
			if i < 0 {
				yield(rest)
				return
			}
			if !yield(rest[:i+kept]) {
				return
			}
			rest = rest[i+len(sep):]
		}
	}
}

func SplitSeq(s, sep string) iter.Seq[string]      { return pieces(s, sep, 0) }
func SplitAfterSeq(s, sep string) iter.Seq[string] { return pieces(s, sep, len(sep)) }
func FieldsSeq(s string) iter.Seq[string]          { return FieldsFuncSeq(s, unicode.IsSpace) }

func FieldsFuncSeq(s string, f func(rune) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := -1
		for i, r := range s {
			switch {
			case !f(r):
				if from < 0 {
					from = i
				}
			case from >= 0:
				if !yield(s[from:i]) {
					return
				}
				from = -1
			}
		}
		if from >= 0 {
			yield(s[from:])
		}
	}
}

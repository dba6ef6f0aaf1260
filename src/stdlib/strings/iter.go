package strings

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Sequences of parts of strings.

func Lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more && len(s) > 0; {
			size := IndexByte(s, '\n') + 1
			if size == 0 {
				size = len(s)
			}
			line := s[:size]
			s = s[size:]
			more = yield(line)
		}
	}
}

// pieces yields what lies between separators, each with its first kept bytes of the separator behind it. A second loop begins where the
// first one was left, as in Go.
func pieces(s, sep string, kept int) iter.Seq[string] {
	if sep == "" {
		return characters(s)
	}
	return func(yield func(string) bool) {
		for more := true; more; {
			var piece, behind string
			piece, behind, more = Cut(s, sep)
			size := len(piece)
			if more {
				size += kept
			}
			if !yield(s[:size]) {
				return
			}
			if more {
				s = behind
			}
		}
	}
}

// characters yields every character by itself, likewise.
func characters(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more && len(s) > 0; {
			_, size := utf8.DecodeRuneInString(s)
			if more = yield(s[:size]); more {
				s = s[size:]
			}
		}
	}
}

func SplitSeq(s, sep string) iter.Seq[string]      { return pieces(s, sep, 0) }
func SplitAfterSeq(s, sep string) iter.Seq[string] { return pieces(s, sep, len(sep)) }

func FieldsFuncSeq(s string, f func(rune) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		rest := TrimLeftFunc(s, f)
		for len(rest) > 0 {
			size := IndexFunc(rest, f)
			if size < 0 {
				size = len(rest)
			}
			if !yield(rest[:size]) {
				return
			}
			rest = TrimLeftFunc(rest[size:], f)
		}
	}
}

func FieldsSeq(s string) iter.Seq[string] { return FieldsFuncSeq(s, unicode.IsSpace) }

package bytes

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Sequences of parts of byte slices. Appending to a part leaves what follows it alone.

func Lines(s []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(s) > 0 {
			n := IndexByte(s, '\n') + 1
			if n == 0 {
				n = len(s)
			}
			line := s[:n:n]
			s = s[n:]
			if !yield(line) {
				return
			}
		}
	}
}

// pieces yields what lies between separators, each with its first kept bytes of the separator behind it.
func pieces(s, sep []byte, kept int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest := s
		if len(sep) == 0 {
			for len(rest) > 0 {
				_, size := utf8.DecodeRune(rest)
				if !yield(rest[:size:size]) {
					return
				}
				rest = rest[size:]
			}
			return
		}
		for {
			i := Index(rest, sep)
			if i < 0 {
				yield(rest[:len(rest):len(rest)])
				return
			}
			if !yield(rest[: i+kept : i+kept]) {
				return
			}
			rest = rest[i+len(sep):]
		}
	}
}

func SplitSeq(s, sep []byte) iter.Seq[[]byte]      { return pieces(s, sep, 0) }
func SplitAfterSeq(s, sep []byte) iter.Seq[[]byte] { return pieces(s, sep, len(sep)) }
func FieldsSeq(s []byte) iter.Seq[[]byte]          { return FieldsFuncSeq(s, unicode.IsSpace) }

func FieldsFuncSeq(s []byte, f func(rune) bool) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		from := -1
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRune(s[i:])
			switch {
			case !f(r):
				if from < 0 {
					from = i
				}
			case from >= 0:
				if !yield(s[from:i:i]) {
					return
				}
				from = -1
			}
			i += size
		}
		if from >= 0 {
			yield(s[from:len(s):len(s)])
		}
	}
}

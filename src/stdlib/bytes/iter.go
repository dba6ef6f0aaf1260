package bytes

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Sequences of parts of byte slices. Appending to a part leaves what follows it alone.

func Lines(s []byte) iter.Seq[[]byte] {
	return func(yield func(part []byte) bool) {
		for more := true; more && len(s) > 0; {
			size := IndexByte(s, '\n') + 1
			if size == 0 {
				size = len(s)
			}
			line := s[:size:size]
			s = s[size:]
			more = yield(line)
		}
	}
}

// pieces yields what lies between separators, each with its first kept bytes of the separator behind it. A second loop begins where the
// first one was left, as in Go.
func pieces(s, sep []byte, kept int) iter.Seq[[]byte] {
	if len(sep) == 0 {
		return characters(s)
	}
	return func(yield func(part []byte) bool) {
		for more := true; more; {
			var piece, behind []byte
			piece, behind, more = Cut(s, sep)
			size := len(piece)
			if more {
				size += kept
			}
			if !yield(s[:size:size]) {
				return
			}
			if more {
				s = behind
			}
		}
	}
}

// characters yields every character by itself, likewise.
func characters(s []byte) iter.Seq[[]byte] {
	return func(yield func(part []byte) bool) {
		for more := true; more && len(s) > 0; {
			_, size := utf8.DecodeRune(s)
			if more = yield(s[:size:size]); more {
				s = s[size:]
			}
		}
	}
}

func SplitSeq(s, sep []byte) iter.Seq[[]byte]      { return pieces(s, sep, 0) }
func SplitAfterSeq(s, sep []byte) iter.Seq[[]byte] { return pieces(s, sep, len(sep)) }
func FieldsSeq(s []byte) iter.Seq[[]byte]          { return FieldsFuncSeq(s, unicode.IsSpace) }

func FieldsFuncSeq(s []byte, f func(rune) bool) iter.Seq[[]byte] {
	return func(yield func(part []byte) bool) {
		rest := TrimLeftFunc(s, f)
		for len(rest) > 0 {
			size := IndexFunc(rest, f)
			if size < 0 {
				size = len(rest)
			}
			if !yield(rest[:size:size]) {
				return
			}
			rest = TrimLeftFunc(rest[size:], f)
		}
	}
}

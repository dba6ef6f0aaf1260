// Package utf8: text in UTF-8.
package utf8

const (
	RuneError = '\uFFFD'
	RuneSelf  = 0x80
	MaxRune   = '\U0010FFFF'
	UTFMax    = 4
)

// FullRune says whether p begins with a whole rune. A bad one is whole: it is RuneError, of one byte.
func FullRune(p []byte) bool

// FullRuneInString is FullRune of a string.
func FullRuneInString(s string) bool

// DecodeRune is the first rune of p and its size in bytes: (RuneError, 0) if p is empty, (RuneError, 1) if it is bad.
func DecodeRune(p []byte) (r rune, size int)

// DecodeRuneInString is DecodeRune of a string.
func DecodeRuneInString(s string) (r rune, size int)

// DecodeLastRune is the last rune of p and its size in bytes: (RuneError, 0) if p is empty, (RuneError, 1) if it is bad.
func DecodeLastRune(p []byte) (r rune, size int)

// DecodeLastRuneInString is DecodeLastRune of a string.
func DecodeLastRuneInString(s string) (r rune, size int)

// RuneCount is how many runes p has; each bad byte counts as one.
func RuneCount(p []byte) int

// RuneCountInString is RuneCount of a string.
func RuneCountInString(s string) (n int)

// Valid says whether p is UTF-8.
func Valid(p []byte) bool

// ValidString says whether s is UTF-8.
func ValidString(s string) bool

func RuneStart(b byte) bool { return b&0xC0 != 0x80 }

func ValidRune(r rune) bool { return 0 <= r && r < 0xD800 || 0xDFFF < r && r <= MaxRune }

func RuneLen(r rune) int {
	if uint32(r) < RuneSelf {
		return 1
	}
	if !ValidRune(r) {
		return -1
	}
	n := 2
	if r >= 1<<11 {
		n++
	}
	if r >= 1<<16 {
		n++
	}
	return n
}

func AppendRune(p []byte, r rune) []byte {
	switch u := uint32(r); {
	case u < 1<<7:
		return append(p, byte(u))
	case u < 1<<11:
		return append(p, 0xC0|byte(u>>6), 0x80|byte(u)&0x3F)
	case u < 0xD800 || 0xDFFF < u && u < 1<<16:
		return append(p, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
	case 1<<16 <= u && u <= MaxRune:
		return append(p, 0xF0|byte(u>>18), 0x80|byte(u>>12)&0x3F, 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
	}
	return append(p, "\uFFFD"...)
}

func EncodeRune(p []byte, r rune) int {
	var buf [UTFMax]byte
	encoded := AppendRune(buf[:0], r)
	_ = p[len(encoded)-1] // there must be room for all of it
	return copy(p, encoded)
}

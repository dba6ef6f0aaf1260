// Package utf8: text in UTF-8.
package utf8

const (
	RuneError = '\uFFFD'
	RuneSelf  = 0x80
	MaxRune   = '\U0010FFFF'
	UTFMax    = 4
)

func RuneStart(b byte) bool { return b&0xC0 != 0x80 }

func ValidRune(r rune) bool { return 0 <= r && r < 0xD800 || 0xDFFF < r && r <= MaxRune }

func RuneLen(r rune) int {
	switch {
	case r < 0:
		return -1
	case r < 1<<7:
		return 1
	case r < 1<<11:
		return 2
	case 0xD800 <= r && r <= 0xDFFF:
		return -1
	case r < 1<<16:
		return 3
	case r <= MaxRune:
		return 4
	}
	return -1
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

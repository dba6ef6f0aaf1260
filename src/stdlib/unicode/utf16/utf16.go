// Package utf16: text in units of 16 bits.
package utf16

const (
	replacement = '�'
	highFrom    = 0xd800
	lowFrom     = 0xdc00
	afterLow    = 0xe000
	second      = 0x10000 // the first rune that takes two units
	last        = '\U0010FFFF'
)

func IsSurrogate(r rune) bool { return highFrom <= r && r < afterLow }

func DecodeRune(r1, r2 rune) rune {
	if highFrom <= r1 && r1 < lowFrom && lowFrom <= r2 && r2 < afterLow {
		return (r1-highFrom)<<10 | (r2 - lowFrom) + second
	}
	return replacement
}

func EncodeRune(r rune) (r1, r2 rune) {
	if r < second || r > last {
		return replacement, replacement
	}
	r -= second
	return highFrom + r>>10&0x3ff, lowFrom + r&0x3ff
}

func RuneLen(r rune) int {
	switch {
	case 0 <= r && r < highFrom, afterLow <= r && r < second:
		return 1
	case second <= r && r <= last:
		return 2
	}
	return -1
}

func AppendRune(a []uint16, r rune) []uint16 {
	switch RuneLen(r) {
	case 2:
		high, low := EncodeRune(r)
		return append(a, uint16(high), uint16(low))
	case 1:
		return append(a, uint16(r))
	}
	return append(a, replacement)
}

func Encode(s []rune) []uint16 {
	a := make([]uint16, 0, len(s))
	for _, r := range s {
		a = AppendRune(a, r)
	}
	return a
}

func Decode(s []uint16) []rune {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); i++ {
		r := rune(s[i])
		if IsSurrogate(r) {
			pair := rune(replacement)
			if i+1 < len(s) {
				pair = DecodeRune(r, rune(s[i+1]))
			}
			if pair != replacement {
				i++
			}
			r = pair
		}
		out = append(out, r)
	}
	return out
}

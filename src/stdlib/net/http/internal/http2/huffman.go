package http2

import "sync"

// bitLengths has, as a letter from A for 5 on, how many bits the code of each byte has. The codes
// follow from that: those of one length are consecutive numbers, and longer ones go on from there.
// RFC 7541, appendix B.
const bitLengths = "" +
	"ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF" +
	"IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX" +
	"PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS" +
	"VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWV"

const (
	longest = 30
	// The end of a string has the last code of the longest ones.
	endOfString = 256
)

// codes is the code of HPACK.
type codes struct {
	code [256]uint32
	bits [256]uint8
	// For the first byte of what comes: the byte that it means, and the length of that code; 0 if
	// it is longer.
	short [256]struct{ char, bits uint8 }
	// Of each length: the first code, and the bytes that have them.
	first [longest + 1]uint32
	chars [longest + 1][]uint16
}

var huffman = sync.OnceValue(func() *codes {
	h := new(codes)
	for c := range bitLengths {
		h.bits[c] = bitLengths[c] - 'A' + 5
		h.chars[h.bits[c]] = append(h.chars[h.bits[c]], uint16(c))
	}
	h.chars[longest] = append(h.chars[longest], endOfString)
	next := uint32(0)
	for bits := 5; bits <= longest; bits++ {
		h.first[bits] = next
		for _, c := range h.chars[bits] {
			if c != endOfString {
				h.code[c] = next
			}
			if bits <= 8 {
				from := next << (8 - bits)
				for i := range uint32(1) << (8 - bits) {
					h.short[from+i].char, h.short[from+i].bits = uint8(c), uint8(bits)
				}
			}
			next++
		}
		next <<= 1
	}
	return h
})

// huffmanLen is how many bytes the code of a string has.
func huffmanLen(s string) int {
	h := huffman()
	bits := 7
	for i := range len(s) {
		bits += int(h.bits[s[i]])
	}
	return bits / 8
}

func appendHuffman(block []byte, s string) []byte {
	h := huffman()
	var have uint64
	bits := uint(0)
	for i := range len(s) {
		have = have<<h.bits[s[i]] | uint64(h.code[s[i]])
		for bits += uint(h.bits[s[i]]); bits >= 8; {
			bits -= 8
			block = append(block, byte(have>>bits))
		}
	}
	if bits > 0 {
		block = append(block, byte(have<<(8-bits))|0xff>>bits)
	}
	return block
}

// readHuffman decodes a string, which may not be longer than max, unless that is 0. What is left
// of the last byte must be ones.
func readHuffman(p []byte, max int) (string, error) {
	h := huffman()
	s := make([]byte, 0, len(p)*8/5)
	var have uint64
	bits := uint(0)
	for {
		for bits <= 32 && len(p) > 0 {
			have = have<<8 | uint64(p[0])
			bits += 8
			p = p[1:]
		}
		if bits == 0 {
			return string(s), nil
		}
		var c uint16
		var n uint
		if bits >= 8 {
			found := h.short[byte(have>>(bits-8))]
			c, n = uint16(found.char), uint(found.bits)
		} else {
			found := h.short[byte(have<<(8-bits))|0xff>>bits]
			c, n = uint16(found.char), uint(found.bits)
			if n == 0 || n > bits {
				if have&(1<<bits-1) != 1<<bits-1 {
					return "", errBlock
				}
				return string(s), nil
			}
		}
		if n == 0 {
			if c, n = h.long(have, bits); n == 0 {
				return "", errBlock
			}
		}
		if max != 0 && len(s) == max {
			return "", errLength
		}
		s = append(s, byte(c))
		bits -= n
	}
}

// long finds the code of more than 8 bits with which the last bits of have begin; 0 if there is
// none.
func (h *codes) long(have uint64, bits uint) (c uint16, n uint) {
	for n = 9; n <= min(bits, longest); n++ {
		code := uint32(have>>(bits-n)) & (1<<n - 1)
		if i := code - h.first[n]; code >= h.first[n] && i < uint32(len(h.chars[n])) {
			if c = h.chars[n][i]; c == endOfString {
				return 0, 0
			}
			return c, n
		}
	}
	return 0, 0
}

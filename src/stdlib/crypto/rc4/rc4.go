// Package rc4: RC4, which is no longer safe.
package rc4

import (
	"internal/blocks"
	"strconv"
)

type KeySizeError int

func (k KeySizeError) Error() string {
	return "crypto/rc4: invalid key size " + strconv.Itoa(int(k))
}

type Cipher struct {
	s    [256]uint32 // a permutation, which every byte changes
	i, j uint8
}

func NewCipher(key []byte) (*Cipher, error) {
	n := len(key)
	if n < 1 || n > 256 {
		return nil, KeySizeError(n)
	}
	c := new(Cipher)
	for i := range c.s {
		c.s[i] = uint32(i)
	}
	var other uint8
	for i := range c.s {
		other += uint8(c.s[i]) + key[i%n]
		c.s[i], c.s[other] = c.s[other], c.s[i]
	}
	return c, nil
}

func (c *Cipher) Reset() { *c = Cipher{} }

// code codes src into dst, and says how i and j stand then.
func code(s []uint32, i, j uint8, dst, src []byte) (uint8, uint8)

func (c *Cipher) XORKeyStream(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	if blocks.Shifted(dst[:len(src)], src) {
		panic("crypto/rc4: invalid buffer overlap")
	}
	_ = dst[len(src)-1]
	c.i, c.j = code(c.s[:], c.i, c.j, dst, src)
}

package ecdsa

import (
	"bytes"
	"crypto/hmac"
	"hash"
)

// A generator makes random bytes of what it is given at first: HMAC_DRBG of NIST SP 800-90A, which
// RFC 6979 uses for nonces.
type generator struct {
	hash       func() hash.Hash
	key, value []byte
}

func newGenerator(h func() hash.Hash, seed ...[]byte) *generator {
	size := h().Size()
	g := &generator{h, make([]byte, size), bytes.Repeat([]byte{1}, size)}
	g.update(0, seed)
	g.update(1, seed)
	return g
}

// update mixes more into the key.
func (g *generator) update(round byte, more [][]byte) {
	mac := hmac.New(g.hash, g.key)
	mac.Write(append(bytes.Clone(g.value), round))
	for _, b := range more {
		mac.Write(b)
	}
	g.key = mac.Sum(nil)
	g.next()
}

func (g *generator) next() {
	mac := hmac.New(g.hash, g.key)
	mac.Write(g.value)
	g.value = mac.Sum(nil)
}

func (g *generator) fill(out []byte) {
	for n := 0; n < len(out); {
		g.next()
		n += copy(out[n:], g.value)
	}
	g.update(0, nil)
}

package ecdsa

import (
	"bytes"
	"crypto/hmac"
	"hash"
	"slices"
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

// sum is the keyed sum of the parts.
func (g *generator) sum(parts ...[]byte) []byte {
	mac := hmac.New(g.hash, g.key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// update mixes more into the key.
func (g *generator) update(round byte, more [][]byte) {
	g.key = g.sum(slices.Concat([][]byte{g.value, {round}}, more)...)
	g.value = g.sum(g.value)
}

func (g *generator) fill(out []byte) {
	for len(out) > 0 {
		g.value = g.sum(g.value)
		out = out[copy(out, g.value):]
	}
	g.update(0, nil)
}

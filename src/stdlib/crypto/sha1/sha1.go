// Package sha1: SHA-1. FIPS 180-4.
package sha1

import (
	"crypto"
	"hash"
	core "internal/digest"
)

const (
	Size      = 20
	BlockSize = 64
)

var algorithm = core.Algorithm{
	Size: Size, Magic: "sha\x01", Name: "crypto/sha1", Block: block,
	Start: []uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
}

//go:effect crypto.makers
func init() { crypto.RegisterHash(crypto.SHA1, New) }

// block takes the whole blocks of p into the state h.
func block(h []uint32, p []byte)

type digest struct{ core.Digest }

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

func New() hash.Hash             { return &digest{core.Start(&algorithm)} }
func Sum(data []byte) [Size]byte { return [Size]byte(core.Of(&algorithm, data)) }

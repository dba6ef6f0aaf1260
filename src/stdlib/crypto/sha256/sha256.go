// Package sha256: SHA-224 and SHA-256. FIPS 180-4.
package sha256

import (
	"crypto"
	sums "crypto/internal/fips140/sha256"
	"hash"
	core "internal/digest"
)

const (
	Size      = 32
	Size224   = 28
	BlockSize = 64
)

var (
	long = core.Algorithm{
		Size: Size, Magic: "sha\x03", Name: "crypto/sha256", Block: block, Start: []uint32{
			0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
		},
	}
	short = core.Algorithm{
		Size: Size224, Magic: "sha\x02", Name: "crypto/sha256", Block: block, Start: []uint32{
			0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
			0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
		},
	}
)

//go:effect crypto.makers
func init() {
	crypto.RegisterHash(crypto.SHA224, New224)
	crypto.RegisterHash(crypto.SHA256, New)
}

// block takes the whole blocks of p into the state h.
func block(h []uint32, p []byte)

func New() hash.Hash    { return sums.New(&long) }
func New224() hash.Hash { return sums.New(&short) }

func Sum256(data []byte) [Size]byte    { return [Size]byte(core.Of(&long, data)) }
func Sum224(data []byte) [Size224]byte { return [Size224]byte(core.Of(&short, data)) }

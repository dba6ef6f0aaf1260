// Package sha512: SHA-384, SHA-512, and the two of SHA-512's size cut short. FIPS 180-4.
package sha512

import (
	"crypto"
	sums "crypto/internal/fips140/sha512"
	"hash"
	core "internal/digest"
)

const (
	Size      = 64
	Size224   = 28
	Size256   = 32
	Size384   = 48
	BlockSize = 128
)

var (
	full = core.WideAlgorithm{
		Size: Size, Magic: "sha\x07", Name: "crypto/sha512", Block: block, Start: []uint64{
			0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
			0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
		},
	}
	of384 = core.WideAlgorithm{
		Size: Size384, Magic: "sha\x04", Name: "crypto/sha512", Block: block, Start: []uint64{
			0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
			0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
		},
	}
	of224 = core.WideAlgorithm{
		Size: Size224, Magic: "sha\x05", Name: "crypto/sha512", Block: block, Start: []uint64{
			0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
			0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1,
		},
	}
	of256 = core.WideAlgorithm{
		Size: Size256, Magic: "sha\x06", Name: "crypto/sha512", Block: block, Start: []uint64{
			0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
			0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2,
		},
	}
)

//go:effect crypto.makers
func init() {
	crypto.RegisterHash(crypto.SHA512, New)
	crypto.RegisterHash(crypto.SHA512_256, New512_256)
	crypto.RegisterHash(crypto.SHA384, New384)
	crypto.RegisterHash(crypto.SHA512_224, New512_224)
}

// block takes the whole blocks of p into the state h.
func block(h []uint64, p []byte)

func New() hash.Hash        { return sums.New(&full) }
func New384() hash.Hash     { return sums.New(&of384) }
func New512_224() hash.Hash { return sums.New(&of224) }
func New512_256() hash.Hash { return sums.New(&of256) }

func Sum512(data []byte) [Size]byte        { return [Size]byte(core.OfWide(&full, data)) }
func Sum384(data []byte) [Size384]byte     { return [Size384]byte(core.OfWide(&of384, data)) }
func Sum512_224(data []byte) [Size224]byte { return [Size224]byte(core.OfWide(&of224, data)) }
func Sum512_256(data []byte) [Size256]byte { return [Size256]byte(core.OfWide(&of256, data)) }

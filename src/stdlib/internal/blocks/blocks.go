// Package blocks: the ciphers of crypto/aes and crypto/des, which package crypto/cipher knows, so
// that their modes are not block by block.
package blocks

import "unsafe"

// A Kind is one of the ciphers.
type Kind int

const (
	AES Kind = iota
	DES
	TripleDES
)

// A Block is a cipher with its key.
type Block struct {
	kind Kind
	name string // of the package, for panics
	size int
	key  []byte
}

func New(kind Kind, key []byte) *Block {
	b := &Block{kind: kind, name: "crypto/des", size: 8, key: append([]byte(nil), key...)}
	if kind == AES {
		b.name, b.size = "crypto/aes", 16
	}
	return b
}

// ecb codes whole blocks, each for itself.
func ecb(kind int, key, dst, src []byte, decrypts bool)

// cbc codes whole blocks, each with the one before, and leaves the last one in iv.
func cbc(kind int, key, iv, dst, src []byte, decrypts bool)

// ctr codes with a stream of counters, of which so many low bytes count. Of the first block used
// bytes are gone. The counter is that of the next byte then.
func ctr(kind int, key, counter []byte, counts, used int, dst, src []byte)

// ghash adds data to the sum of GCM; the last block is filled with zeros.
func ghash(key, sum, data []byte)

// AnyOverlap says whether x and y share memory.
func AnyOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	a, b := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	return a < b+uintptr(len(y)) && b < a+uintptr(len(x))
}

// Shifted says whether they do so, but not from the same place on.
func Shifted(x, y []byte) bool {
	return AnyOverlap(x, y) && unsafe.Pointer(&x[0]) != unsafe.Pointer(&y[0])
}

func (b *Block) IsAES() bool    { return b.kind == AES }
func (b *Block) Key() []byte    { return b.key }
func (b *Block) BlockSize() int { return b.size }

func (b *Block) one(dst, src []byte, decrypts bool) {
	if len(src) < b.size {
		panic(b.name + ": input not full block")
	}
	if len(dst) < b.size {
		panic(b.name + ": output not full block")
	}
	dst, src = dst[:b.size], src[:b.size]
	if Shifted(dst, src) {
		panic(b.name + ": invalid buffer overlap")
	}
	ecb(int(b.kind), b.key, dst, src, decrypts)
}

func (b *Block) Encrypt(dst, src []byte) { b.one(dst, src, false) }
func (b *Block) Decrypt(dst, src []byte) { b.one(dst, src, true) }

// CBC codes src, which is whole blocks, into dst.
func (b *Block) CBC(iv, dst, src []byte, decrypts bool) {
	cbc(int(b.kind), b.key, iv, dst, src, decrypts)
}

// CTR codes src into dst; see ctr.
func (b *Block) CTR(counter []byte, counts, used int, dst, src []byte) {
	ctr(int(b.kind), b.key, counter, counts, used, dst, src)
}

// Hash is the sum of GCM of these parts.
func Hash(key []byte, parts ...[]byte) []byte {
	sum := make([]byte, 16)
	for _, p := range parts {
		ghash(key, sum, p)
	}
	return sum
}

package cipher

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"internal/aead"
	"internal/blocks"
)

const (
	gcmBlock     = 16
	gcmNonce     = 12
	gcmTag       = 16
	gcmLeastTag  = 12
	gcmCounter   = 4 // bytes that count
	gcmMaxBlocks = 1<<32 - 2
)

var errOpen = errors.New("cipher: message authentication failed")

func NewGCM(cipher Block) (AEAD, error) { return newGCM(cipher, gcmNonce, gcmTag) }

func NewGCMWithNonceSize(cipher Block, size int) (AEAD, error) {
	return newGCM(cipher, size, gcmTag)
}

func NewGCMWithTagSize(cipher Block, tagSize int) (AEAD, error) {
	return newGCM(cipher, gcmNonce, tagSize)
}

func newGCM(b Block, nonce, tag int) (AEAD, error) {
	own, isOwn := b.(ownGCM)
	bad := ""
	switch {
	case tag < gcmLeastTag || tag > gcmTag:
		bad = "incorrect tag size given to GCM"
	case nonce <= 0:
		bad = "the nonce can't have zero length"
	case isOwn:
		return own.NewGCM(nonce, tag)
	case b.BlockSize() != gcmBlock:
		bad = "NewGCM requires 128-bit block cipher"
	default:
		return makeGCM(b, nonce, tag), nil
	}
	return nil, errors.New("cipher: " + bad)
}

type gcm struct {
	b          Block
	nonce, tag int
	key        []byte // of the sum
}

func makeGCM(b Block, nonce, tag int) *gcm {
	g := &gcm{b, nonce, tag, make([]byte, gcmBlock)}
	b.Encrypt(g.key, g.key)
	return g
}

func (g *gcm) NonceSize() int { return g.nonce }
func (g *gcm) Overhead() int  { return g.tag }

// lengths is the block with the lengths of both in bits.
func lengths(a, b int) []byte {
	block := binary.BigEndian.AppendUint64(nil, 8*uint64(a))
	return binary.BigEndian.AppendUint64(block, 8*uint64(b))
}

// first is the counter that hides the sum.
func (g *gcm) first(nonce []byte) []byte {
	if len(nonce) == gcmNonce {
		return append(append(make([]byte, 0, gcmBlock), nonce...), 0, 0, 0, 1)
	}
	return blocks.Hash(g.key, nonce, lengths(0, len(nonce)))
}

// whole is the key if package aead does all at once.
func (g *gcm) whole() []byte {
	known, ok := g.b.(*blocks.Block)
	if !ok || !known.IsAES() || g.nonce != gcmNonce || g.tag != gcmTag {
		return nil
	}
	return known.Key()
}

// code codes src into dst from the counter on, which it changes.
func (g *gcm) code(counter, dst, src []byte) {
	if known, ok := g.b.(*blocks.Block); ok {
		known.CTR(counter, gcmCounter, 0, dst, src)
		return
	}
	block := make([]byte, gcmBlock)
	for len(src) > 0 {
		g.b.Encrypt(block, counter)
		count(counter[gcmBlock-gcmCounter:])
		n := subtle.XORBytes(dst, src, block)
		dst, src = dst[n:], src[n:]
	}
}

// sum is the tag in full; the counter is then that of the text.
func (g *gcm) sum(counter, coded, additional []byte) []byte {
	mask := make([]byte, gcmBlock)
	g.code(counter, mask, mask)
	sum := blocks.Hash(g.key, additional, coded, lengths(len(additional), len(coded)))
	subtle.XORBytes(sum, sum, mask)
	return sum
}

// extended is b with n bytes more, and those; they lie in its memory if it has room.
func extended(b []byte, n int) (all, more []byte) {
	if all = b; cap(b) < len(b)+n {
		all = make([]byte, len(b), len(b)+n)
		copy(all, b)
	}
	all = all[:len(b)+n]
	return all, all[len(b):]
}

func checkOverlap(out, in, additional []byte) {
	if blocks.Shifted(out, in) {
		panic("crypto/cipher: invalid buffer overlap of output and input")
	}
	if blocks.AnyOverlap(out, additional) {
		panic("crypto/cipher: invalid buffer overlap of output and additional data")
	}
}

func (g *gcm) checkNonce(nonce []byte) {
	if len(nonce) != g.nonce {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
}

func (g *gcm) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	g.checkNonce(nonce)
	if uint64(len(plaintext)) > gcmMaxBlocks*gcmBlock {
		panic("crypto/cipher: message too large for GCM")
	}
	all, out := extended(dst, len(plaintext)+g.tag)
	checkOverlap(out, plaintext, additionalData)
	if key := g.whole(); key != nil {
		copy(out, plaintext)
		n := len(plaintext)
		aead.Seal(aead.AESGCM, key, nonce, additionalData, out[:n], out[n:])
		return all
	}
	counter := g.first(nonce)
	text := append([]byte(nil), counter...)
	count(text[gcmBlock-gcmCounter:])
	g.code(text, out[:len(plaintext)], plaintext)
	copy(out[len(plaintext):], g.sum(counter, out[:len(plaintext)], additionalData))
	return all
}

func (g *gcm) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	g.checkNonce(nonce)
	n := len(ciphertext) - g.tag
	if n < 0 || uint64(n) > gcmMaxBlocks*gcmBlock {
		return nil, errOpen
	}
	all, out := extended(dst, n)
	checkOverlap(out, ciphertext, additionalData)
	coded, tag := ciphertext[:n], ciphertext[n:]
	if key := g.whole(); key != nil {
		copy(out, coded)
		if !aead.Open(aead.AESGCM, key, nonce, additionalData, out, tag) {
			clear(out)
			return nil, errOpen
		}
		return all, nil
	}
	counter := g.first(nonce)
	if subtle.ConstantTimeCompare(g.sum(counter, coded, additionalData)[:g.tag], tag) != 1 {
		clear(out)
		return nil, errOpen
	}
	g.code(counter, out, coded)
	return all, nil
}

func NewGCMWithRandomNonce(cipher Block) (AEAD, error) {
	known, ok := cipher.(*blocks.Block)
	if !ok || !known.IsAES() {
		return nil, errors.New("cipher: NewGCMWithRandomNonce requires aes.Block")
	}
	return randomGCM{makeGCM(known, gcmNonce, gcmTag)}, nil
}

// A randomGCM puts the nonce before the text.
type randomGCM struct{ g *gcm }

func (r randomGCM) NonceSize() int { return 0 }
func (r randomGCM) Overhead() int  { return gcmNonce + gcmTag }

func checkNoNonce(nonce []byte) {
	if len(nonce) != 0 {
		panic("crypto/cipher: non-empty nonce passed to GCMWithRandomNonce")
	}
}

func (r randomGCM) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	checkNoNonce(nonce)
	all, out := extended(dst, len(plaintext)+r.Overhead())
	checkOverlap(out, plaintext, additionalData)
	text := append([]byte(nil), plaintext...)
	rand.Read(out[:gcmNonce])
	r.g.Seal(out[:gcmNonce], out[:gcmNonce], text, additionalData)
	return all
}

func (r randomGCM) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	checkNoNonce(nonce)
	if len(ciphertext) < r.Overhead() {
		return nil, errOpen
	}
	all, out := extended(dst, len(ciphertext)-r.Overhead())
	checkOverlap(out, ciphertext, additionalData)
	coded := append([]byte(nil), ciphertext...)
	if _, err := r.g.Open(out[:0], coded[:gcmNonce], coded[gcmNonce:], additionalData); err != nil {
		return nil, err
	}
	return all, nil
}

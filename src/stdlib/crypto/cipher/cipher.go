// Package cipher: what ciphers do, and the modes in which they code more than a block.
// SP 800-38A, 38D.
package cipher

import (
	"bytes"
	"crypto/subtle"
	"internal/blocks"
	"io"
)

type Block interface {
	BlockSize() int
	Encrypt(dst, src []byte)
	Decrypt(dst, src []byte)
}

type Stream interface {
	XORKeyStream(dst, src []byte)
}

type BlockMode interface {
	BlockSize() int
	CryptBlocks(dst, src []byte)
}

type AEAD interface {
	NonceSize() int
	Overhead() int
	Seal(dst, nonce, plaintext, additionalData []byte) []byte
	Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error)
}

type StreamReader struct {
	S Stream
	R io.Reader
}

func (from StreamReader) Read(dst []byte) (n int, err error) {
	n, err = from.R.Read(dst)
	from.S.XORKeyStream(dst[:n], dst[:n])
	return n, err
}

type StreamWriter struct {
	S   Stream
	W   io.Writer
	Err error
}

// coded is dst, with what the stream makes of src in it.
func coded(s Stream, dst, src []byte) []byte {
	s.XORKeyStream(dst, src)
	return dst
}

func (to StreamWriter) Write(src []byte) (n int, err error) {
	n, err = to.W.Write(coded(to.S, make([]byte, len(src)), src))
	if err != nil || n == len(src) {
		return n, err
	}
	return n, io.ErrShortWrite
}

func (to StreamWriter) Close() error {
	below, ok := to.W.(io.Closer)
	if !ok {
		return nil
	}
	return below.Close()
}

// room is the part of dst for src.
func room(dst, src []byte) []byte {
	if len(dst) < len(src) {
		panic("crypto/cipher: output smaller than input")
	}
	dst = dst[:len(src)]
	if blocks.Shifted(dst, src) {
		panic("crypto/cipher: invalid buffer overlap")
	}
	return dst
}

type cbc struct {
	b        Block
	iv       []byte
	decrypts bool
}

// A cipher of the program's may have modes of its own.
type (
	ownCBCEncrypter interface{ NewCBCEncrypter(iv []byte) BlockMode }
	ownCBCDecrypter interface{ NewCBCDecrypter(iv []byte) BlockMode }
	ownCTR          interface{ NewCTR(iv []byte) Stream }
	ownGCM          interface {
		NewGCM(nonceSize, tagSize int) (AEAD, error)
	}
)

func checkIV(call string, b Block, iv []byte) {
	if len(iv) != b.BlockSize() {
		panic("cipher." + call + ": IV length must equal block size")
	}
}

func NewCBCEncrypter(b Block, iv []byte) BlockMode {
	checkIV("NewCBCEncrypter", b, iv)
	if own, ok := b.(ownCBCEncrypter); ok {
		return own.NewCBCEncrypter(iv)
	}
	return &cbc{b, bytes.Clone(iv), false}
}

func NewCBCDecrypter(b Block, iv []byte) BlockMode {
	checkIV("NewCBCDecrypter", b, iv)
	if own, ok := b.(ownCBCDecrypter); ok {
		return own.NewCBCDecrypter(iv)
	}
	return &cbc{b, bytes.Clone(iv), true}
}

func (c *cbc) BlockSize() int { return len(c.iv) }

func (c *cbc) SetIV(iv []byte) {
	if len(iv) != len(c.iv) {
		panic("cipher: incorrect length IV")
	}
	copy(c.iv, iv)
}

func (c *cbc) CryptBlocks(dst, src []byte) {
	size := len(c.iv)
	if len(src)%size != 0 {
		panic("crypto/cipher: input not full blocks")
	}
	dst = room(dst, src)
	if known, ok := c.b.(*blocks.Block); ok {
		known.CBC(c.iv, dst, src, c.decrypts)
		return
	}
	coded := make([]byte, size)
	for ; len(src) > 0; dst, src = dst[size:], src[size:] {
		if c.decrypts {
			copy(coded, src)
			c.b.Decrypt(dst, src)
			subtle.XORBytes(dst, dst[:size], c.iv)
			copy(c.iv, coded)
		} else {
			subtle.XORBytes(dst, src[:size], c.iv)
			c.b.Encrypt(dst[:size], dst[:size])
			copy(c.iv, dst)
		}
	}
}

// A ctr of a known cipher.
type ctr struct {
	b       *blocks.Block
	counter []byte
	used    int // of its block
}

// A stream is made block by block.
type stream struct {
	b     Block
	next  func() // makes the block
	block []byte
	ready []byte // what is left of it
}

func NewCTR(block Block, iv []byte) Stream {
	size := block.BlockSize()
	known, isKnown := block.(*blocks.Block)
	if isKnown && known.IsAES() && len(iv) != size {
		panic("bad IV length")
	}
	if own, ok := block.(ownCTR); ok {
		return own.NewCTR(iv)
	}
	checkIV("NewCTR", block, iv)
	counter := bytes.Clone(iv)
	if isKnown {
		return &ctr{known, counter, 0}
	}
	s := &stream{b: block, block: make([]byte, size)}
	s.next = func() {
		block.Encrypt(s.block, counter)
		count(counter)
	}
	return s
}

// count adds one to a number.
func count(counter []byte) {
	for i := len(counter) - 1; i >= 0; i-- {
		counter[i]++
		if counter[i] != 0 {
			return
		}
	}
}

func (c *ctr) XORKeyStream(dst, src []byte) {
	if !c.b.IsAES() {
		dst = room(dst, src)
	} else if len(dst) < len(src) {
		panic("crypto/aes: len(dst) < len(src)")
	} else if dst = dst[:len(src)]; blocks.Shifted(dst, src) {
		panic("crypto/aes: invalid buffer overlap")
	}
	size := len(c.counter)
	c.b.CTR(c.counter, size, c.used, dst, src)
	c.used = (c.used + len(src)) % size
}

func (s *stream) XORKeyStream(dst, src []byte) {
	dst = room(dst, src)
	for len(src) > 0 {
		if len(s.ready) == 0 {
			s.next()
			s.ready = s.block
		}
		n := subtle.XORBytes(dst, src, s.ready)
		dst, src, s.ready = dst[n:], src[n:], s.ready[n:]
	}
}

func NewOFB(b Block, iv []byte) Stream {
	checkIV("NewOFB", b, iv)
	s := &stream{b: b, block: bytes.Clone(iv)}
	s.next = func() { b.Encrypt(s.block, s.block) }
	return s
}

// A cfb codes the block of what was coded before, and puts what it codes in place of what it has
// used of that.
type cfb struct {
	b        Block
	block    []byte
	used     int
	decrypts bool
}

func newCFB(b Block, iv []byte, decrypts bool) Stream {
	checkIV("newCFB", b, iv)
	return &cfb{b, bytes.Clone(iv), len(iv), decrypts}
}

func NewCFBEncrypter(block Block, iv []byte) Stream { return newCFB(block, iv, false) }
func NewCFBDecrypter(block Block, iv []byte) Stream { return newCFB(block, iv, true) }

func (c *cfb) XORKeyStream(dst, src []byte) {
	dst = room(dst, src)
	for i, in := range src {
		if c.used == len(c.block) {
			c.b.Encrypt(c.block, c.block)
			c.used = 0
		}
		out := in ^ c.block[c.used]
		dst[i] = out
		if c.decrypts {
			out = in
		}
		c.block[c.used] = out
		c.used++
	}
}

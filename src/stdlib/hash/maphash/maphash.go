// Package maphash: hashes as maps have them, with a seed, equal within one process only.
package maphash

import "hash"

type Seed struct{ s uint64 }

func random() uint64

// mix is the hash of b on top of h. An empty b leaves it.
func mix(h uint64, b []byte) uint64

// mixString is mix of the bytes of a string.
func mixString(h uint64, s string) uint64

// mixValue is the hash of a comparable value on top of h.
func mixValue(h uint64, v any) uint64

func MakeSeed() Seed {
	for {
		if s := random(); s != 0 {
			return Seed{s}
		}
	}
}

func (s Seed) check() uint64 {
	if s.s == 0 {
		panic("maphash: use of uninitialized Seed")
	}
	return s.s
}

// blockSize is how much is hashed at a time, so that the parts in which it is written do not count.
const blockSize = 128

func Bytes(seed Seed, b []byte) uint64 {
	h := seed.check()
	for ; len(b) > blockSize; b = b[blockSize:] {
		h = mix(h, b[:blockSize])
	}
	return mix(h, b)
}

func String(seed Seed, s string) uint64 {
	h := seed.check()
	for ; len(s) > blockSize; s = s[blockSize:] {
		h = mixString(h, s[:blockSize])
	}
	return mixString(h, s)
}

func Comparable[T comparable](seed Seed, v T) uint64 { return mixValue(seed.check(), v) }

type Hash struct {
	_     [0]func() // not comparable
	seed  Seed
	state uint64 // of the blocks before
	block [blockSize]byte
	n     int
}

func (h *Hash) begin() {
	if h.seed.s == 0 {
		h.seed = MakeSeed()
		h.state = h.seed.s
	}
}

// flush takes in the block, of which n bytes are filled.
func (h *Hash) flush() {
	h.begin()
	h.state = mix(h.state, h.block[:h.n])
	h.n = 0
}

func (h *Hash) Write(b []byte) (int, error) {
	written := len(b)
	for h.n+len(b) > blockSize {
		b = b[copy(h.block[h.n:], b):]
		h.n = blockSize
		h.flush()
	}
	h.n += copy(h.block[h.n:], b)
	return written, nil
}

func (h *Hash) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

func (h *Hash) WriteByte(b byte) error {
	if h.n == blockSize {
		h.flush()
	}
	h.block[h.n] = b
	h.n++
	return nil
}

func WriteComparable[T comparable](h *Hash, x T) {
	if h.n > 0 {
		h.flush()
	}
	h.begin()
	h.state = mixValue(h.state, x)
}

func (h *Hash) Seed() Seed {
	h.begin()
	return h.seed
}

func (h *Hash) SetSeed(seed Seed) {
	h.state = seed.check()
	h.seed = seed
	h.n = 0
}

func (h *Hash) Reset() {
	h.begin()
	h.state = h.seed.s
	h.n = 0
}

func (h *Hash) Sum64() uint64 {
	h.begin()
	return mix(h.state, h.block[:h.n])
}

func (h *Hash) Sum(b []byte) []byte {
	sum := h.Sum64()
	for range 8 {
		b = append(b, byte(sum))
		sum >>= 8
	}
	return b
}

func (h *Hash) Size() int      { return 8 }
func (h *Hash) BlockSize() int { return blockSize }

func (h *Hash) Clone() (hash.Cloner, error) {
	h.begin()
	c := *h
	return &c, nil
}

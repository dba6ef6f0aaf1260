// Package bzip2: decompression of sorted blocks.
package bzip2

import "io"

type StructuralError string

func (s StructuralError) Error() string { return "bzip2 data invalid: " + string(s) }

// block decodes the block whose bits begin in input at bit, behind its magic, into table. How many
// bits it took, of how many bytes it consists, where they begin, their checksum, and what is wrong,
// or that the input ends in it.
func block(table []uint32, input []byte, bit int) (bits, n, start int, sum uint32, bad string)

// unfold fills out with bytes of a block; the state says how far it has come.
func unfold(state, table []uint32, out []byte) int

const short = "short" // what block says where the input ends

// Words of the state of unfold.
const (
	stateNext = iota
	stateUsed
	stateLast
	stateSame
	stateRepeats
	stateSum
	stateWords
)

const (
	magicBlock = 0x314159265359
	magicEnd   = 0x177245385090
	level      = 100 * 1000
	firstRead  = 32 << 10
)

type reader struct {
	r     io.Reader
	input []byte // not yet used
	bit   int    // of its first byte, how many are
	end   error  // of r

	begun bool
	eof   bool
	err   error // of the input, which stays

	table []uint32
	used  []uint32 // of the table, the block
	state []uint32
	want  uint32 // checksum of the block
	whole uint32 // checksum of the blocks before
}

func NewReader(r io.Reader) io.Reader {
	return &reader{r: r, state: make([]uint32, stateWords)}
}

// more reads until there are n bytes. False: there are not so many.
func (z *reader) more(n int) bool {
	for len(z.input) < n && z.end == nil {
		if cap(z.input) < n {
			z.input = append(make([]byte, 0, 2*n), z.input...)
		}
		var got int
		got, z.end = z.r.Read(z.input[len(z.input):cap(z.input)])
		z.input = z.input[:len(z.input)+got]
	}
	return len(z.input) >= n
}

// cut notes why there is no more input.
func (z *reader) cut() error {
	z.err = z.end
	if z.err == io.EOF {
		z.err = io.ErrUnexpectedEOF
	}
	return z.err
}

func (z *reader) skip(bits int) {
	bits += z.bit
	z.input, z.bit = z.input[bits/8:], bits%8
}

// number takes so many bits, at most 48.
func (z *reader) number(bits int) (uint64, bool) {
	bytes := (z.bit + bits + 7) / 8
	if !z.more(bytes) {
		z.cut()
		return 0, false
	}
	var v uint64
	for _, b := range z.input[:bytes] {
		v = v<<8 | uint64(b)
	}
	v = v >> (8*bytes - z.bit - bits) & (1<<bits - 1)
	z.skip(bits)
	return v, true
}

// header takes the start of a file behind its first two letters.
func (z *reader) header() error {
	kind, ok := z.number(8)
	if !ok {
		return z.err
	}
	if kind != 'h' {
		return StructuralError("non-Huffman entropy encoding")
	}
	size, ok := z.number(8)
	if !ok {
		return z.err
	}
	if size < '1' || size > '9' {
		return StructuralError("invalid compression level")
	}
	z.table = make([]uint32, level*int(size-'0'))
	z.whole = 0
	return nil
}

func (z *reader) Read(buf []byte) (n int, err error) {
	if z.eof {
		return 0, io.EOF
	}
	if z.err != nil {
		return 0, z.err
	}
	if !z.begun {
		v, ok := z.number(16)
		if !ok {
			return 0, z.err
		}
		if v != 'B'<<8|'Z' {
			return 0, StructuralError("bad magic value")
		}
		if err := z.header(); err != nil {
			return 0, err
		}
		z.begun = true
	}
	for {
		n := unfold(z.state, z.used, buf)
		if n > 0 || len(buf) == 0 {
			return n, z.err
		}
		if z.state[stateSum] != z.want {
			z.err = StructuralError("block checksum mismatch")
			return 0, z.err
		}
		if err := z.next(); err != nil {
			return 0, err
		}
	}
}

// next goes on to the next block.
func (z *reader) next() error {
	magic, ok := z.number(48)
	switch {
	case !ok:
		return z.err
	case magic == magicBlock:
		return z.block()
	case magic != magicEnd:
		return StructuralError("bad magic value found")
	}
	sum, ok := z.number(32)
	if !ok {
		return z.err
	}
	if uint32(sum) != z.whole {
		z.err = StructuralError("file checksum mismatch")
		return z.err
	}
	if z.bit > 0 {
		z.skip(8 - z.bit)
	}
	if !z.more(1) && z.end == io.EOF {
		z.eof = true
		return io.EOF
	}
	// Another file follows.
	letters, ok := z.number(16)
	if !ok {
		return z.err
	}
	if letters != 'B'<<8|'Z' {
		return StructuralError("bad magic value in continuation file")
	}
	return z.header()
}

// block takes a block. Behind the end of the input Go reads zeros: a block that they complete gives
// bytes, the first of them along with the error.
func (z *reader) block() error {
	for try := firstRead; ; try *= 2 {
		z.more(try)
		bits, n, start, sum, bad := block(z.table, z.input, z.bit)
		if bad == short {
			if len(z.input) < try {
				z.cut()
				z.input = append(z.input, make([]byte, try)...)
			}
			continue
		}
		if z.err != nil && bad != "" {
			return z.err
		}
		if bad != "" {
			return StructuralError(bad)
		}
		z.skip(bits)
		z.want = sum
		z.whole = (z.whole<<1 | z.whole>>31) ^ sum
		z.used = z.table[:n]
		clear(z.state)
		z.state[stateNext] = uint32(start)
		return nil
	}
}

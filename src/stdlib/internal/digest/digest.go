// Package digest: what MD5, SHA-1 and SHA-256 have in common. All take blocks of 64 bytes into a
// state of 32-bit words, and end with a padding that tells how many bits there were. A Wide is the
// same for SHA-512, whose blocks and words have twice the size.
package digest

import "errors"

const blockSize = 64

// An Algorithm is one of them.
type Algorithm struct {
	Size  int      // of the sum, in bytes
	Start []uint32 // the state at first
	Low   bool     // words and the length stand with the lowest byte first
	Magic string   // what a state under way begins with, as bytes
	Name  string   // of the package, for errors
	Block func(state []uint32, p []byte)
}

// A Digest is a sum under way.
type Digest struct {
	alg   *Algorithm
	state [8]uint32
	rest  [blockSize]byte // what fills no block yet
	total uint64
}

func Start(a *Algorithm) Digest {
	d := Digest{alg: a}
	d.Reset()
	return d
}

func (d *Digest) Size() int      { return d.alg.Size }
func (d *Digest) BlockSize() int { return blockSize }

func (d *Digest) Reset() {
	d.total = 0
	copy(d.state[:], d.alg.Start)
}

func (d *Digest) blocks(p []byte) { d.alg.Block(d.state[:len(d.alg.Start)], p) }

func (d *Digest) Write(p []byte) (int, error) {
	n, begun := len(p), int(d.total%blockSize)
	d.total += uint64(n)
	if begun+n >= blockSize {
		if begun > 0 {
			p = p[copy(d.rest[begun:], p):]
			d.blocks(d.rest[:])
			begun = 0
		}
		whole := len(p) &^ (blockSize - 1)
		if whole > 0 {
			d.blocks(p[:whole])
		}
		p = p[whole:]
	}
	copy(d.rest[begun:], p)
	return n, nil
}

// Sum leaves the state as it is, so that more may be written.
func (d *Digest) Sum(in []byte) []byte {
	c := *d
	return c.finish(in)
}

// shift is where byte i of a number of n bytes stands.
func (d *Digest) shift(i, n int) int {
	if !d.alg.Low {
		i = n - 1 - i
	}
	return 8 * i
}

func (d *Digest) finish(sum []byte) []byte {
	bits := d.total * 8
	pad := make([]byte, 1, 2*blockSize)
	pad[0] = 0x80
	for (int(d.total%blockSize)+len(pad)+8)%blockSize != 0 {
		pad = append(pad, 0)
	}
	for i := range 8 {
		pad = append(pad, byte(bits>>d.shift(i, 8)))
	}
	d.Write(pad)
	for i := range d.alg.Size {
		sum = append(sum, byte(d.state[i/4]>>d.shift(i%4, 4)))
	}
	return sum
}

// AppendBinary gives the state: which algorithm, words, the block that has begun, and the length.
func (d *Digest) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, d.alg.Magic...)
	for _, w := range d.state[:len(d.alg.Start)] {
		b = append(b, byte(w>>24), byte(w>>16), byte(w>>8), byte(w))
	}
	return appendLength(appendRest(b, d.rest[:], d.total), d.total), nil
}

// appendRest appends what has begun of a block, with zeros behind it.
func appendRest(b, block []byte, total uint64) []byte {
	end := len(b) + len(block)
	b = append(b, block...)
	clear(b[end-len(block)+int(total%uint64(len(block))):])
	return b
}

func appendLength(b []byte, n uint64) []byte {
	for shift := 56; shift >= 0; shift -= 8 {
		b = append(b, byte(n>>shift))
	}
	return b
}

func (d *Digest) MarshalBinary() ([]byte, error) {
	words := len(d.alg.Start)
	return d.AppendBinary(make([]byte, 0, len(d.alg.Magic)+4*words+blockSize+8))
}

// stateIn is what follows the magic in a state of so many bytes.
func stateIn(b []byte, magic, name string, size int) ([]byte, error) {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, errors.New(name + ": invalid hash state identifier")
	}
	if b = b[len(magic):]; len(b) != size {
		return nil, errors.New(name + ": invalid hash state size")
	}
	return b, nil
}

// number takes the number of so many bytes at the start of b.
func number(b []byte, bytes int) (uint64, []byte) {
	var n uint64
	for _, c := range b[:bytes] {
		n = n<<8 | uint64(c)
	}
	return n, b[bytes:]
}

func (d *Digest) UnmarshalBinary(b []byte) error {
	words := len(d.alg.Start)
	b, err := stateIn(b, d.alg.Magic, d.alg.Name, 4*words+blockSize+8)
	if err != nil {
		return err
	}
	for i := range words {
		var w uint64
		w, b = number(b, 4)
		d.state[i] = uint32(w)
	}
	copy(d.rest[:], b)
	d.total, _ = number(b[blockSize:], 8)
	return nil
}

// Of is the sum of data.
func Of(a *Algorithm, data []byte) []byte {
	d := Start(a)
	d.Write(data)
	return d.finish(nil)
}

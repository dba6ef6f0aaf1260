// Package digest: what MD5, SHA-1 and SHA-256 have in common. All take blocks of 64 bytes into a state of 32-bit words, and end with a
// padding that tells how many bits there were.
package digest

const blockSize = 64

// An Algorithm is one of them.
type Algorithm struct {
	Size  int      // of the sum, in bytes
	Start []uint32 // the state at first
	Low   bool     // words and the length stand with the lowest byte first
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
	n := len(p)
	if begun := int(d.total % blockSize); begun > 0 {
		some := copy(d.rest[begun:], p)
		p = p[some:]
		if begun+some == blockSize {
			d.blocks(d.rest[:])
		}
	}
	if whole := len(p) &^ (blockSize - 1); whole > 0 {
		d.blocks(p[:whole])
		p = p[whole:]
	}
	d.total += uint64(n)
	if len(p) > 0 {
		copy(d.rest[:], p)
	}
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

// Of is the sum of data.
func Of(a *Algorithm, data []byte) []byte {
	d := Start(a)
	d.Write(data)
	return d.finish(nil)
}

// Package md5: MD5. RFC 1321.
package md5

import "hash"

const (
	Size      = 16
	BlockSize = 64
)

// A digest is the state, the bytes that fill no block yet, and how many there were in all.
type digest struct {
	h   [4]uint32
	x   [BlockSize]byte
	nx  int
	len uint64
}

func (d *digest) Write(p []byte) (nn int, err error) {
	nn = len(p)
	d.len += uint64(nn)
	if d.nx > 0 {
		n := copy(d.x[d.nx:], p)
		d.nx += n
		if d.nx == BlockSize {
			block(d.h[:], d.x[:])
			d.nx = 0
		}
		p = p[n:]
	}
	if len(p) >= BlockSize {
		n := len(p) / BlockSize * BlockSize
		block(d.h[:], p[:n])
		p = p[n:]
	}
	if len(p) > 0 {
		d.nx = copy(d.x[:], p)
	}
	return
}

func (d *digest) BlockSize() int { return BlockSize }

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// Sum leaves the state as it is, so that more may be written.
func (d *digest) Sum(in []byte) []byte {
	c := *d
	sum := c.finish()
	return append(in, sum[:d.Size()]...)
}

func (d *digest) finish() (sum [Size]byte) {
	bits := d.len << 3
	var pad [BlockSize + 8]byte
	pad[0] = 0x80
	n := (119-int(d.len%64))%64 + 1
	for i := 0; i < 8; i++ {
		pad[n+i] = byte(bits >> (8 * i))
	}
	d.Write(pad[:n+8])
	for i := 0; i < Size; i++ {
		sum[i] = byte(d.h[i/4] >> (8 * (i % 4)))
	}
	return
}

func (d *digest) Size() int { return Size }

func (d *digest) Reset() {
	d.nx, d.len = 0, 0
	d.h = [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
}

func New() hash.Hash {
	d := new(digest)
	d.Reset()
	return d
}

func Sum(data []byte) [Size]byte {
	d := new(digest)
	d.Reset()
	d.Write(data)
	return d.finish()
}

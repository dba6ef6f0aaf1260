// Package sha256: SHA-224 and SHA-256. FIPS 180-4.
package sha256

import "hash"

const (
	Size      = 32
	Size224   = 28
	BlockSize = 64
)

// A digest is the state, the bytes that fill no block yet, and how many there were in all.
type digest struct {
	h     [8]uint32
	x     [BlockSize]byte
	nx    int
	len   uint64
	is224 bool
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
		pad[n+i] = byte(bits >> (8 * (7 - i)))
	}
	d.Write(pad[:n+8])
	for i := 0; i < Size; i++ {
		sum[i] = byte(d.h[i/4] >> (8 * (3 - i%4)))
	}
	return
}

func (d *digest) Size() int {
	if d.is224 {
		return Size224
	}
	return Size
}

func (d *digest) Reset() {
	d.nx, d.len = 0, 0
	if d.is224 {
		d.h = [8]uint32{0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4}
	} else {
		d.h = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	}
}

func New() hash.Hash {
	d := new(digest)
	d.Reset()
	return d
}

func New224() hash.Hash {
	d := &digest{is224: true}
	d.Reset()
	return d
}

func Sum256(data []byte) [Size]byte {
	d := new(digest)
	d.Reset()
	d.Write(data)
	return d.finish()
}

func Sum224(data []byte) (sum [Size224]byte) {
	d := &digest{is224: true}
	d.Reset()
	d.Write(data)
	full := d.finish()
	copy(sum[:], full[:])
	return
}

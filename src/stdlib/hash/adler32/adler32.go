// Package adler32: the checksum of zlib (RFC 1950).
package adler32

import (
	"errors"
	"hash"
	"strings"
)

const Size = 4

// digest is the sum of the bytes, plus one, in the lower half; in the upper one the sum of all values
// that the lower one has had. Both are modulo 65,521.
type digest uint32

// update is the checksum of what sum stands for and p behind it.
func update(sum uint32, p []byte) uint32

func New() hash.Hash32 {
	d := new(digest)
	d.Reset()
	return d
}

func Checksum(data []byte) uint32 { return update(1, data) }

func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return 4 }
func (d *digest) Reset()         { *d = 1 }
func (d *digest) Sum32() uint32  { return uint32(*d) }

func (d *digest) Write(p []byte) (n int, err error) {
	*d = digest(update(uint32(*d), p))
	return len(p), nil
}

func (d *digest) Sum(to []byte) []byte {
	high, low := *d>>16, *d
	return append(to, byte(high>>8), byte(high), byte(low>>8), byte(low))
}

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

const magic = "adl\x01"

// AppendBinary gives the state: its kind, the sum.
func (d *digest) AppendBinary(b []byte) ([]byte, error) { return d.Sum(append(b, magic...)), nil }

func (d *digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

func (d *digest) UnmarshalBinary(b []byte) error {
	state, ok := strings.CutPrefix(string(b), magic)
	switch {
	case !ok:
		return errors.New("hash/adler32: invalid hash state identifier")
	case len(state) != Size:
		return errors.New("hash/adler32: invalid hash state size")
	}
	for _, c := range []byte(state) {
		*d = *d<<8 | digest(c)
	}
	return nil
}

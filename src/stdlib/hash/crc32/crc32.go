// Package crc32: cyclic redundancy checks of 32 bits.
package crc32

import (
	"errors"
	"hash"
	"strings"
	"sync"
)

const Size = 4

const (
	IEEE       = 0xedb88320
	Castagnoli = 0x82f63b78
	Koopman    = 0xeb31d82e
)

type Table [256]uint32

// IEEETable is filled at once: programs may read it.
var IEEETable = fill(IEEE)

var castagnoli struct {
	once  sync.Once
	table *Table
}

func fill(poly uint32) *Table {
	t := new(Table)
	crc := uint32(1)
	for half := len(t) / 2; half > 0; half /= 2 {
		crc = crc>>1 ^ poly&-(crc&1)
		// The remainder of a sum is the sum of the remainders.
		for i := 0; i < len(t); i += 2 * half {
			t[i+half] = t[i] ^ crc
		}
	}
	return t
}

func MakeTable(poly uint32) *Table {
	switch poly {
	case IEEE:
		return IEEETable
	case Castagnoli:
		castagnoli.once.Do(func() { castagnoli.table = fill(Castagnoli) })
		return castagnoli.table
	}
	return fill(poly)
}

// update is Update over any table of 256 words.
func update(crc uint32, tab []uint32, p []byte) uint32

func Update(crc uint32, tab *Table, p []byte) uint32 {
	if len(p) == 0 {
		return crc
	}
	return update(crc, tab[:], p)
}

func ChecksumIEEE(data []byte) uint32         { return Update(0, IEEETable, data) }
func Checksum(data []byte, tab *Table) uint32 { return Update(0, tab, data) }

type digest struct {
	crc uint32
	tab *Table
}

func New(tab *Table) hash.Hash32 { return &digest{0, tab} }
func NewIEEE() hash.Hash32       { return New(IEEETable) }

// big appends the bytes of v, the highest first.
func big(b []byte, v uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		b = append(b, byte(v>>shift))
	}
	return b
}

func (d *digest) Write(p []byte) (n int, err error) {
	d.crc = Update(d.crc, d.tab, p)
	return len(p), nil
}

func (d *digest) Reset()               { d.crc = 0 }
func (d *digest) Sum32() uint32        { return d.crc }
func (d *digest) Sum(in []byte) []byte { return big(in, d.crc) }
func (d *digest) BlockSize() int       { return 1 }
func (d *digest) Size() int            { return Size }

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

const magic = "crc\x01"

func (d *digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

// AppendBinary gives the state: its kind, a check of the table, the sum.
func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	return big(big(append(b, magic...), d.tab.sum()), d.crc), nil
}

func (d *digest) UnmarshalBinary(b []byte) error {
	state, ok := strings.CutPrefix(string(b), magic)
	switch {
	case !ok:
		return errors.New("hash/crc32: invalid hash state identifier")
	case len(state) != 2*Size:
		return errors.New("hash/crc32: invalid hash state size")
	case state[:Size] != string(big(nil, d.tab.sum())):
		return errors.New("hash/crc32: tables do not match")
	}
	for _, c := range []byte(state[Size:]) {
		d.crc = d.crc<<8 | uint32(c)
	}
	return nil
}

func (t *Table) sum() uint32 {
	var b []byte
	for _, v := range t {
		b = big(b, v)
	}
	return ChecksumIEEE(b)
}

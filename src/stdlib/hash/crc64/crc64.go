// Package crc64: cyclic redundancy checks of 64 bits.
package crc64

import (
	"errors"
	"hash"
	"strings"
	"sync"
)

const Size = 8

const (
	ISO  = 0xd800000000000000
	ECMA = 0xc96c5795d7870f42
)

type Table [256]uint64

// The two common tables are shared.
var (
	iso  = sync.OnceValue(func() *Table { return fill(ISO) })
	ecma = sync.OnceValue(func() *Table { return fill(ECMA) })
)

func fill(poly uint64) *Table {
	t := new(Table)
	crc := uint64(1)
	for half := len(t) / 2; half > 0; half /= 2 {
		crc = crc>>1 ^ poly&-(crc&1)
		// The remainder of a sum is the sum of the remainders.
		for i := 0; i < len(t); i += 2 * half {
			t[i+half] = t[i] ^ crc
		}
	}
	return t
}

func MakeTable(poly uint64) *Table {
	switch poly {
	case ISO:
		return iso()
	case ECMA:
		return ecma()
	}
	return fill(poly)
}

// update is Update over any table of 256 words.
func update(crc uint64, tab []uint64, p []byte) uint64

func Update(crc uint64, tab *Table, p []byte) uint64 {
	if len(p) == 0 {
		return crc
	}
	return update(crc, tab[:], p)
}

func Checksum(data []byte, tab *Table) uint64 { return Update(0, tab, data) }

type digest struct {
	crc uint64
	tab *Table
}

func New(tab *Table) hash.Hash64 { return &digest{0, tab} }

func (d *digest) Size() int      { return Size }
func (d *digest) BlockSize() int { return 1 }
func (d *digest) Reset()         { d.crc = 0 }
func (d *digest) Sum64() uint64  { return d.crc }

func (d *digest) Write(p []byte) (n int, err error) {
	d.crc = Update(d.crc, d.tab, p)
	return len(p), nil
}

func big(b []byte, v uint64) []byte {
	for shift := 56; shift >= 0; shift -= 8 {
		b = append(b, byte(v>>shift))
	}
	return b
}

func (d *digest) Sum(in []byte) []byte { return big(in, d.crc) }

func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

const magic = "crc\x02"

// AppendBinary gives the state: its kind, a check of the table, the sum.
func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	return big(big(append(b, magic...), d.tab.sum()), d.crc), nil
}

func (d *digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

func (d *digest) UnmarshalBinary(b []byte) error {
	state, ok := strings.CutPrefix(string(b), magic)
	switch {
	case !ok:
		return errors.New("hash/crc64: invalid hash state identifier")
	case len(state) != 2*Size:
		return errors.New("hash/crc64: invalid hash state size")
	case state[:Size] != string(big(nil, d.tab.sum())):
		return errors.New("hash/crc64: tables do not match")
	}
	for _, c := range []byte(state[Size:]) {
		d.crc = d.crc<<8 | uint64(c)
	}
	return nil
}

func (t *Table) sum() uint64 {
	var b []byte
	if t != nil {
		for _, v := range t {
			b = big(b, v)
		}
	}
	return Checksum(b, MakeTable(ISO))
}

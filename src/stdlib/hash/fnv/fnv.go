// Package fnv: the hashes of Fowler, Noll and Vo.
package fnv

import (
	"errors"
	"hash"
	"math/bits"
)

type (
	sum32   uint32
	sum32a  uint32
	sum64   uint64
	sum64a  uint64
	sum128  [2]uint64
	sum128a [2]uint64
)

const (
	offset32      = 2166136261
	offset64      = 14695981039346656037
	offset128High = 0x6c62272e07bb0142
	offset128Low  = 0x62b821756295c58d
	prime32       = 16777619
	prime64       = 1099511628211
	prime128Low   = 0x13b
	primeShift    = 24
)

func New32() hash.Hash32    { s := sum32(offset32); return &s }
func New32a() hash.Hash32   { s := sum32a(offset32); return &s }
func New64() hash.Hash64    { s := sum64(offset64); return &s }
func New64a() hash.Hash64   { s := sum64a(offset64); return &s }
func New128() hash.Hash     { return &sum128{offset128High, offset128Low} }
func New128a() hash.Hash    { return &sum128a{offset128High, offset128Low} }
func (sum *sum32) Reset()   { *sum = offset32 }
func (sum *sum32a) Reset()  { *sum = offset32 }
func (sum *sum64) Reset()   { *sum = offset64 }
func (sum *sum64a) Reset()  { *sum = offset64 }
func (sum *sum128) Reset()  { *sum = sum128{offset128High, offset128Low} }
func (sum *sum128a) Reset() { *sum = sum128a{offset128High, offset128Low} }
func (*sum32) Size() int    { return 4 }
func (*sum32a) Size() int   { return 4 }
func (*sum64) Size() int    { return 8 }
func (*sum64a) Size() int   { return 8 }
func (*sum128) Size() int   { return 16 }
func (*sum128a) Size() int  { return 16 }

func (*sum32) BlockSize() int   { return 1 }
func (*sum32a) BlockSize() int  { return 1 }
func (*sum64) BlockSize() int   { return 1 }
func (*sum64a) BlockSize() int  { return 1 }
func (*sum128) BlockSize() int  { return 1 }
func (*sum128a) BlockSize() int { return 1 }

func (sum *sum32) Sum32() uint32  { return uint32(*sum) }
func (sum *sum32a) Sum32() uint32 { return uint32(*sum) }
func (sum *sum64) Sum64() uint64  { return uint64(*sum) }
func (sum *sum64a) Sum64() uint64 { return uint64(*sum) }

func (sum *sum32) Write(data []byte) (int, error) {
	h := *sum
	for _, c := range data {
		h = h*prime32 ^ sum32(c)
	}
	*sum = h
	return len(data), nil
}

func (sum *sum32a) Write(data []byte) (int, error) {
	h := *sum
	for _, c := range data {
		h = (h ^ sum32a(c)) * prime32
	}
	*sum = h
	return len(data), nil
}

func (sum *sum64) Write(data []byte) (int, error) {
	h := *sum
	for _, c := range data {
		h = h*prime64 ^ sum64(c)
	}
	*sum = h
	return len(data), nil
}

func (sum *sum64a) Write(data []byte) (int, error) {
	h := *sum
	for _, c := range data {
		h = (h ^ sum64a(c)) * prime64
	}
	*sum = h
	return len(data), nil
}

// times128 multiplies by the prime 2^88 + 0x13b.
func times128(x [2]uint64) [2]uint64 {
	high, low := bits.Mul64(prime128Low, x[1])
	return [2]uint64{high + x[1]<<primeShift + prime128Low*x[0], low}
}

func (sum *sum128) Write(data []byte) (int, error) {
	for _, c := range data {
		*sum = times128(*sum)
		sum[1] ^= uint64(c)
	}
	return len(data), nil
}

func (sum *sum128a) Write(data []byte) (int, error) {
	for _, c := range data {
		sum[1] ^= uint64(c)
		*sum = times128(*sum)
	}
	return len(data), nil
}

// big appends a value, its highest byte first.
func big(b []byte, v uint64, size int) []byte {
	for i := size - 1; i >= 0; i-- {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

func (sum *sum32) Sum(in []byte) []byte   { return big(in, uint64(*sum), 4) }
func (sum *sum32a) Sum(in []byte) []byte  { return big(in, uint64(*sum), 4) }
func (sum *sum64) Sum(in []byte) []byte   { return big(in, uint64(*sum), 8) }
func (sum *sum64a) Sum(in []byte) []byte  { return big(in, uint64(*sum), 8) }
func (sum *sum128) Sum(in []byte) []byte  { return big(big(in, sum[0], 8), sum[1], 8) }
func (sum *sum128a) Sum(in []byte) []byte { return big(big(in, sum[0], 8), sum[1], 8) }

func (sum *sum32) Clone() (hash.Cloner, error)   { c := *sum; return &c, nil }
func (sum *sum32a) Clone() (hash.Cloner, error)  { c := *sum; return &c, nil }
func (sum *sum64) Clone() (hash.Cloner, error)   { c := *sum; return &c, nil }
func (sum *sum64a) Clone() (hash.Cloner, error)  { c := *sum; return &c, nil }
func (sum *sum128) Clone() (hash.Cloner, error)  { c := *sum; return &c, nil }
func (sum *sum128a) Clone() (hash.Cloner, error) { c := *sum; return &c, nil }

// ---- States as bytes: a name and the sum.

func (sum *sum32) AppendBinary(b []byte) ([]byte, error) {
	return sum.Sum(append(b, "fnv\x01"...)), nil
}
func (sum *sum32a) AppendBinary(b []byte) ([]byte, error) {
	return sum.Sum(append(b, "fnv\x02"...)), nil
}
func (sum *sum64) AppendBinary(b []byte) ([]byte, error) {
	return sum.Sum(append(b, "fnv\x03"...)), nil
}
func (sum *sum64a) AppendBinary(b []byte) ([]byte, error) {
	return sum.Sum(append(b, "fnv\x04"...)), nil
}
func (sum *sum128) AppendBinary(b []byte) ([]byte, error) {
	return sum.Sum(append(b, "fnv\x05"...)), nil
}
func (sum *sum128a) AppendBinary(b []byte) ([]byte, error) {
	return sum.Sum(append(b, "fnv\x06"...)), nil
}
func (sum *sum32) MarshalBinary() ([]byte, error)   { return sum.AppendBinary(nil) }
func (sum *sum32a) MarshalBinary() ([]byte, error)  { return sum.AppendBinary(nil) }
func (sum *sum64) MarshalBinary() ([]byte, error)   { return sum.AppendBinary(nil) }
func (sum *sum64a) MarshalBinary() ([]byte, error)  { return sum.AppendBinary(nil) }
func (sum *sum128) MarshalBinary() ([]byte, error)  { return sum.AppendBinary(nil) }
func (sum *sum128a) MarshalBinary() ([]byte, error) { return sum.AppendBinary(nil) }

// state checks such bytes, and gives the value's halves.
func state(b []byte, kind byte, size int) (high, low uint64, err error) {
	if len(b) < 4 || string(b[:3]) != "fnv" || b[3] != kind {
		return 0, 0, errors.New("hash/fnv: invalid hash state identifier")
	}
	if len(b) != 4+size {
		return 0, 0, errors.New("hash/fnv: invalid hash state size")
	}
	for _, c := range b[4:] {
		high = high<<8 | low>>56
		low = low<<8 | uint64(c)
	}
	return high, low, nil
}

func (sum *sum32) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 1, 4)
	if err == nil {
		*sum = sum32(v)
	}
	return err
}

func (sum *sum32a) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 2, 4)
	if err == nil {
		*sum = sum32a(v)
	}
	return err
}

func (sum *sum64) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 3, 8)
	if err == nil {
		*sum = sum64(v)
	}
	return err
}

func (sum *sum64a) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 4, 8)
	if err == nil {
		*sum = sum64a(v)
	}
	return err
}

func (sum *sum128) UnmarshalBinary(b []byte) error {
	high, low, err := state(b, 5, 16)
	if err == nil {
		*sum = sum128{high, low}
	}
	return err
}

func (sum *sum128a) UnmarshalBinary(b []byte) error {
	high, low, err := state(b, 6, 16)
	if err == nil {
		*sum = sum128a{high, low}
	}
	return err
}

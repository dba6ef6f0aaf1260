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

func New32() hash.Hash32   { s := sum32(offset32); return &s }
func New32a() hash.Hash32  { s := sum32a(offset32); return &s }
func New64() hash.Hash64   { s := sum64(offset64); return &s }
func New64a() hash.Hash64  { s := sum64a(offset64); return &s }
func New128() hash.Hash    { return &sum128{offset128High, offset128Low} }
func New128a() hash.Hash   { return &sum128a{offset128High, offset128Low} }
func (s *sum32) Reset()    { *s = offset32 }
func (s *sum32a) Reset()   { *s = offset32 }
func (s *sum64) Reset()    { *s = offset64 }
func (s *sum64a) Reset()   { *s = offset64 }
func (s *sum128) Reset()   { *s = sum128{offset128High, offset128Low} }
func (s *sum128a) Reset()  { *s = sum128a{offset128High, offset128Low} }
func (*sum32) Size() int   { return 4 }
func (*sum32a) Size() int  { return 4 }
func (*sum64) Size() int   { return 8 }
func (*sum64a) Size() int  { return 8 }
func (*sum128) Size() int  { return 16 }
func (*sum128a) Size() int { return 16 }

func (*sum32) BlockSize() int   { return 1 }
func (*sum32a) BlockSize() int  { return 1 }
func (*sum64) BlockSize() int   { return 1 }
func (*sum64a) BlockSize() int  { return 1 }
func (*sum128) BlockSize() int  { return 1 }
func (*sum128a) BlockSize() int { return 1 }

func (s *sum32) Sum32() uint32  { return uint32(*s) }
func (s *sum32a) Sum32() uint32 { return uint32(*s) }
func (s *sum64) Sum64() uint64  { return uint64(*s) }
func (s *sum64a) Sum64() uint64 { return uint64(*s) }

func (s *sum32) Write(data []byte) (int, error) {
	h := *s
	for _, c := range data {
		h = h*prime32 ^ sum32(c)
	}
	*s = h
	return len(data), nil
}

func (s *sum32a) Write(data []byte) (int, error) {
	h := *s
	for _, c := range data {
		h = (h ^ sum32a(c)) * prime32
	}
	*s = h
	return len(data), nil
}

func (s *sum64) Write(data []byte) (int, error) {
	h := *s
	for _, c := range data {
		h = h*prime64 ^ sum64(c)
	}
	*s = h
	return len(data), nil
}

func (s *sum64a) Write(data []byte) (int, error) {
	h := *s
	for _, c := range data {
		h = (h ^ sum64a(c)) * prime64
	}
	*s = h
	return len(data), nil
}

// times128 multiplies by the prime 2^88 + 0x13b.
func times128(x [2]uint64) [2]uint64 {
	high, low := bits.Mul64(prime128Low, x[1])
	return [2]uint64{high + x[1]<<primeShift + prime128Low*x[0], low}
}

func (s *sum128) Write(data []byte) (int, error) {
	for _, c := range data {
		*s = times128(*s)
		s[1] ^= uint64(c)
	}
	return len(data), nil
}

func (s *sum128a) Write(data []byte) (int, error) {
	for _, c := range data {
		s[1] ^= uint64(c)
		*s = times128(*s)
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

func (s *sum32) Sum(in []byte) []byte   { return big(in, uint64(*s), 4) }
func (s *sum32a) Sum(in []byte) []byte  { return big(in, uint64(*s), 4) }
func (s *sum64) Sum(in []byte) []byte   { return big(in, uint64(*s), 8) }
func (s *sum64a) Sum(in []byte) []byte  { return big(in, uint64(*s), 8) }
func (s *sum128) Sum(in []byte) []byte  { return big(big(in, s[0], 8), s[1], 8) }
func (s *sum128a) Sum(in []byte) []byte { return big(big(in, s[0], 8), s[1], 8) }

func (s *sum32) Clone() (hash.Cloner, error)   { c := *s; return &c, nil }
func (s *sum32a) Clone() (hash.Cloner, error)  { c := *s; return &c, nil }
func (s *sum64) Clone() (hash.Cloner, error)   { c := *s; return &c, nil }
func (s *sum64a) Clone() (hash.Cloner, error)  { c := *s; return &c, nil }
func (s *sum128) Clone() (hash.Cloner, error)  { c := *s; return &c, nil }
func (s *sum128a) Clone() (hash.Cloner, error) { c := *s; return &c, nil }

// ---- States as bytes: a name and the sum.

func (s *sum32) AppendBinary(b []byte) ([]byte, error)   { return s.Sum(append(b, "fnv\x01"...)), nil }
func (s *sum32a) AppendBinary(b []byte) ([]byte, error)  { return s.Sum(append(b, "fnv\x02"...)), nil }
func (s *sum64) AppendBinary(b []byte) ([]byte, error)   { return s.Sum(append(b, "fnv\x03"...)), nil }
func (s *sum64a) AppendBinary(b []byte) ([]byte, error)  { return s.Sum(append(b, "fnv\x04"...)), nil }
func (s *sum128) AppendBinary(b []byte) ([]byte, error)  { return s.Sum(append(b, "fnv\x05"...)), nil }
func (s *sum128a) AppendBinary(b []byte) ([]byte, error) { return s.Sum(append(b, "fnv\x06"...)), nil }
func (s *sum32) MarshalBinary() ([]byte, error)          { return s.AppendBinary(nil) }
func (s *sum32a) MarshalBinary() ([]byte, error)         { return s.AppendBinary(nil) }
func (s *sum64) MarshalBinary() ([]byte, error)          { return s.AppendBinary(nil) }
func (s *sum64a) MarshalBinary() ([]byte, error)         { return s.AppendBinary(nil) }
func (s *sum128) MarshalBinary() ([]byte, error)         { return s.AppendBinary(nil) }
func (s *sum128a) MarshalBinary() ([]byte, error)        { return s.AppendBinary(nil) }

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

func (s *sum32) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 1, 4)
	if err == nil {
		*s = sum32(v)
	}
	return err
}

func (s *sum32a) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 2, 4)
	if err == nil {
		*s = sum32a(v)
	}
	return err
}

func (s *sum64) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 3, 8)
	if err == nil {
		*s = sum64(v)
	}
	return err
}

func (s *sum64a) UnmarshalBinary(b []byte) error {
	_, v, err := state(b, 4, 8)
	if err == nil {
		*s = sum64a(v)
	}
	return err
}

func (s *sum128) UnmarshalBinary(b []byte) error {
	high, low, err := state(b, 5, 16)
	if err == nil {
		*s = sum128{high, low}
	}
	return err
}

func (s *sum128a) UnmarshalBinary(b []byte) error {
	high, low, err := state(b, 6, 16)
	if err == nil {
		*s = sum128a{high, low}
	}
	return err
}

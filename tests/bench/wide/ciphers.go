package main

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Mixing of bits: the ChaCha20 stream cipher, SipHash-2-4 and a table-driven CRC-32,
// each over the bytes that the one before it left.

func quarter(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	a += b
	d = bits.RotateLeft32(d^a, 16)
	c += d
	b = bits.RotateLeft32(b^c, 12)
	a += b
	d = bits.RotateLeft32(d^a, 8)
	c += d
	b = bits.RotateLeft32(b^c, 7)
	return a, b, c, d
}

type chacha [16]uint32

func (c *chacha) block(out *[64]byte) {
	x := *c
	for i := 0; i < 10; i++ {
		for k := 0; k < 4; k++ {
			x[k], x[4+k], x[8+k], x[12+k] = quarter(x[k], x[4+k], x[8+k], x[12+k])
		}
		for k := 0; k < 4; k++ {
			p, q, r := 4+(k+1)%4, 8+(k+2)%4, 12+(k+3)%4
			x[k], x[p], x[q], x[r] = quarter(x[k], x[p], x[q], x[r])
		}
	}
	for i, v := range x {
		binary.LittleEndian.PutUint32(out[4*i:], v+c[i])
	}
	c[12]++
}

func (c *chacha) xor(data []byte) {
	var stream [64]byte
	for len(data) > 0 {
		c.block(&stream)
		n := min(len(data), len(stream))
		for i := range n {
			data[i] ^= stream[i]
		}
		data = data[n:]
	}
}

type sip struct{ v0, v1, v2, v3 uint64 }

func (s *sip) round() {
	s.v0 += s.v1
	s.v2 += s.v3
	s.v1 = (s.v1<<13 | s.v1>>51) ^ s.v0
	s.v3 = (s.v3<<16 | s.v3>>48) ^ s.v2
	s.v2 += s.v1
	s.v0 = (s.v0<<32 | s.v0>>32) + s.v3
	s.v1 = (s.v1<<17 | s.v1>>47) ^ s.v2
	s.v3 = (s.v3<<21 | s.v3>>43) ^ s.v0
	s.v2 = s.v2<<32 | s.v2>>32
}

func sipHash(k0, k1 uint64, data []byte) uint64 {
	s := sip{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	last := uint64(len(data)) << 56
	for ; len(data) >= 8; data = data[8:] {
		m := binary.LittleEndian.Uint64(data)
		s.v3 ^= m
		s.round()
		s.round()
		s.v0 ^= m
	}
	for i, b := range data {
		last |= uint64(b) << (8 * i)
	}
	s.v3 ^= last
	s.round()
	s.round()
	s.v0 ^= last
	s.v2 ^= 0xff
	for i := 0; i < 4; i++ {
		s.round()
	}
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3
}

func crcTable() (table [256]uint32) {
	for i := range table {
		c := uint32(i)
		for k := 0; k < 8; k++ {
			c = c>>1 ^ 0xedb88320*(c&1)
		}
		table[i] = c
	}
	return table
}

func main() {
	table := crcTable()
	data := make([]byte, 100003)
	cipher := &chacha{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0x4a000000, 9}
	var hash uint64
	crc := ^uint32(0)
	for round := 0; round < 50; round++ {
		cipher.xor(data)
		hash = sipHash(hash, uint64(round), data[round:])
		for _, b := range data {
			crc = table[byte(crc)^b] ^ crc>>8
		}
	}
	fmt.Printf("%x\n%016x\n%08x\n", data[:24], hash, ^crc)
}

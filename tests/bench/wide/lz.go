package main

import (
	"bytes"
	"fmt"
)

// Compression of bytes by a Lempel-Ziv window with chains of hashes, and back.

const (
	window   = 1 << 13
	minMatch = 4
	maxMatch = minMatch + 127
	maxChain = 16
)

type packer struct {
	data []byte
	head [1 << 12]int32
	prev []int32
	out  []byte
}

func (p *packer) hash(i int) uint32 {
	d := p.data
	v := uint32(d[i]) | uint32(d[i+1])<<8 | uint32(d[i+2])<<16 | uint32(d[i+3])<<24
	return v * 2654435761 >> 20
}

func (p *packer) insert(i int) {
	if i+minMatch <= len(p.data) {
		h := p.hash(i)
		p.prev[i] = p.head[h]
		p.head[h] = int32(i) + 1
	}
}

func (p *packer) longest(i int) (length, distance int) {
	if i+minMatch > len(p.data) {
		return 0, 0
	}
	candidate := int(p.head[p.hash(i)]) - 1
	for tries := 0; candidate >= 0 && i-candidate < window && tries < maxChain; tries++ {
		n := 0
		for n < maxMatch && i+n < len(p.data) && p.data[candidate+n] == p.data[i+n] {
			n++
		}
		if n > length {
			length, distance = n, i-candidate
		}
		candidate = int(p.prev[candidate]) - 1
	}
	return length, distance
}

// pack writes literals as a count and bytes, matches as length|128 and a distance.
func pack(data []byte) []byte {
	p := &packer{data: data, prev: make([]int32, len(data))}
	literals := 0
	flush := func(end int) {
		if literals > 0 {
			p.out = append(p.out, byte(literals))
			p.out = append(p.out, data[end-literals:end]...)
			literals = 0
		}
	}
	for i := 0; i < len(data); {
		n, distance := p.longest(i)
		if n < minMatch {
			p.insert(i)
			i++
			if literals++; literals == 127 {
				flush(i)
			}
			continue
		}
		flush(i)
		p.out = append(p.out, 128|byte(n-minMatch), byte(distance), byte(distance>>8))
		for end := i + n; i < end; i++ {
			p.insert(i)
		}
	}
	flush(len(data))
	return p.out
}

func unpack(packed []byte) []byte {
	var out []byte
	for i := 0; i < len(packed); {
		b := packed[i]
		i++
		if b < 128 {
			out = append(out, packed[i:i+int(b)]...)
			i += int(b)
			continue
		}
		from := len(out) - int(packed[i]) - int(packed[i+1])<<8
		i += 2
		for n := int(b&127) + minMatch; n > 0; n-- {
			out = append(out, out[from])
			from++
		}
	}
	return out
}

func main() {
	lines := []string{"the quick brown fox ", "jumps over ", "a lazy dog; ", "00000000000000", "and so on, "}
	x := uint32(77)
	var data []byte
	for len(data) < 1200000 {
		x = x*1664525 + 1013904223
		data = append(data, lines[x>>20%5]...)
		data = append(data, bytes.Repeat([]byte{byte('a' + x>>27)}, int(x>>9&7))...)
	}
	packed := pack(data)
	fmt.Println("packed", len(data), len(packed), bytes.Equal(unpack(packed), data))
	twice := pack(packed)
	fmt.Println("again", len(twice), bytes.Equal(unpack(twice), packed), twice[len(twice)-12:])
}

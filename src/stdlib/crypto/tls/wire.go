// A builder and a reader of bytes, with the lengths that stand before parts.

package tls

import (
	"encoding/binary"
	"fmt"
)

// A builder puts a message together. Its error is the first length that did not fit.
type builder struct {
	b   []byte
	err error
}

func (w *builder) u8(v uint8)   { w.b = append(w.b, v) }
func (w *builder) u16(v uint16) { w.b = binary.BigEndian.AppendUint16(w.b, v) }
func (w *builder) u32(v uint32) { w.b = binary.BigEndian.AppendUint32(w.b, v) }
func (w *builder) u64(v uint64) { w.b = binary.BigEndian.AppendUint64(w.b, v) }
func (w *builder) add(p []byte) { w.b = append(w.b, p...) }

// A block is what lies between open and close, with its length before it.
type block struct {
	at, size int
}

func (w *builder) open(size int) block {
	at := len(w.b)
	for range size {
		w.b = append(w.b, 0)
	}
	return block{at, size}
}

func (w *builder) close(k block) {
	n := len(w.b) - k.at - k.size
	if n >= 1<<(8*k.size) && w.err == nil {
		w.err = fmt.Errorf("cryptobyte: pending child length %d exceeds %d-byte length prefix",
			n, k.size)
	}
	for i := range k.size {
		w.b[k.at+i] = byte(n >> (8 * (k.size - 1 - i)))
	}
}

// sized adds p with its length before it.
func (w *builder) sized(size int, p []byte) {
	k := w.open(size)
	w.add(p)
	w.close(k)
}

// u16s adds a list with its length in bytes.
func u16s[T ~uint16](w *builder, list []T) {
	k := w.open(2)
	for _, v := range list {
		w.u16(uint16(v))
	}
	w.close(k)
}

// extension begins one; close ends it.
func (w *builder) extension(id uint16) block {
	w.u16(id)
	return w.open(2)
}

// flag is an extension without content.
func (w *builder) flag(is bool, id uint16) {
	if is {
		w.close(w.extension(id))
	}
}

// A reader takes a message apart. Once something is missing it is bad, and gives zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) more() bool { return !r.bad && len(r.b) > 0 }

// done says whether all was there, and nothing more.
func (r *reader) done() bool { return !r.bad && len(r.b) == 0 }

func (r *reader) take(n int) []byte {
	if r.bad || len(r.b) < n {
		r.bad = true
		return nil
	}
	p := r.b[:n:n]
	r.b = r.b[n:]
	return p
}

func (r *reader) number(size int) (n uint64) {
	for _, b := range r.take(size) {
		n = n<<8 | uint64(b)
	}
	return n
}

func (r *reader) u8() uint8   { return uint8(r.number(1)) }
func (r *reader) u16() uint16 { return uint16(r.number(2)) }
func (r *reader) u32() uint32 { return uint32(r.number(4)) }
func (r *reader) u64() uint64 { return r.number(8) }

// sized is what has its length before it.
func (r *reader) sized(size int) []byte { return r.take(int(r.number(size))) }

// must is sized of which there must be something.
func (r *reader) must(size int) []byte {
	p := r.sized(size)
	r.bad = r.bad || len(p) == 0
	return p
}

// part is a reader of what has its length before it.
func (r *reader) part(size int) *reader {
	p := r.sized(size)
	return &reader{p, r.bad}
}

// list calls f until a block that has its length before it has been read.
func (r *reader) list(size int, empty bool, f func(*reader)) {
	p := r.part(size)
	if !empty && len(p.b) == 0 {
		r.bad = true
	}
	for p.more() {
		f(p)
	}
	r.bad = r.bad || p.bad
}

func readU16s[T ~uint16](r *reader, empty bool) (list []T) {
	r.list(2, empty, func(p *reader) { list = append(list, T(p.u16())) })
	return list
}

// extensions calls f for each extension up to the end of the message; f says whether it knows it,
// and then must have read all. If they are to differ, one that is there twice makes r bad.
func (r *reader) extensions(differ bool, f func(id uint16, p, rest *reader) bool) {
	all := r.part(2)
	seen := map[uint16]bool{}
	for all.more() {
		id := all.u16()
		p := all.part(2)
		if all.bad || differ && seen[id] {
			r.bad = true
			return
		}
		seen[id] = true
		if f(id, p, all) && !p.done() {
			r.bad = true
			return
		}
	}
	r.bad = r.bad || all.bad
}

// A builder and a reader of bytes, with the lengths that stand before parts, and a coder that does
// with one what the other undoes.

package tls

import (
	"encoding/binary"
	"fmt"
	"slices"
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

// extensions calls f for each extension up to the end of the message; f says whether it knows it,
// and then must have read all. If they are to differ, one that is there twice makes r bad.
func (r *reader) extensions(differ bool, f func(id uint16, p, rest *reader) bool) (ids []uint16) {
	all := r.part(2)
	for all.more() {
		id := all.u16()
		p := all.part(2)
		if all.bad || differ && slices.Contains(ids, id) {
			r.bad = true
			break
		}
		ids = append(ids, id)
		if f(id, p, all) && !p.done() {
			r.bad = true
			break
		}
	}
	r.bad = r.bad || all.bad
	return ids
}

// A coder goes through the fields of a message, and writes them if it has a builder; else it reads
// them.
type coder struct {
	w      *builder
	r      *reader
	behind *reader // of what stands behind the extension that is read
}

// number codes a number of so many bytes.
func number[T ~uint8 | ~uint16 | ~uint32 | ~uint64](k *coder, size int, v *T) {
	if k.w == nil {
		*v = T(k.r.number(size))
		return
	}
	for n := 8 * (size - 1); n >= 0; n -= 8 {
		k.w.u8(uint8(uint64(*v) >> n))
	}
}

// exactly codes a byte that can have one value only.
func (k *coder) exactly(b uint8) {
	is := b
	number(k, 1, &is)
	if is != b {
		k.r.bad = true
	}
}

// fixed codes bytes of which there are always as many.
func (k *coder) fixed(n int, p *[]byte) {
	if k.w == nil {
		*p = k.r.take(n)
	} else {
		k.w.add(*p)
	}
}

// all codes the bytes up to the end of the part.
func (k *coder) all(p *[]byte) {
	n := len(*p)
	if k.w == nil {
		n = len(k.r.b)
	}
	k.fixed(n, p)
}

// sized codes bytes with their length before them.
func (k *coder) sized(size int, p *[]byte) {
	if k.w == nil {
		*p = k.r.sized(size)
	} else {
		k.w.sized(size, *p)
	}
}

// must is sized of which there must be something when it is read.
func (k *coder) must(size int, p *[]byte) {
	k.sized(size, p)
	if k.w == nil && len(*p) == 0 {
		k.r.bad = true
	}
}

// text is must for a string.
func (k *coder) text(size int, s *string) {
	p := []byte(*s)
	k.must(size, &p)
	if k.w == nil {
		*s = string(p)
	}
}

// within codes a part that has its length before it, with what f codes in it.
func (k *coder) within(size int, f func()) {
	if k.w != nil {
		b := k.w.open(size)
		f()
		k.w.close(b)
		return
	}
	outer := k.r
	k.r = outer.part(size)
	f()
	outer.bad = outer.bad || !k.r.done()
	k.r = outer
}

// list codes the elements of a list, which can be empty or not, with the length of all before them.
func list[T any](k *coder, size int, empty bool, all *[]T, f func(*T)) {
	k.within(size, func() {
		if k.w != nil {
			for i := range *all {
				f(&(*all)[i])
			}
			return
		}
		k.r.bad = k.r.bad || !empty && len(k.r.b) == 0
		for k.r.more() {
			var v T
			f(&v)
			*all = append(*all, v)
		}
	})
}

func u16s[T ~uint16](k *coder, size int, empty bool, all *[]T) {
	list(k, size, empty, all, func(v *T) { number(k, 2, v) })
}

// byteStrings codes a list of byte strings, none of which is empty when it is read.
func byteStrings(k *coder, empty bool, all *[][]byte) {
	list(k, 2, empty, all, func(p *[]byte) { k.must(2, p) })
}

// An extension is written if it is there, and its content coded by a routine that sets what tells
// so.
type extension struct {
	id      uint16
	isThere bool
	content func(k *coder)
}

// flag is an extension without content.
func flag(id uint16, is *bool) extension {
	return extension{id: id, isThere: *is, content: func(*coder) { *is = true }}
}

// extensions codes a list of extensions. What is read can be in any order, and gives the numbers of
// all, also of those that are not known.
func (k *coder) extensions(differ bool, all []extension) (ids []uint16) {
	if k.w == nil {
		outer := k.r
		ids = outer.extensions(differ, func(id uint16, p, rest *reader) bool {
			e, known := firstOf(all, func(e extension) bool { return e.id == id })
			if known {
				k.r, k.behind = p, rest
				e.content(k)
			}
			return known
		})
		k.r = outer
		return ids
	}
	k.within(2, func() {
		for _, e := range all {
			if e.isThere {
				number(k, 2, &e.id)
				k.within(2, func() { e.content(k) })
			}
		}
	})
	return nil
}

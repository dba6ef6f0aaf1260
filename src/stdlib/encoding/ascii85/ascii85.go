// Package ascii85: bytes as text of 85 characters, five for four bytes.
package ascii85

import (
	"io"
	"slices"
	"strconv"
)

const (
	base       = 85
	characters = 5
	octets     = 4

	first = '!'
	last  = first + base - 1
	zero  = 'z' // four bytes of zeros
)

func MaxEncodedLen(n int) int { return (n + octets - 1) / octets * characters }

func Encode(dst, src []byte) int {
	n := 0
	for len(src) > 0 {
		var v uint32
		have := min(octets, len(src))
		for i, b := range src[:have] {
			v |= uint32(b) << (24 - 8*i)
		}
		group := dst[n:]
		_ = group[characters-1]
		group = group[:characters]
		if v == 0 && have == octets {
			clear(group)
			group[0] = zero
			n++
		} else {
			for i := characters - 1; i >= 0; i-- {
				group[i] = first + byte(v%base)
				v /= base
			}
			n += have + 1
		}
		src = src[have:]
	}
	return n
}

type encoder struct {
	w    io.Writer
	rest []byte // fewer than four
	err  error
}

func NewEncoder(w io.Writer) io.WriteCloser { return &encoder{w: w} }

// piece is how many bytes are encoded at a time.
const piece = 1024 / characters * octets

func (e *encoder) put(p []byte) error {
	text := make([]byte, MaxEncodedLen(len(p)))
	_, e.err = e.w.Write(text[:Encode(text, p)])
	return e.err
}

func (e *encoder) Write(p []byte) (n int, err error) {
	if e.err != nil {
		return 0, e.err
	}
	for len(e.rest)+len(p) >= octets {
		take := min(piece, (len(e.rest)+len(p))/octets*octets)
		if len(e.rest) > 0 {
			take = octets
		}
		fresh := take - len(e.rest)
		if e.put(append(e.rest, p[:fresh]...)) != nil {
			if len(e.rest) > 0 {
				n += fresh
			}
			return n, e.err
		}
		e.rest = nil
		n += fresh
		p = p[fresh:]
	}
	e.rest = append(e.rest[:len(e.rest):len(e.rest)], p...)
	return n + len(p), nil
}

func (e *encoder) Close() error {
	if e.err == nil && len(e.rest) > 0 {
		e.put(e.rest)
		e.rest = nil
	}
	return e.err
}

type CorruptInputError int64

func (e CorruptInputError) Error() string {
	return "illegal ascii85 data at input byte " + strconv.FormatInt(int64(e), 10)
}

func Decode(dst, src []byte, flush bool) (ndst, nsrc int, err error) {
	var v uint32
	got := 0
	for i, c := range src {
		if len(dst)-ndst < octets {
			return ndst, nsrc, nil
		}
		switch {
		case c <= ' ':
			continue
		case c == zero && got == 0:
			got = characters
		case first <= c && c <= last:
			v = v*base + uint32(c-first)
			got++
		default:
			return 0, 0, CorruptInputError(i)
		}
		if got == characters {
			for k := range octets {
				dst[ndst+k] = byte(v >> (24 - 8*k))
			}
			ndst += octets
			nsrc = i + 1
			v, got = 0, 0
		}
	}
	if !flush {
		return ndst, nsrc, nil
	}
	if got == 1 {
		return 0, 0, CorruptInputError(len(src))
	}
	// What is missing counts as the largest character.
	for range characters - got {
		v = v*base + base - 1
	}
	for k := range max(got-1, 0) {
		dst[ndst] = byte(v >> (24 - 8*k))
		ndst++
	}
	return ndst, len(src), nil
}

type decoder struct {
	r   io.Reader
	in  [1024]byte
	n   int    // characters there
	out []byte // decoded, not yet read
	buf [1024]byte
	end error // of reading
	err error
}

func NewDecoder(r io.Reader) io.Reader { return &decoder{r: r} }

func (d *decoder) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	if d.err != nil {
		return 0, d.err
	}
	for len(d.out) == 0 {
		if d.n > 0 {
			var got, used int
			got, used, d.err = Decode(d.buf[:], d.in[:d.n], d.end != nil)
			if got > 0 {
				d.out = d.buf[:got]
				d.n = copy(d.in[:], d.in[used:d.n])
				break
			}
			if d.err != nil {
				return 0, d.err
			}
			// A group with many blanks in it must find room.
			d.n = len(slices.DeleteFunc(d.in[:d.n], func(c byte) bool { return c <= ' ' }))
		}
		if d.end != nil {
			d.err = d.end
			return 0, d.err
		}
		var fresh int
		fresh, d.end = d.r.Read(d.in[d.n:])
		d.n += fresh
	}
	n = copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

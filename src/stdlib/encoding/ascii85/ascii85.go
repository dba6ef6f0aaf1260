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

func (e *encoder) put(p []byte) error {
	text := make([]byte, MaxEncodedLen(len(p)))
	n := Encode(text, p)
	_, e.err = e.w.Write(text[:n])
	return e.err
}

func (e *encoder) Close() error {
	rest := e.rest
	if e.err != nil || len(rest) == 0 {
		return e.err
	}
	e.rest = nil
	return e.put(rest)
}

type CorruptInputError int64

func (e CorruptInputError) Error() string {
	return "illegal ascii85 data at input byte " + strconv.FormatInt(int64(e), 10)
}

func Decode(dst, src []byte, flush bool) (ndst, nsrc int, err error) {
	for len(dst)-ndst >= octets && nsrc < len(src) {
		v, got, used := group(src[nsrc:])
		switch {
		case got < 0:
			return 0, 0, CorruptInputError(nsrc + used)
		case got == characters:
			put(dst[ndst:], v, octets)
			ndst, nsrc = ndst+octets, nsrc+used
			continue
		case !flush:
			return ndst, nsrc, nil
		case got == 1:
			return 0, 0, CorruptInputError(len(src))
		}
		// The end. What is missing counts as the largest character.
		for range characters - got {
			v = v*base + base - 1
		}
		rest := max(got-1, 0)
		put(dst[ndst:], v, rest)
		return ndst + rest, len(src), nil
	}
	return ndst, nsrc, nil
}

// group reads characters of one, blanks passed over: how many there were, negative if one is wrong,
// and how far it came.
func group(src []byte) (v uint32, got, used int) {
	for i, c := range src {
		switch {
		case c <= ' ':
		case c == zero && got == 0:
			return 0, characters, i + 1
		case first <= c && c <= last:
			v = v*base + uint32(c-first)
			if got++; got == characters {
				return v, got, i + 1
			}
		default:
			return 0, -1, i
		}
	}
	return v, got, len(src)
}

// put writes the first n bytes of v.
func put(dst []byte, v uint32, n int) {
	for i := range n {
		dst[i] = byte(v >> (24 - 8*i))
	}
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
	for len(p) > 0 && len(d.out) == 0 {
		if err := d.step(); err != nil {
			return 0, err
		}
	}
	copied := copy(p, d.out)
	d.out = d.out[copied:]
	return copied, nil
}

// step decodes what has been read, or reads more.
func (d *decoder) step() error {
	if d.err == nil && d.n > 0 {
		var made, used int
		made, used, d.err = Decode(d.buf[:], d.in[:d.n], d.end != nil)
		if made > 0 {
			d.out = d.buf[:made]
			d.n = copy(d.in[:], d.in[used:d.n])
			return nil
		}
		// A group with many blanks in it must find room.
		d.n = len(slices.DeleteFunc(d.in[:d.n], func(c byte) bool { return c <= ' ' }))
	}
	if d.err == nil {
		if d.err = d.end; d.err == nil {
			var fresh int
			fresh, d.end = d.r.Read(d.in[d.n:])
			d.n += fresh
		}
	}
	return d.err
}

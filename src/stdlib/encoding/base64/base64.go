// Package base64: bytes as text of 64 characters. RFC 4648.
package base64

import (
	"io"
	"strconv"
)

const (
	StdPadding rune = '='
	NoPadding  rune = -1
)

type Encoding struct {
	letters [64]byte
	values  [256]uint8 // 255: none
	padding rune
	strict  bool
}

// none is the value of what is no character of an alphabet.
const none = 255

func (enc Encoding) Strict() *Encoding {
	enc.strict = true
	return &enc
}

func (enc Encoding) WithPadding(padding rune) *Encoding {
	if padding != NoPadding {
		if padding < 0 || padding > 0xff || padding == '\n' || padding == '\r' {
			panic("invalid padding")
		}
		if enc.values[padding] != none {
			panic("padding contained in alphabet")
		}
	}
	enc.padding = padding
	return &enc
}

func NewEncoding(encoder string) *Encoding {
	if len(encoder) != 64 {
		panic("encoding alphabet is not 64-bytes long")
	}
	var e Encoding
	e.padding, e.letters = StdPadding, [64]byte([]byte(encoder))
	for c := range e.values {
		e.values[c] = none
	}
	for v := range uint8(64) {
		value := &e.values[encoder[v]]
		switch c := encoder[v]; {
		case c == '\r' || c == '\n':
			panic("encoding alphabet contains newline character")
		case *value != none:
			panic("encoding alphabet includes duplicate symbols")
		}
		*value = v
	}
	return &e
}

var (
	StdEncoding    = NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
	URLEncoding    = NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
	RawStdEncoding = StdEncoding.WithPadding(NoPadding)
	RawURLEncoding = URLEncoding.WithPadding(NoPadding)
)

func (enc *Encoding) EncodedLen(n int) int {
	if enc.padding == NoPadding {
		return n/3*4 + (n%3*8+5)/6
	}
	return (n + 2) / 3 * 4
}

func (enc *Encoding) DecodedLen(n int) int {
	whole := n / 4 * 3
	if enc.padding != NoPadding {
		return whole
	}
	return whole + n%4*3/4
}

func (enc *Encoding) AppendEncode(dst, src []byte) []byte {
	for len(src) >= 3 {
		v := uint(src[2]) | uint(src[1])<<8 | uint(src[0])<<16
		dst = append(dst, enc.letters[v>>18], enc.letters[v>>12&63], enc.letters[v>>6&63], enc.letters[v&63])
		src = src[3:]
	}
	switch len(src) {
	case 1:
		dst = append(dst, enc.letters[src[0]>>2], enc.letters[src[0]&3<<4])
	case 2:
		dst = append(dst, enc.letters[src[0]>>2], enc.letters[src[0]&3<<4|src[1]>>4], enc.letters[src[1]&15<<2])
	default:
		return dst
	}
	if enc.padding != NoPadding {
		for range 3 - len(src) {
			dst = append(dst, byte(enc.padding))
		}
	}
	return dst
}

func (enc *Encoding) EncodeToString(src []byte) string {
	return string(enc.AppendEncode(make([]byte, 0, enc.EncodedLen(len(src))), src))
}

func (enc *Encoding) Encode(dst, src []byte) {
	if size := enc.EncodedLen(len(src)); size > 0 {
		_ = dst[size-1]
		enc.AppendEncode(dst[:0], src)
	}
}

type CorruptInputError int64

func (e CorruptInputError) Error() string {
	return "illegal base64 data at input byte " + strconv.FormatInt(int64(e), 10)
}

// Decode gathers characters, line ends passed over, into groups of four, which are three bytes.
func (enc *Encoding) Decode(dst, src []byte) (n int, err error) {
	var group uint
	got := 0
	for i, c := range src {
		value := enc.values[c]
		switch {
		case value != none:
			group = group<<6 | uint(value)
			if got++; got == 4 {
				to := dst[n : n+3]
				to[0], to[1], to[2] = byte(group>>16), byte(group>>8), byte(group)
				n, group, got = n+3, 0, 0
			}
		case isLineEnd(c):
		case rune(c) == enc.padding && got >= 2:
			return enc.padded(dst, n, src, i, group, got)
		default:
			return n, CorruptInputError(i)
		}
	}
	if got == 0 {
		return n, nil
	}
	if got == 1 || enc.padding != NoPadding {
		return n, CorruptInputError(len(src) - got)
	}
	return enc.last(dst, n, group, got, len(src))
}

// padded ends a text at its first padding: after two characters another must follow, and nothing
// but line ends behind it.
func (enc *Encoding) padded(dst []byte, n int, src []byte, at int, group uint, got int) (int, error) {
	next := func() {
		for at++; at < len(src) && isLineEnd(src[at]); at++ {
		}
	}
	if next(); got == 2 {
		if at == len(src) {
			return n, CorruptInputError(at)
		}
		if rune(src[at]) != enc.padding {
			return n, CorruptInputError(at - 1)
		}
		next()
	}
	n, err := enc.last(dst, n, group, got, at)
	if err == nil && at < len(src) {
		err = CorruptInputError(at)
	}
	return n, err
}

// last decodes a group that is not full, which ends before src[end].
func (enc *Encoding) last(dst []byte, n int, group uint, got, end int) (int, error) {
	group <<= 6 * (4 - got)
	unused := group << (8 * (got - 1)) & 0xffffff
	if enc.strict && unused != 0 {
		return n, CorruptInputError(end - 4 + got)
	}
	for shift := 16; got > 1; got-- {
		dst[n] = byte(group >> shift)
		n, shift = n+1, shift-8
	}
	return n, nil
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

func (enc *Encoding) AppendDecode(dst, src []byte) ([]byte, error) {
	buf := make([]byte, len(src)/4*3+3)
	n, err := enc.Decode(buf, src)
	return append(dst, buf[:n]...), err
}

func (enc *Encoding) DecodeString(s string) ([]byte, error) {
	buf := make([]byte, len(s)/4*3+3)
	n, err := enc.Decode(buf, []byte(s))
	return buf[:n], err
}

type encoder struct {
	enc  *Encoding
	w    io.Writer
	rest []byte // fewer than three bytes
	err  error
}

func (e *encoder) Write(p []byte) (n int, err error) {
	if e.err != nil {
		return 0, e.err
	}
	all := append(e.rest, p...)
	whole := len(all) / 3 * 3
	if whole > 0 {
		if _, e.err = e.w.Write(e.enc.AppendEncode(nil, all[:whole])); e.err != nil {
			return 0, e.err
		}
	}
	e.rest = append([]byte(nil), all[whole:]...)
	return len(p), nil
}

func NewEncoder(enc *Encoding, w io.Writer) io.WriteCloser { return &encoder{enc: enc, w: w} }

func (e *encoder) Close() error {
	if e.err == nil && len(e.rest) > 0 {
		_, e.err = e.w.Write(e.enc.AppendEncode(nil, e.rest))
		e.rest = nil
	}
	return e.err
}

func NewDecoder(enc *Encoding, r io.Reader) io.Reader { return &decoder{enc: enc, r: r} }

type decoder struct {
	enc *Encoding
	r   io.Reader
	in  []byte // characters not yet decoded
	out []byte // bytes not yet read
	end error  // of r
	err error
}

func (d *decoder) Read(p []byte) (n int, err error) {
	for len(d.out) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		if len(d.in) < 4 && d.end == nil {
			buf := make([]byte, 1024)
			var got int
			got, d.end = d.r.Read(buf)
			for _, c := range buf[:got] {
				if !isLineEnd(c) {
					d.in = append(d.in, c)
				}
			}
			continue
		}
		take := len(d.in) / 4 * 4
		if take == 0 {
			// What is left, if anything, is the end of an encoding without padding, or a part.
			take = len(d.in)
			d.err = d.end
			if take > 0 && d.enc.padding != NoPadding {
				if d.end == io.EOF {
					d.err = io.ErrUnexpectedEOF
				}
				take = 0
			}
			if take == 0 {
				d.in = nil
				continue
			}
		}
		buf := make([]byte, take/4*3+3)
		m, err := d.enc.Decode(buf, d.in[:take])
		d.in = d.in[take:]
		d.out = buf[:m]
		if err != nil {
			d.err = err
		}
	}
	copied := copy(p, d.out)
	d.out = d.out[copied:]
	return copied, nil
}

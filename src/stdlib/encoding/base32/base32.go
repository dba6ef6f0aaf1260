// Package base32: bytes as text of 32 characters. RFC 4648.
package base32

import (
	"io"
	"slices"
	"strconv"
)

const (
	StdPadding rune = '='
	NoPadding  rune = -1
)

const (
	none = 255 // no value

	// Of a quantum.
	characters = 8
	octets     = 5
)

type Encoding struct {
	letters [32]byte
	values  [256]uint8
	padding rune
}

var (
	StdEncoding = NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
	HexEncoding = NewEncoding("0123456789ABCDEFGHIJKLMNOPQRSTUV")
)

func (enc Encoding) WithPadding(padding rune) *Encoding {
	if padding != NoPadding {
		if padding < 0 || padding > 0xff || isLineEnd(byte(padding)) {
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
	if len(encoder) != 32 {
		panic("encoding alphabet is not 32-bytes long")
	}
	e := &Encoding{letters: [32]byte([]byte(encoder)), padding: StdPadding}
	for i := range e.values {
		e.values[i] = none
	}
	for i, c := range []byte(encoder) {
		switch {
		case c == '\n' || c == '\r':
			panic("encoding alphabet contains newline character")
		case e.values[c] != none:
			panic("encoding alphabet includes duplicate symbols")
		}
		e.values[c] = uint8(i)
	}
	return e
}

func (enc *Encoding) EncodedLen(n int) int {
	if enc.padding == NoPadding {
		return n/octets*characters + (n%octets*8+4)/5
	}
	return (n + octets - 1) / octets * characters
}

func (enc *Encoding) DecodedLen(n int) int {
	if enc.padding == NoPadding {
		return n/characters*octets + n%characters*5/8
	}
	return n / characters * octets
}

func (enc *Encoding) AppendEncode(dst, src []byte) []byte {
	dst = slices.Grow(dst, enc.EncodedLen(len(src)))
	for len(src) >= octets {
		v := uint64(src[0])<<32 | uint64(src[1])<<24 | uint64(src[2])<<16
		v |= uint64(src[3])<<8 | uint64(src[4])
		for shift := 35; shift >= 0; shift -= 5 {
			dst = append(dst, enc.letters[v>>shift&31])
		}
		src = src[octets:]
	}
	if len(src) == 0 {
		return dst
	}
	var v uint64
	for i, b := range src {
		v |= uint64(b) << (32 - 8*i)
	}
	used := (len(src)*8 + 4) / 5
	for i := range used {
		dst = append(dst, enc.letters[v>>(35-5*i)&31])
	}
	if enc.padding != NoPadding {
		for range characters - used {
			dst = append(dst, byte(enc.padding))
		}
	}
	return dst
}

func (enc *Encoding) EncodeToString(src []byte) string { return string(enc.AppendEncode(nil, src)) }

func (enc *Encoding) Encode(dst, src []byte) {
	if size := enc.EncodedLen(len(src)); size > 0 {
		_ = dst[size-1]
		enc.AppendEncode(dst[:0], src)
	}
}

type CorruptInputError int64

func (e CorruptInputError) Error() string {
	return "illegal base32 data at input byte " + strconv.FormatInt(int64(e), 10)
}

// decode decodes characters among which are no line ends; end says that it met the end of a text.
func (enc *Encoding) decode(dst, src []byte) (n int, end bool, err error) {
	for at := 0; at < len(src) && !end; {
		var v uint64
		got := 0
		for got < characters {
			if at == len(src) {
				if enc.padding != NoPadding {
					return n, false, CorruptInputError(at - got)
				}
				end = true
				break
			}
			c := src[at]
			at++
			if c == byte(enc.padding) && got >= 2 && len(src)-at < characters {
				if err := enc.checkEnd(src, at, got); err != nil {
					return n, false, err
				}
				end = true
				break
			}
			value := enc.values[c]
			if value == none {
				return n, false, CorruptInputError(at - 1)
			}
			v |= uint64(value) << (35 - 5*got)
			got++
		}
		// Three characters, or six, hold no more than one less.
		bytes := 0
		switch got {
		case 2, 4, 5, 7, 8:
			bytes = got * 5 / 8
		}
		if bytes > 0 {
			_ = dst[bytes-1]
		}
		for i := range bytes {
			dst[i] = byte(v >> (32 - 8*i))
		}
		n += bytes
		dst = dst[min(octets, len(dst)):]
	}
	return n, end, nil
}

// checkEnd looks at the padding that began before src[at], after so many characters.
func (enc *Encoding) checkEnd(src []byte, at, got int) error {
	want := characters - 1 - got
	if len(src)-at < want {
		return CorruptInputError(len(src))
	}
	for i, c := range src[at:][:want] {
		if c != byte(enc.padding) {
			return CorruptInputError(at + i - 1)
		}
	}
	if got == 3 || got == 6 {
		return CorruptInputError(at - 1)
	}
	return nil
}

func isLineEnd(c byte) bool { return c == '\r' || c == '\n' }

func (enc *Encoding) Decode(dst, src []byte) (n int, err error) {
	n, _, err = enc.decode(dst, withoutLineEnds(src))
	return n, err
}

func withoutLineEnds(src []byte) []byte {
	if !slices.ContainsFunc(src, isLineEnd) {
		return src
	}
	return slices.DeleteFunc(slices.Clone(src), isLineEnd)
}

func (enc *Encoding) DecodeString(s string) ([]byte, error) {
	buf := []byte(s)
	n, _, err := enc.decode(buf, withoutLineEnds([]byte(s)))
	return buf[:n], err
}

func (enc *Encoding) AppendDecode(dst, src []byte) ([]byte, error) {
	used := len(dst)
	dst = slices.Grow(dst, (len(src)+characters-1)/characters*octets)
	n, err := enc.Decode(dst[used:cap(dst)], src)
	return dst[:used+n], err
}

type encoder struct {
	enc  *Encoding
	w    io.Writer
	rest []byte // fewer than a quantum
	err  error
}

// piece is how many bytes are encoded at a time.
const piece = 1024 / characters * octets

func NewEncoder(enc *Encoding, w io.Writer) io.WriteCloser { return &encoder{enc: enc, w: w} }

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
		text := e.enc.AppendEncode(nil, append(e.rest, p[:fresh]...))
		if _, e.err = e.w.Write(text); e.err != nil {
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
		_, e.err = e.w.Write(e.enc.AppendEncode(nil, e.rest))
		e.rest = nil
	}
	return e.err
}

// filter passes over line ends.
type filter struct{ r io.Reader }

func (f filter) Read(p []byte) (int, error) {
	for {
		n, err := f.r.Read(p)
		if n == 0 {
			return 0, err
		}
		n = len(slices.DeleteFunc(p[:n], isLineEnd))
		if n > 0 || err != nil {
			return n, err
		}
	}
}

type decoder struct {
	enc *Encoding
	r   filter
	in  [1024]byte
	n   int    // characters there
	out []byte // decoded, not yet read
	end bool   // the text has ended
	err error
}

// fill reads characters until there are min of them, and at most max.
func (d *decoder) fill(min, max int) (fresh int, err error) {
	for d.n < min && err == nil {
		var n int
		n, err = d.r.Read(d.in[d.n:max])
		d.n += n
		fresh += n
	}
	isPart := fresh > 0 && d.n < min || fresh == 0 && d.n > 0 && d.enc.padding != NoPadding
	if isPart && err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fresh, err
}

func NewDecoder(enc *Encoding, r io.Reader) io.Reader { return &decoder{enc: enc, r: filter{r}} }

func (d *decoder) Read(p []byte) (n int, err error) {
	if len(d.out) == 0 {
		if err := d.more(len(p)); err != nil {
			return 0, err
		}
	}
	n = copy(p, d.out)
	if d.out = d.out[n:]; len(d.out) == 0 {
		err = d.err
	}
	return n, err
}

// more decodes what makes about so many bytes, or one quantum. It gives an error if there is none.
func (d *decoder) more(bytes int) error {
	if d.err != nil {
		return d.err
	}
	isPadded := d.enc.padding != NoPadding
	least, most := characters, max((bytes+octets-1)/octets, 1)*characters
	if !isPadded {
		least = d.n + 1
	}
	var fresh int
	fresh, d.err = d.fill(least, min(most, len(d.in)))
	switch {
	case d.n < least:
		return d.err
	case fresh > 0 && d.end:
		return CorruptInputError(0)
	}
	take := d.n
	if isPadded {
		take -= take % characters
	}
	d.out = make([]byte, (take+characters-1)/characters*octets)
	got, end, err := d.enc.decode(d.out, d.in[:take])
	d.out, d.end = d.out[:got], end
	if isNews := d.err == nil || d.err == io.EOF; err != nil && isNews {
		d.err = err
	}
	d.n = copy(d.in[:], d.in[take:d.n])
	return nil
}

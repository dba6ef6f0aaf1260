// Package hex: bytes as hexadecimal digits.
package hex

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

const digits = "0123456789abcdef"

var ErrLength = errors.New("encoding/hex: odd length hex string")

type InvalidByteError byte

func (b InvalidByteError) Error() string {
	return fmt.Sprintf("encoding/hex: invalid byte: %#U", rune(b))
}

func EncodedLen(n int) int { return n * 2 }
func DecodedLen(x int) int { return x / 2 }

func Encode(dst, src []byte) int {
	for i, b := range src {
		dst[2*i], dst[2*i+1] = digits[b>>4], digits[b&15]
	}
	return 2 * len(src)
}

func AppendEncode(dst, src []byte) []byte {
	for _, b := range src {
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return dst
}

func EncodeToString(src []byte) string { return string(AppendEncode(nil, src)) }

// value is a digit's, −1 of what is none.
func value(c byte) int {
	if c -= '0'; c <= 9 {
		return int(c)
	}
	// Small letters and large ones differ in one bit.
	if c = (c + '0') | 0x20 - 'a'; c < 6 {
		return int(c) + 10
	}
	return -1
}

func Decode(dst, src []byte) (int, error) {
	n := 0
	for ; 2*n+1 < len(src); n++ {
		high, low := value(src[2*n]), value(src[2*n+1])
		if high < 0 {
			return n, InvalidByteError(src[2*n])
		}
		if low < 0 {
			return n, InvalidByteError(src[2*n+1])
		}
		dst[n] = byte(high<<4 | low)
	}
	if len(src)%2 == 1 {
		if value(src[len(src)-1]) < 0 {
			return n, InvalidByteError(src[len(src)-1])
		}
		return n, ErrLength
	}
	return n, nil
}

func DecodeString(s string) ([]byte, error) { return decoded([]byte(s)) }

func AppendDecode(dst, src []byte) ([]byte, error) {
	b, err := decoded(src)
	return append(dst, b...), err
}

// decoded is the bytes before the first mistake.
func decoded(src []byte) ([]byte, error) {
	b := make([]byte, DecodedLen(len(src)))
	n, err := Decode(b, src)
	return b[:n], err
}

const chunk = 1024 // bytes that a stream works on at once

func NewEncoder(w io.Writer) io.Writer { return &encoder{w: w} }

type encoder struct {
	w   io.Writer
	err error
}

func (e *encoder) Write(p []byte) (n int, err error) {
	for len(p) > 0 && e.err == nil {
		part := p[:min(len(p), chunk/2)]
		var written int
		written, e.err = e.w.Write(AppendEncode(nil, part))
		n += written / 2
		p = p[len(part):]
	}
	return n, e.err
}

func NewDecoder(r io.Reader) io.Reader { return &decoder{r: r} }

type decoder struct {
	r   io.Reader
	in  []byte // what is not decoded yet
	err error  // behind that
}

func (d *decoder) Read(p []byte) (n int, err error) {
	if len(d.in) < 2 && d.err == nil {
		d.fill()
	}
	whole := min(len(p), len(d.in)/2)
	n, err = Decode(p[:whole], d.in[:2*whole])
	if d.in = d.in[2*n:]; err != nil {
		d.in, d.err = nil, err
	}
	if len(d.in) < 2 {
		err = d.err
	}
	return n, err
}

// fill reads more text behind the digit that may be left. One that is left at the end is an error.
func (d *decoder) fill() {
	buf := make([]byte, chunk)
	size := copy(buf, d.in)
	n, err := d.r.Read(buf[size:])
	size += n
	if err == io.EOF && size%2 == 1 {
		err = io.ErrUnexpectedEOF
		if last := buf[size-1]; value(last) < 0 {
			err = InvalidByteError(last)
		}
	}
	d.in, d.err = buf[:size], err
}

func Dump(data []byte) string {
	var text strings.Builder
	d := Dumper(&text)
	d.Write(data)
	d.Close()
	return text.String()
}

// A dumper writes lines of sixteen bytes.
type dumper struct {
	w      io.Writer
	line   []byte // so far
	offset int
	closed bool
}

func Dumper(w io.Writer) io.WriteCloser { return &dumper{w: w} }

func (d *dumper) Write(data []byte) (n int, err error) {
	if d.closed {
		return 0, errors.New("encoding/hex: dumper closed")
	}
	for _, b := range data {
		if d.line = append(d.line, b); len(d.line) == 16 {
			if err := d.flush(); err != nil {
				return n, err
			}
		}
		n++
	}
	return n, nil
}

func (d *dumper) flush() error {
	text := fmt.Sprintf("%08x ", d.offset)
	for i := range 16 {
		if i == 8 {
			text += " "
		}
		if i < len(d.line) {
			text += fmt.Sprintf(" %02x", d.line[i])
		} else {
			text += "   "
		}
	}
	text += "  |"
	for _, b := range d.line {
		if b < 32 || b > 126 {
			b = '.'
		}
		text += string(rune(b))
	}
	d.offset += len(d.line)
	d.line = d.line[:0]
	_, err := io.WriteString(d.w, text+"|\n")
	return err
}

func (d *dumper) Close() (err error) {
	if d.closed {
		return nil
	}
	d.closed = true
	if len(d.line) == 0 {
		return nil
	}
	return d.flush()
}

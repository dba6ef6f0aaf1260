// Package gzip: DEFLATE with a header that names the file, and a checksum. RFC 1952.
package gzip

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"
)

const (
	NoCompression      = flate.NoCompression
	BestSpeed          = flate.BestSpeed
	BestCompression    = flate.BestCompression
	DefaultCompression = flate.DefaultCompression
	HuffmanOnly        = flate.HuffmanOnly
)

var (
	ErrChecksum = errors.New("gzip: invalid checksum")
	ErrHeader   = errors.New("gzip: invalid header")
)

type Header struct {
	Comment string
	Extra   []byte
	ModTime time.Time
	Name    string
	OS      byte
}

// Flags of a header.
const (
	hasCheck   = 1 << 1
	hasExtra   = 1 << 2
	hasName    = 1 << 3
	hasComment = 1 << 4
)

const (
	magic      = "\x1f\x8b\x08"
	headerLen  = 10
	trailerLen = 8
	maxText    = 512
)

var order = binary.LittleEndian

type Reader struct {
	Header
	r      flate.Reader
	body   io.ReadCloser
	sum    uint32
	size   uint32
	single bool // the first of several files only
	err    error
}

func NewReader(r io.Reader) (*Reader, error) {
	z := new(Reader)
	if err := z.Reset(r); err != nil {
		return nil, err
	}
	return z, nil
}

func (z *Reader) Reset(r io.Reader) error {
	*z = Reader{body: z.body}
	if own, ok := r.(flate.Reader); ok {
		z.r = own
	} else {
		z.r = bufio.NewReader(r)
	}
	z.Header, z.err = z.header()
	return z.err
}

func (z *Reader) Multistream(ok bool) { z.single = !ok }

// part reads n bytes of a header that has begun.
func (z *Reader) part(n int) ([]byte, error) {
	p := make([]byte, n)
	if _, err := io.ReadFull(z.r, p); err != nil {
		return nil, whole(err)
	}
	z.sum = crc32.Update(z.sum, crc32.IEEETable, p)
	return p, nil
}

// whole says of the end of the input that it comes too early.
func whole(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// text reads characters of Latin-1 up to a zero.
func (z *Reader) text() (string, error) {
	var raw []byte
	var runes []rune
	for len(raw) < maxText {
		c, err := z.r.ReadByte()
		if err != nil {
			return "", whole(err)
		}
		raw = append(raw, c)
		if c == 0 {
			z.sum = crc32.Update(z.sum, crc32.IEEETable, raw)
			return string(runes), nil
		}
		runes = append(runes, rune(c))
	}
	return "", ErrHeader
}

func (z *Reader) header() (h Header, err error) {
	var start [headerLen]byte
	if _, err := io.ReadFull(z.r, start[:]); err != nil {
		return h, err
	}
	if string(start[:len(magic)]) != magic {
		return h, ErrHeader
	}
	flags := start[3]
	if t := order.Uint32(start[4:]); t > 0 {
		h.ModTime = time.Unix(int64(t), 0)
	}
	h.OS = start[9]
	z.sum = crc32.ChecksumIEEE(start[:])
	if flags&hasExtra != 0 {
		n, err := z.part(2)
		if err != nil {
			return h, err
		}
		if h.Extra, err = z.part(int(order.Uint16(n))); err != nil {
			return h, err
		}
	}
	if flags&hasName != 0 {
		if h.Name, err = z.text(); err != nil {
			return h, err
		}
	}
	if flags&hasComment != 0 {
		if h.Comment, err = z.text(); err != nil {
			return h, err
		}
	}
	if flags&hasCheck != 0 {
		want := uint16(z.sum)
		check, err := z.part(2)
		if err != nil {
			return h, err
		}
		if order.Uint16(check) != want {
			return h, ErrHeader
		}
	}
	z.sum = 0
	if z.body == nil {
		z.body = flate.NewReader(z.r)
	} else {
		z.body.(flate.Resetter).Reset(z.r, nil)
	}
	return h, nil
}

func (z *Reader) Read(p []byte) (n int, err error) {
	if z.err != nil {
		return 0, z.err
	}
	for n == 0 {
		n, z.err = z.body.Read(p)
		z.sum = crc32.Update(z.sum, crc32.IEEETable, p[:n])
		z.size += uint32(n)
		if z.err != io.EOF {
			return n, z.err
		}
		var end [trailerLen]byte
		if _, err := io.ReadFull(z.r, end[:]); err != nil {
			z.err = whole(err)
			return n, z.err
		}
		if order.Uint32(end[:]) != z.sum || order.Uint32(end[4:]) != z.size {
			z.err = ErrChecksum
			return n, z.err
		}
		z.sum, z.size = 0, 0
		if z.single {
			return n, io.EOF
		}
		// Another file may follow.
		if _, z.err = z.header(); z.err != nil {
			return n, z.err
		}
	}
	return n, nil
}

func (z *Reader) Close() error { return z.body.Close() }

type Writer struct {
	Header
	w      io.Writer
	level  int
	begun  bool
	closed bool
	body   *flate.Writer
	sum    uint32
	size   uint32
	err    error
}

func NewWriter(w io.Writer) *Writer {
	z, _ := NewWriterLevel(w, DefaultCompression)
	return z
}

func NewWriterLevel(w io.Writer, level int) (*Writer, error) {
	if level < HuffmanOnly || level > BestCompression {
		return nil, fmt.Errorf("gzip: invalid compression level: %d", level)
	}
	z := &Writer{level: level}
	z.Reset(w)
	return z, nil
}

func (z *Writer) Reset(w io.Writer) {
	const unknown = 255
	if z.body != nil {
		z.body.Reset(w)
	}
	*z = Writer{Header: Header{OS: unknown}, w: w, level: z.level, body: z.body}
}

// latin1 is a text as a header has it.
func latin1(s string) ([]byte, error) {
	out := make([]byte, 0, len(s)+1)
	for _, r := range s {
		if r == 0 || r > 0xff {
			return nil, errors.New("gzip.Write: non-Latin-1 header string")
		}
		out = append(out, byte(r))
	}
	return append(out, 0), nil
}

func (z *Writer) put(p []byte) bool {
	if z.err == nil {
		_, z.err = z.w.Write(p)
	}
	return z.err == nil
}

func (z *Writer) begin() {
	z.begun = true
	start := make([]byte, headerLen)
	copy(start, magic)
	if z.Extra != nil {
		start[3] |= hasExtra
	}
	if z.Name != "" {
		start[3] |= hasName
	}
	if z.Comment != "" {
		start[3] |= hasComment
	}
	if z.ModTime.After(time.Unix(0, 0)) {
		order.PutUint32(start[4:], uint32(z.ModTime.Unix()))
	}
	switch z.level {
	case BestCompression:
		start[8] = 2
	case BestSpeed:
		start[8] = 4
	}
	start[9] = z.OS
	if !z.put(start) {
		return
	}
	if z.Extra != nil {
		if len(z.Extra) > 0xffff {
			z.err = errors.New("gzip.Write: Extra data is too large")
			return
		}
		if !z.put(order.AppendUint16(nil, uint16(len(z.Extra)))) || !z.put(z.Extra) {
			return
		}
	}
	for _, text := range []string{z.Name, z.Comment} {
		if text == "" {
			continue
		}
		var raw []byte
		if raw, z.err = latin1(text); !z.put(raw) {
			return
		}
	}
	if z.body == nil {
		z.body, _ = flate.NewWriter(z.w, z.level)
	}
}

func (z *Writer) Write(p []byte) (n int, err error) {
	if z.err == nil && !z.begun {
		z.begin()
	}
	if z.err != nil {
		return 0, z.err
	}
	z.size += uint32(len(p))
	z.sum = crc32.Update(z.sum, crc32.IEEETable, p)
	n, z.err = z.body.Write(p)
	return n, z.err
}

func (z *Writer) Flush() error {
	if z.err != nil || z.closed {
		return z.err
	}
	if _, err := z.Write(nil); err != nil {
		return err
	}
	z.err = z.body.Flush()
	return z.err
}

func (z *Writer) Close() error {
	if z.err != nil || z.closed {
		return z.err
	}
	z.closed = true
	if _, err := z.Write(nil); err != nil {
		return err
	}
	if z.err = z.body.Close(); z.err == nil {
		z.put(order.AppendUint32(order.AppendUint32(nil, z.sum), z.size))
	}
	return z.err
}

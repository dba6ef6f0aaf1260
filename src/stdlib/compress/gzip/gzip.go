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
	z := &Reader{}
	err := z.Reset(r)
	if err != nil {
		z = nil
	}
	return z, err
}

func (z *Reader) Reset(r io.Reader) error {
	*z = Reader{body: z.body, r: byBytes(r)}
	z.Header, z.err = z.header()
	return z.err
}

// byBytes is r, which must not be read any further than needed where it can be read by bytes.
func byBytes(r io.Reader) flate.Reader {
	if r, ok := r.(flate.Reader); ok {
		return r
	}
	return bufio.NewReader(r)
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
	if err != io.EOF {
		return err
	}
	return io.ErrUnexpectedEOF
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
	if t := order.Uint32(start[4:]); t > 0 {
		h.ModTime = time.Unix(int64(t), 0)
	}
	h.OS = start[9]
	z.sum = crc32.ChecksumIEEE(start[:])
	fields := [...]struct {
		flag byte
		read func() error
	}{
		{hasExtra, func() error { h.Extra, err = z.extra(); return err }},
		{hasName, func() error { h.Name, err = z.text(); return err }},
		{hasComment, func() error { h.Comment, err = z.text(); return err }},
		{hasCheck, z.check},
	}
	for _, field := range fields {
		if start[3]&field.flag == 0 {
			continue
		}
		if err := field.read(); err != nil {
			return h, err
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

func (z *Reader) extra() ([]byte, error) {
	n, err := z.part(2)
	if err != nil {
		return nil, err
	}
	return z.part(int(order.Uint16(n)))
}

// check compares the checksum of the header so far, of which the lower half is told.
func (z *Reader) check() error {
	own := uint16(z.sum)
	told, err := z.part(2)
	if err == nil && order.Uint16(told) != own {
		err = ErrHeader
	}
	return err
}

// Read goes on from one file to the next, unless one of them gave something.
func (z *Reader) Read(p []byte) (int, error) {
	for z.err == nil {
		n, err := z.body.Read(p)
		z.sum = crc32.Update(z.sum, crc32.IEEETable, p[:n])
		z.size += uint32(n)
		isOver := err == io.EOF
		if isOver {
			err = z.next()
		}
		z.err = err
		if n > 0 || !isOver || err != nil {
			return n, err
		}
	}
	return 0, z.err
}

// next holds the data against what stands behind it, and reads the header of another file;
// io.EOF if there is none, or none is wanted.
func (z *Reader) next() error {
	var end [trailerLen]byte
	if _, err := io.ReadFull(z.r, end[:]); err != nil {
		return whole(err)
	}
	own := order.AppendUint32(order.AppendUint32(nil, z.sum), z.size)
	if string(own) != string(end[:]) {
		return ErrChecksum
	}
	z.sum, z.size = 0, 0
	if z.single {
		return io.EOF
	}
	_, err := z.header()
	return err
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

func NewWriterLevel(w io.Writer, level int) (*Writer, error) {
	if level > BestCompression || level < HuffmanOnly {
		return nil, fmt.Errorf("gzip: invalid compression level: %d", level)
	}
	z := &Writer{level: level}
	z.Reset(w)
	return z, nil
}

func NewWriter(w io.Writer) *Writer {
	z := &Writer{level: DefaultCompression}
	z.Reset(w)
	return z
}

func (z *Writer) Reset(w io.Writer) {
	const unknown = 255
	if z.body != nil {
		z.body.Reset(w)
	}
	*z = Writer{Header: Header{OS: unknown}, w: w, level: z.level, body: z.body}
}

// latin1 is a text as a header has it: a byte for a character, and a zero at the end.
func latin1(s string) ([]byte, error) {
	runes := []rune(s + "\x00")
	out := make([]byte, len(runes))
	for i, r := range runes {
		if out[i] = byte(r); r > 0xff || r == 0 && i+1 < len(out) {
			return nil, errors.New("gzip.Write: non-Latin-1 header string")
		}
	}
	return out, nil
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

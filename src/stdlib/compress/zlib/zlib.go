// Package zlib: DEFLATE with a short header and a checksum. RFC 1950.
package zlib

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"io"
)

const (
	NoCompression      = flate.NoCompression
	BestSpeed          = flate.BestSpeed
	BestCompression    = flate.BestCompression
	DefaultCompression = flate.DefaultCompression
	HuffmanOnly        = flate.HuffmanOnly
)

var (
	ErrChecksum   = errors.New("zlib: invalid checksum")
	ErrDictionary = errors.New("zlib: invalid dictionary")
	ErrHeader     = errors.New("zlib: invalid header")
)

const (
	method    = 8 // DEFLATE
	maxWindow = 7 // 32 KB
	hasDict   = 1 << 5
	checkBase = 31
)

var order = binary.BigEndian

type Resetter interface {
	Reset(r io.Reader, dict []byte) error
}

type reader struct {
	r    flate.Reader
	body io.ReadCloser
	sum  hash.Hash32
	err  error
}

func NewReaderDict(r io.Reader, dict []byte) (io.ReadCloser, error) {
	z := new(reader)
	if err := z.Reset(r, dict); err != nil {
		return nil, err
	}
	return z, nil
}

func NewReader(r io.Reader) (io.ReadCloser, error) { return NewReaderDict(r, nil) }

// full fills p.
func (z *reader) full(p []byte) error {
	_, err := io.ReadFull(z.r, p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (z *reader) Reset(r io.Reader, dict []byte) error {
	*z = reader{body: z.body, r: byBytes(r)}
	z.err = z.header(dict)
	return z.err
}

// byBytes is r, which must not be read any further than needed where it can be read by bytes.
func byBytes(r io.Reader) flate.Reader {
	if r, ok := r.(flate.Reader); ok {
		return r
	}
	return bufio.NewReader(r)
}

func (z *reader) header(dict []byte) error {
	var start [4]byte
	if err := z.full(start[:2]); err != nil {
		return err
	}
	kind, flags := start[0], start[1]
	if kind&15 != method || kind>>4 > maxWindow || order.Uint16(start[:])%checkBase != 0 {
		return ErrHeader
	}
	wantsDict := flags&hasDict != 0
	if wantsDict {
		if err := z.full(start[:]); err != nil {
			return err
		}
		if order.Uint32(start[:]) != adler32.Checksum(dict) {
			return ErrDictionary
		}
	}
	switch {
	case z.body != nil:
		z.body.(flate.Resetter).Reset(z.r, dict)
	case wantsDict:
		z.body = flate.NewReaderDict(z.r, dict)
	default:
		z.body = flate.NewReader(z.r)
	}
	z.sum = adler32.New()
	return nil
}

func (z *reader) Read(p []byte) (n int, err error) {
	if z.err == nil {
		n, z.err = z.body.Read(p)
		z.sum.Write(p[:n])
		if z.err == io.EOF {
			z.err = z.check()
		}
	}
	return n, z.err
}

// check compares the checksum behind the data; io.EOF if that is right.
func (z *reader) check() error {
	var told [4]byte
	if err := z.full(told[:]); err != nil {
		return err
	}
	if order.Uint32(told[:]) == z.sum.Sum32() {
		return io.EOF
	}
	return ErrChecksum
}

func (z *reader) Close() error {
	if z.err == nil || z.err == io.EOF {
		z.err = z.body.Close()
	}
	return z.err
}

type Writer struct {
	w     io.Writer
	level int
	dict  []byte
	body  *flate.Writer
	sum   hash.Hash32
	begun bool
	err   error
}

func NewWriterLevelDict(w io.Writer, level int, dict []byte) (*Writer, error) {
	if HuffmanOnly <= level && level <= BestCompression {
		return &Writer{w: w, level: level, dict: dict}, nil
	}
	return nil, fmt.Errorf("zlib: invalid compression level: %d", level)
}

func NewWriterLevel(w io.Writer, level int) (*Writer, error) {
	return NewWriterLevelDict(w, level, nil)
}

func NewWriter(w io.Writer) *Writer {
	z, _ := NewWriterLevel(w, DefaultCompression)
	return z
}

func (z *Writer) Reset(w io.Writer) {
	z.w, z.err, z.begun = w, nil, false
	if z.body != nil {
		z.body.Reset(w)
		z.sum.Reset()
	}
}

// begin writes the header, which tells how much effort was made.
func (z *Writer) begin() error {
	if z.begun || z.err != nil {
		return z.err
	}
	z.begun = true
	start := []byte{maxWindow<<4 | method, 0}
	switch {
	case z.level == DefaultCompression || z.level == 6:
		start[1] = 2 << 6
	case z.level > 6:
		start[1] = 3 << 6
	case z.level > BestSpeed:
		start[1] = 1 << 6
	}
	if z.dict != nil {
		start[1] |= hasDict
	}
	start[1] += byte(checkBase - order.Uint16(start)%checkBase)
	if _, z.err = z.w.Write(start); z.err != nil {
		return z.err
	}
	if z.dict != nil {
		if _, z.err = z.w.Write(order.AppendUint32(nil, adler32.Checksum(z.dict))); z.err != nil {
			return z.err
		}
	}
	if z.body == nil {
		z.body, z.err = flate.NewWriterDict(z.w, z.level, z.dict)
		z.sum = adler32.New()
	}
	return z.err
}

func (z *Writer) Write(p []byte) (n int, err error) {
	if z.begin() == nil && len(p) > 0 {
		if n, z.err = z.body.Write(p); z.err == nil {
			z.sum.Write(p)
		}
	}
	return n, z.err
}

func (z *Writer) Flush() error {
	if z.begin() == nil {
		z.err = z.body.Flush()
	}
	return z.err
}

func (z *Writer) Close() error {
	if z.begin() != nil {
		return z.err
	}
	if z.err = z.body.Close(); z.err == nil {
		_, z.err = z.w.Write(order.AppendUint32(nil, z.sum.Sum32()))
	}
	return z.err
}

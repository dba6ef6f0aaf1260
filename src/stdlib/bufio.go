// Package bufio: buffered readers and writers, and the scanner of lines and words.
package bufio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

const defaultSize = 4096

var (
	ErrInvalidUnreadByte = errors.New("bufio: invalid use of UnreadByte")
	ErrInvalidUnreadRune = errors.New("bufio: invalid use of UnreadRune")
	ErrBufferFull        = errors.New("bufio: buffer full")
	ErrNegativeCount     = errors.New("bufio: negative count")
)

var errNegativeRead = errors.New("bufio: reader returned negative count from Read")
var errNegativeWrite = errors.New("bufio: writer returned negative count from Write")

// maxEmptyReads is how often a Read may return nothing before io.ErrNoProgress.
const maxEmptyReads = 100

// Reader: buf[r:w] is what has been read ahead.
type Reader struct {
	buf      []byte
	rd       io.Reader
	r, w     int
	err      error
	lastByte int // for UnreadByte; -1: invalid
	lastRune int // size of it, for UnreadRune; -1: invalid
}

func NewReaderSize(rd io.Reader, size int) *Reader {
	if b, ok := rd.(*Reader); ok && len(b.buf) >= size {
		return b
	}
	b := &Reader{buf: make([]byte, max(size, 16))}
	b.start(rd)
	return b
}

func NewReader(rd io.Reader) *Reader { return NewReaderSize(rd, defaultSize) }

func (b *Reader) start(rd io.Reader) {
	*b = Reader{buf: b.buf, rd: rd, lastByte: -1, lastRune: -1}
}

func (b *Reader) Size() int     { return len(b.buf) }
func (b *Reader) Buffered() int { return b.w - b.r }

func (b *Reader) Reset(r io.Reader) {
	if b == r {
		return
	}
	if b.buf == nil {
		b.buf = make([]byte, defaultSize)
	}
	b.start(r)
}

// fill reads once more into the buffer, after moving what is unread to its front.
func (b *Reader) fill() {
	if b.r > 0 {
		copy(b.buf, b.buf[b.r:b.w])
		b.w -= b.r
		b.r = 0
	}
	if b.w >= len(b.buf) {
		panic("bufio: tried to fill full buffer")
	}
	for range maxEmptyReads {
		n, err := b.rd.Read(b.buf[b.w:])
		if n < 0 {
			panic(errNegativeRead)
		}
		b.w += n
		if err != nil {
			b.err = err
			return
		}
		if n > 0 {
			return
		}
	}
	b.err = io.ErrNoProgress
}

func (b *Reader) takeErr() error {
	err := b.err
	b.err = nil
	return err
}

func (b *Reader) Peek(n int) ([]byte, error) {
	if n < 0 {
		return nil, ErrNegativeCount
	}
	b.lastByte, b.lastRune = -1, -1
	for b.w-b.r < n && b.w-b.r < len(b.buf) && b.err == nil {
		b.fill()
	}
	if n > len(b.buf) {
		return b.buf[b.r:b.w], ErrBufferFull
	}
	var err error
	if have := b.w - b.r; have < n {
		n = have
		if err = b.takeErr(); err == nil {
			err = ErrBufferFull
		}
	}
	return b.buf[b.r : b.r+n], err
}

func (b *Reader) Discard(n int) (discarded int, err error) {
	if n < 0 {
		return 0, ErrNegativeCount
	}
	if n == 0 {
		return 0, nil
	}
	b.lastByte, b.lastRune = -1, -1
	for left := n; ; {
		if b.Buffered() == 0 {
			b.fill()
		}
		skip := min(b.Buffered(), left)
		b.r += skip
		if left -= skip; left == 0 {
			return n, nil
		}
		if b.err != nil {
			return n - left, b.takeErr()
		}
	}
}

func (b *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		if b.Buffered() > 0 {
			return 0, nil
		}
		return 0, b.takeErr()
	}
	if b.r == b.w {
		if b.err != nil {
			return 0, b.takeErr()
		}
		if len(p) >= len(b.buf) { // no need to pass through the buffer
			n, b.err = b.rd.Read(p)
			if n < 0 {
				panic(errNegativeRead)
			}
			if n > 0 {
				b.lastByte, b.lastRune = int(p[n-1]), -1
			}
			return n, b.takeErr()
		}
		b.r, b.w = 0, 0
		n, b.err = b.rd.Read(b.buf)
		if n < 0 {
			panic(errNegativeRead)
		}
		if n == 0 {
			return 0, b.takeErr()
		}
		b.w = n
	}
	n = copy(p, b.buf[b.r:b.w])
	b.r += n
	b.lastByte, b.lastRune = int(b.buf[b.r-1]), -1
	return n, nil
}

func (b *Reader) ReadByte() (byte, error) {
	b.lastRune = -1
	for b.r == b.w {
		if b.err != nil {
			return 0, b.takeErr()
		}
		b.fill()
	}
	c := b.buf[b.r]
	b.r++
	b.lastByte = int(c)
	return c, nil
}

func (b *Reader) UnreadByte() error {
	if b.lastByte < 0 || b.r == 0 && b.w > 0 {
		return ErrInvalidUnreadByte
	}
	if b.r > 0 {
		b.r--
	} else {
		b.w = 1
	}
	b.buf[b.r] = byte(b.lastByte)
	b.lastByte, b.lastRune = -1, -1
	return nil
}

func (b *Reader) ReadRune() (r rune, size int, err error) {
	for b.w-b.r < utf8.UTFMax && !utf8.FullRune(b.buf[b.r:b.w]) && b.err == nil && b.w-b.r < len(b.buf) {
		b.fill()
	}
	b.lastRune = -1
	if b.r == b.w {
		return 0, 0, b.takeErr()
	}
	r, size = utf8.DecodeRune(b.buf[b.r:b.w])
	b.r += size
	b.lastByte, b.lastRune = int(b.buf[b.r-1]), size
	return r, size, nil
}

func (b *Reader) UnreadRune() error {
	if b.lastRune < 0 || b.r < b.lastRune {
		return ErrInvalidUnreadRune
	}
	b.r -= b.lastRune
	b.lastByte, b.lastRune = -1, -1
	return nil
}

func (b *Reader) ReadSlice(delim byte) (line []byte, err error) {
	for seen := 0; ; seen = b.w - b.r {
		if i := bytes.IndexByte(b.buf[b.r+seen:b.w], delim); i >= 0 {
			end := b.r + seen + i + 1
			line = b.buf[b.r:end]
			b.r = end
			break
		}
		if b.err != nil {
			line = b.buf[b.r:b.w]
			b.r = b.w
			err = b.takeErr()
			break
		}
		if b.Buffered() >= len(b.buf) {
			line = b.buf
			b.r = b.w
			err = ErrBufferFull
			break
		}
		seen = b.w - b.r
		b.fill()
	}
	if n := len(line); n > 0 {
		b.lastByte, b.lastRune = int(line[n-1]), -1
	}
	return line, err
}

func (b *Reader) ReadLine() (line []byte, isPrefix bool, err error) {
	line, err = b.ReadSlice('\n')
	if err == ErrBufferFull {
		if n := len(line); n > 0 && line[n-1] == '\r' { // may be the first half of \r\n
			b.r--
			line = line[:n-1]
		}
		return line, true, nil
	}
	if len(line) == 0 {
		if err != nil {
			line = nil
		}
		return line, false, err
	}
	if line[len(line)-1] == '\n' {
		line = line[:len(line)-1]
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
	}
	return line, false, nil
}

func (b *Reader) ReadBytes(delim byte) ([]byte, error) {
	var all []byte
	for {
		part, err := b.ReadSlice(delim)
		all = append(all, part...)
		if err != ErrBufferFull {
			if all == nil {
				all = []byte{}
			}
			return all, err
		}
	}
}

func (b *Reader) ReadString(delim byte) (string, error) {
	part, err := b.ReadSlice(delim)
	if err != ErrBufferFull {
		return string(part), err
	}
	var all strings.Builder
	for err == ErrBufferFull {
		all.Write(part)
		part, err = b.ReadSlice(delim)
	}
	all.Write(part)
	return all.String(), err
}

func (b *Reader) WriteTo(w io.Writer) (n int64, err error) {
	b.lastByte, b.lastRune = -1, -1
	if b.r < b.w {
		n, err = b.drain(w)
		if err != nil {
			return n, err
		}
	}
	if from, ok := b.rd.(io.WriterTo); ok {
		m, err := from.WriteTo(w)
		return n + m, err
	}
	if to, ok := w.(io.ReaderFrom); ok {
		m, err := to.ReadFrom(b.rd)
		return n + m, err
	}
	if b.err == nil {
		b.fill()
	}
	for b.r < b.w {
		m, err := b.drain(w)
		n += m
		if err != nil {
			return n, err
		}
		if b.err == nil {
			b.fill()
		}
	}
	if b.err == io.EOF {
		b.err = nil
	}
	return n, b.takeErr()
}

func (b *Reader) drain(w io.Writer) (int64, error) {
	n, err := w.Write(b.buf[b.r:b.w])
	if n < 0 {
		panic(errNegativeWrite)
	}
	b.r += n
	return int64(n), err
}

// Writer: buf[:n] waits to be written.
type Writer struct {
	err error
	buf []byte
	n   int
	wr  io.Writer
}

func NewWriterSize(w io.Writer, size int) *Writer {
	if b, ok := w.(*Writer); ok && len(b.buf) >= size {
		return b
	}
	if size <= 0 {
		size = defaultSize
	}
	return &Writer{buf: make([]byte, size), wr: w}
}

func NewWriter(w io.Writer) *Writer { return NewWriterSize(w, defaultSize) }

func (b *Writer) Size() int               { return len(b.buf) }
func (b *Writer) Available() int          { return len(b.buf) - b.n }
func (b *Writer) AvailableBuffer() []byte { return b.buf[b.n:][:0] }
func (b *Writer) Buffered() int           { return b.n }

func (b *Writer) Reset(w io.Writer) {
	if b == w {
		return
	}
	if b.buf == nil {
		b.buf = make([]byte, defaultSize)
	}
	*b = Writer{buf: b.buf, wr: w}
}

func (b *Writer) Flush() error {
	if b.err != nil {
		return b.err
	}
	if b.n == 0 {
		return nil
	}
	n, err := b.wr.Write(b.buf[:b.n])
	if n < b.n && err == nil {
		err = io.ErrShortWrite
	}
	if err != nil {
		if n > 0 && n < b.n {
			copy(b.buf, b.buf[n:b.n])
		}
		b.n -= n
		b.err = err
		return err
	}
	b.n = 0
	return nil
}

func (b *Writer) Write(p []byte) (nn int, err error) {
	for len(p) > b.Available() && b.err == nil {
		var n int
		if b.n == 0 { // large and nothing buffered: write it as it is
			n, b.err = b.wr.Write(p)
		} else {
			n = copy(b.buf[b.n:], p)
			b.n += n
			b.Flush()
		}
		nn += n
		p = p[n:]
	}
	if b.err != nil {
		return nn, b.err
	}
	n := copy(b.buf[b.n:], p)
	b.n += n
	return nn + n, nil
}

func (b *Writer) WriteString(s string) (nn int, err error) {
	sw, direct := b.wr.(io.StringWriter)
	for len(s) > b.Available() && b.err == nil {
		var n int
		if b.n == 0 && direct {
			n, b.err = sw.WriteString(s)
		} else {
			n = copy(b.buf[b.n:], s)
			b.n += n
			b.Flush()
		}
		nn += n
		s = s[n:]
	}
	if b.err != nil {
		return nn, b.err
	}
	n := copy(b.buf[b.n:], s)
	b.n += n
	return nn + n, nil
}

func (b *Writer) WriteByte(c byte) error {
	if b.err != nil {
		return b.err
	}
	if b.Available() <= 0 && b.Flush() != nil {
		return b.err
	}
	b.buf[b.n] = c
	b.n++
	return nil
}

func (b *Writer) WriteRune(r rune) (size int, err error) {
	if uint32(r) < utf8.RuneSelf {
		if err = b.WriteByte(byte(r)); err != nil {
			return 0, err
		}
		return 1, nil
	}
	if b.err != nil {
		return 0, b.err
	}
	if b.Available() < utf8.UTFMax {
		if b.Flush(); b.err != nil {
			return 0, b.err
		}
		if b.Available() < utf8.UTFMax {
			return b.WriteString(string(r))
		}
	}
	size = utf8.EncodeRune(b.buf[b.n:], r)
	b.n += size
	return size, nil
}

func (b *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	if b.err != nil {
		return 0, b.err
	}
	to, direct := b.wr.(io.ReaderFrom)
	for {
		if b.Available() == 0 {
			if err := b.Flush(); err != nil {
				return n, err
			}
		}
		if direct && b.n == 0 {
			m, err := to.ReadFrom(r)
			b.err = err
			return n + m, err
		}
		var got, tries int
		for tries = 0; tries < maxEmptyReads; tries++ {
			got, err = r.Read(b.buf[b.n:])
			if got != 0 || err != nil {
				break
			}
		}
		if tries == maxEmptyReads {
			return n, io.ErrNoProgress
		}
		b.n += got
		n += int64(got)
		if err != nil {
			break
		}
	}
	if err == io.EOF {
		err = nil
		if b.Available() == 0 {
			err = b.Flush()
		}
	}
	return n, err
}

type ReadWriter struct {
	*Reader
	*Writer
}

func NewReadWriter(r *Reader, w *Writer) *ReadWriter { return &ReadWriter{r, w} }

const (
	MaxScanTokenSize = 64 * 1024
	startBufSize     = 4096
)

var (
	ErrTooLong         = errors.New("bufio.Scanner: token too long")
	ErrNegativeAdvance = errors.New("bufio.Scanner: SplitFunc returns negative advance count")
	ErrAdvanceTooFar   = errors.New("bufio.Scanner: SplitFunc returns advance count beyond input")
	ErrBadReadCount    = errors.New("bufio.Scanner: Read returned impossible count")
	ErrFinalToken      = errors.New("final token")
)

type SplitFunc func(data []byte, atEOF bool) (advance int, token []byte, err error)

// Scanner: buf[start:end] has been read and not been split off.
type Scanner struct {
	r          io.Reader
	split      SplitFunc
	limit      int
	token      []byte
	buf        []byte
	start, end int
	err        error
	empties    int // tokens in a row that did not advance
	scanning   bool
	done       bool
}

func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: r, split: ScanLines, limit: MaxScanTokenSize}
}

func (s *Scanner) Err() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

func (s *Scanner) Bytes() []byte { return s.token }
func (s *Scanner) Text() string  { return string(s.token) }

func (s *Scanner) Buffer(buf []byte, max int) {
	if s.scanning {
		panic("Buffer called after Scan")
	}
	s.buf = buf[:cap(buf)]
	s.limit = max
}

func (s *Scanner) Split(split SplitFunc) {
	if s.scanning {
		panic("Split called after Scan")
	}
	s.split = split
}

// stop ends scanning with err; the first error is kept, but EOF gives way.
func (s *Scanner) stop(err error) {
	if s.err == nil || s.err == io.EOF {
		s.err = err
	}
}

func (s *Scanner) end1(err error) bool {
	s.start, s.end = 0, 0
	s.token = nil
	if err != nil {
		s.stop(err)
	}
	return false
}

func (s *Scanner) Scan() bool {
	if s.done {
		return false
	}
	s.scanning = true
	for {
		if s.end > s.start || s.err != nil {
			advance, token, err := s.split(s.buf[s.start:s.end], s.err != nil)
			if err != nil {
				if err == ErrFinalToken {
					s.token = token
					s.done = true
					return token != nil
				}
				return s.end1(err)
			}
			if advance < 0 {
				return s.end1(ErrNegativeAdvance)
			}
			if advance > s.end-s.start {
				return s.end1(ErrAdvanceTooFar)
			}
			s.start += advance
			s.token = token
			if token != nil {
				if s.err == nil || advance > 0 {
					s.empties = 0
				} else if s.empties++; s.empties > maxEmptyReads {
					panic("bufio.Scan: too many empty tokens without progressing")
				}
				return true
			}
		}
		if s.err != nil {
			return s.end1(nil)
		}
		if s.start > 0 && (s.end == len(s.buf) || s.start > len(s.buf)/2) {
			copy(s.buf, s.buf[s.start:s.end])
			s.end -= s.start
			s.start = 0
		}
		if s.end == len(s.buf) {
			if len(s.buf) >= s.limit || len(s.buf) > int(^uint(0)>>1)/2 {
				return s.end1(ErrTooLong)
			}
			size := len(s.buf) * 2
			if size == 0 {
				size = startBufSize
			}
			larger := make([]byte, min(size, s.limit))
			copy(larger, s.buf[s.start:s.end])
			s.buf = larger
			s.end -= s.start
			s.start = 0
		}
		for empty := 0; ; {
			n, err := s.r.Read(s.buf[s.end:])
			if n < 0 || n > len(s.buf)-s.end {
				s.stop(ErrBadReadCount)
				break
			}
			s.end += n
			if err != nil {
				s.stop(err)
				break
			}
			if n > 0 {
				s.empties = 0
				break
			}
			if empty++; empty > maxEmptyReads {
				s.stop(io.ErrNoProgress)
				break
			}
		}
	}
}

func ScanBytes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	return 1, data[:1], nil
}

var replacement = []byte(string(utf8.RuneError))

func ScanRunes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	_, width := utf8.DecodeRune(data)
	if width > 1 || data[0] < utf8.RuneSelf {
		return width, data[:width], nil
	}
	if !atEOF && !utf8.FullRune(data) {
		return 0, nil, nil
	}
	return 1, replacement, nil
}

func ScanLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 {
		return 0, nil, nil
	}
	i := bytes.IndexByte(data, '\n')
	switch {
	case i >= 0:
		return i + 1, dropCR(data[:i]), nil
	case atEOF:
		return len(data), dropCR(data), nil
	}
	return 0, nil, nil
}

func dropCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return 0x2000 <= r && r <= 0x200a
}

func ScanWords(data []byte, atEOF bool) (advance int, token []byte, err error) {
	start := 0
	for start < len(data) {
		r, width := utf8.DecodeRune(data[start:])
		if !isSpace(r) {
			break
		}
		start += width
	}
	for i := start; i < len(data); {
		r, width := utf8.DecodeRune(data[i:])
		if isSpace(r) {
			return i + width, data[start:i], nil
		}
		i += width
	}
	if atEOF && start < len(data) {
		return len(data), data[start:], nil
	}
	return start, nil, nil
}

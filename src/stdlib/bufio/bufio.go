// Package bufio: buffered readers and writers, and the scanner of lines and words.
//
// A Reader keeps a window into its buffer, a Writer a slice that grows inside it, a Scanner a window again: what is buffered is
// always one slice, never a pair of indices.
package bufio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	usualSize     = 4096
	smallestSize  = 16  // of a Reader: a rune must fit
	maxEmptyReads = 100 // how often a Read may return nothing before io.ErrNoProgress
)

var (
	ErrInvalidUnreadByte = errors.New("bufio: invalid use of UnreadByte")
	ErrInvalidUnreadRune = errors.New("bufio: invalid use of UnreadRune")
	ErrBufferFull        = errors.New("bufio: buffer full")
	ErrNegativeCount     = errors.New("bufio: negative count")
)

var (
	errReadCount  = errors.New("bufio: reader returned negative count from Read")
	errWriteCount = errors.New("bufio: writer returned negative count from Write")
)

// Reader reads ahead of its user.
type Reader struct {
	src   io.Reader
	store []byte // the whole buffer; its length is its capacity
	ahead []byte // the window of store that src gave and nobody took yet
	fault error  // how src ended; told once, when ahead is used up
	last  int    // the byte given out last, which UnreadByte puts back; none: nothing to put back
	width int    // of the rune given out last, for UnreadRune; none likewise
}

const none = -1

func NewReader(rd io.Reader) *Reader { return NewReaderSize(rd, usualSize) }

func NewReaderSize(rd io.Reader, size int) *Reader {
	if already, ok := rd.(*Reader); ok && already.Size() >= size {
		return already
	}
	return newReader(rd, make([]byte, max(size, smallestSize)))
}

func newReader(rd io.Reader, store []byte) *Reader {
	return &Reader{src: rd, store: store, ahead: store[:0], last: none, width: none}
}

func (b *Reader) Reset(r io.Reader) {
	if r == io.Reader(b) {
		return
	}
	store := b.store
	if store == nil {
		store = make([]byte, usualSize)
	}
	*b = *newReader(r, store)
}

func (b *Reader) Size() int     { return len(b.store) }
func (b *Reader) Buffered() int { return len(b.ahead) }

// taken is how many bytes of store lie before the window.
func (b *Reader) taken() int { return len(b.store) - cap(b.ahead) }

// give moves the window over n bytes and returns them.
func (b *Reader) give(n int) []byte {
	out := b.ahead[:n]
	b.ahead = b.ahead[n:]
	if n > 0 {
		b.last, b.width = int(out[n-1]), none
	}
	return out
}

func (b *Reader) forget() { b.last, b.width = none, none }

func (b *Reader) tell() error {
	fault := b.fault
	b.fault = nil
	return fault
}

func (b *Reader) ask(p []byte) (int, error) {
	n, err := b.src.Read(p)
	if n < 0 {
		panic(errReadCount)
	}
	return n, err
}

// pull moves the window to the front of the buffer and reads behind it until something comes: bytes or a fault.
func (b *Reader) pull() {
	have := copy(b.store, b.ahead)
	if have == len(b.store) {
		panic("bufio: tried to fill full buffer")
	}
	b.ahead = b.store[:have]
	for try := 0; try < maxEmptyReads; try++ {
		got, err := b.ask(b.store[have:])
		b.ahead, b.fault = b.store[:have+got], err
		if got > 0 || err != nil {
			return
		}
	}
	b.fault = io.ErrNoProgress
}

func (b *Reader) Peek(n int) ([]byte, error) {
	if n < 0 {
		return nil, ErrNegativeCount
	}
	b.forget()
	for b.fault == nil && len(b.ahead) < min(n, len(b.store)) {
		b.pull()
	}
	switch {
	case len(b.ahead) >= n:
		return b.ahead[:n], nil
	case n <= len(b.store) && b.fault != nil:
		return b.ahead, b.tell()
	}
	return b.ahead, ErrBufferFull
}

func (b *Reader) Discard(n int) (discarded int, err error) {
	if n < 0 {
		return 0, ErrNegativeCount
	}
	if n > 0 {
		b.forget()
	}
	for discarded < n {
		if len(b.ahead) == 0 {
			b.pull()
		}
		step := min(len(b.ahead), n-discarded)
		b.ahead = b.ahead[step:]
		discarded += step
		if discarded < n && b.fault != nil {
			return discarded, b.tell()
		}
	}
	return discarded, nil
}

func (b *Reader) Read(p []byte) (n int, err error) {
	if len(b.ahead) == 0 {
		if len(p) == 0 || b.fault != nil {
			return 0, b.tell()
		}
		if len(p) >= len(b.store) {
			return b.readPast(p)
		}
		n, b.fault = b.ask(b.store)
		if b.ahead = b.store[:n]; n == 0 {
			return 0, b.tell()
		}
	}
	return copy(p, b.give(min(len(p), len(b.ahead)))), nil
}

// readPast reads straight into p, which is no smaller than the empty buffer.
func (b *Reader) readPast(p []byte) (int, error) {
	n, err := b.ask(p)
	if n > 0 {
		b.last, b.width = int(p[n-1]), none
	}
	return n, err
}

func (b *Reader) ReadByte() (byte, error) {
	for len(b.ahead) == 0 {
		if b.fault != nil {
			b.width = none
			return 0, b.tell()
		}
		b.pull()
	}
	return b.give(1)[0], nil
}

func (b *Reader) UnreadByte() error {
	at := b.taken()
	switch {
	case b.last == none, at == 0 && len(b.ahead) > 0:
		return ErrInvalidUnreadByte
	case at == 0: // the byte never went through the buffer
		b.ahead = b.store[:1]
	default:
		b.ahead = b.store[at-1 : at+len(b.ahead)]
	}
	b.ahead[0] = byte(b.last)
	b.forget()
	return nil
}

func (b *Reader) ReadRune() (r rune, size int, err error) {
	for b.fault == nil && !utf8.FullRune(b.ahead) && len(b.ahead) < len(b.store) {
		b.pull()
	}
	if len(b.ahead) == 0 {
		b.width = none
		return 0, 0, b.tell()
	}
	r, size = utf8.DecodeRune(b.ahead)
	b.give(size)
	b.width = size
	return r, size, nil
}

func (b *Reader) UnreadRune() error {
	at := b.taken() - b.width
	if b.width == none || at < 0 {
		return ErrInvalidUnreadRune
	}
	b.ahead = b.store[at : at+b.width+len(b.ahead)]
	b.forget()
	return nil
}

func (b *Reader) ReadSlice(delim byte) (line []byte, err error) {
	for searched := 0; ; b.pull() {
		if at := bytes.IndexByte(b.ahead[searched:], delim); at >= 0 {
			return b.give(searched + at + 1), nil
		}
		searched = len(b.ahead)
		if b.fault != nil {
			return b.give(searched), b.tell()
		}
		if searched >= len(b.store) {
			return b.give(searched), ErrBufferFull
		}
	}
}

func (b *Reader) ReadLine() (line []byte, isPrefix bool, err error) {
	line, err = b.ReadSlice('\n')
	switch {
	case err == ErrBufferFull:
		if rest, cut := bytes.CutSuffix(line, []byte("\r")); cut { // it may belong to a line end: keep it for the next call
			at := b.taken()
			b.ahead = b.store[at-1 : at+len(b.ahead)]
			line = rest
		}
		return line, true, nil
	case len(line) > 0:
		if rest, ended := bytes.CutSuffix(line, []byte("\n")); ended {
			line = withoutCR(rest)
		}
		return line, false, nil
	case err != nil:
		line = nil
	}
	return line, false, err
}

func (b *Reader) ReadBytes(delim byte) ([]byte, error) {
	whole := []byte{}
	for {
		piece, err := b.ReadSlice(delim)
		whole = append(whole, piece...)
		if err != ErrBufferFull {
			return whole, err
		}
	}
}

func (b *Reader) ReadString(delim byte) (string, error) {
	piece, err := b.ReadSlice(delim)
	if err != ErrBufferFull {
		return string(piece), err // as nearly always: one copy
	}
	var whole strings.Builder
	for whole.Write(piece); err == ErrBufferFull; whole.Write(piece) {
		piece, err = b.ReadSlice(delim)
	}
	return whole.String(), err
}

func (b *Reader) WriteTo(w io.Writer) (n int64, err error) {
	b.forget()
	if len(b.ahead) > 0 {
		if n, err = b.pour(w); err != nil {
			return n, err
		}
	}
	part, err, isDone := direct(w, b.src)
	isFull := len(b.ahead) == len(b.store) // then w has taken nothing, and gets one more chance
	for n += part; err == nil && !isDone; n += part {
		if !isFull {
			b.pull()
		}
		isFull = false
		if isDone = len(b.ahead) == 0; !isDone {
			part, err = b.pour(w)
		} else if part, err = 0, b.tell(); err == io.EOF {
			err = nil
		}
	}
	return n, err
}

// direct lets src or w copy by itself, if it can: the buffer takes no part in it.
func direct(w io.Writer, src io.Reader) (n int64, err error, isDone bool) {
	if from, ok := src.(io.WriterTo); ok {
		n, err = from.WriteTo(w)
		return n, err, true
	}
	if to, ok := w.(io.ReaderFrom); ok {
		n, err = to.ReadFrom(src)
		return n, err, true
	}
	return 0, nil, false
}

// pour writes the window to w, once.
func (b *Reader) pour(w io.Writer) (int64, error) {
	n, err := w.Write(b.ahead)
	if n < 0 {
		panic(errWriteCount)
	}
	b.ahead = b.ahead[n:]
	return int64(n), err
}

// Writer gathers small writes into large ones.
type Writer struct {
	dst     io.Writer
	pending []byte // what waits to be written; its capacity is the buffer
	fault   error  // the first one; everything after it is refused
}

func NewWriter(w io.Writer) *Writer { return NewWriterSize(w, usualSize) }

func NewWriterSize(w io.Writer, size int) *Writer {
	if size <= 0 {
		size = usualSize
	}
	if already, ok := w.(*Writer); ok && already.Size() >= size {
		return already
	}
	return &Writer{dst: w, pending: make([]byte, 0, size)}
}

func (b *Writer) Reset(w io.Writer) {
	if w == io.Writer(b) {
		return
	}
	store := b.pending[:0]
	if store == nil {
		store = make([]byte, 0, usualSize)
	}
	*b = Writer{dst: w, pending: store}
}

func (b *Writer) Size() int               { return cap(b.pending) }
func (b *Writer) Buffered() int           { return len(b.pending) }
func (b *Writer) Available() int          { return cap(b.pending) - len(b.pending) }
func (b *Writer) AvailableBuffer() []byte { return b.pending[len(b.pending):] }

func (b *Writer) Flush() error {
	if b.fault != nil || len(b.pending) == 0 {
		return b.fault
	}
	n, err := b.dst.Write(b.pending)
	if err == nil && n < len(b.pending) {
		err = io.ErrShortWrite
	}
	if b.fault = err; err == nil {
		n = len(b.pending)
	}
	b.pending = b.pending[:copy(b.pending, b.pending[n:])]
	return err
}

func (b *Writer) Write(p []byte) (nn int, err error) {
	for rest := p; b.fault == nil && len(rest) > b.Available(); rest = p[nn:] {
		if len(b.pending) == 0 { // more than the buffer holds: no use in copying it
			var n int
			n, b.fault = b.dst.Write(rest)
			nn += n
			continue
		}
		fits := b.Available()
		b.pending = append(b.pending, rest[:fits]...)
		nn += fits
		b.Flush()
	}
	if b.fault == nil {
		b.pending = append(b.pending, p[nn:]...)
		nn = len(p)
	}
	return nn, b.fault
}

func (b *Writer) WriteString(s string) (nn int, err error) {
	for rest := s; b.fault == nil && len(rest) > b.Available(); rest = s[nn:] {
		if direct, ok := b.dst.(io.StringWriter); ok && len(b.pending) == 0 {
			var n int
			n, b.fault = direct.WriteString(rest)
			nn += n
			continue
		}
		fits := b.Available()
		b.pending = append(b.pending, rest[:fits]...)
		nn += fits
		b.Flush()
	}
	if b.fault == nil {
		b.pending = append(b.pending, s[nn:]...)
		nn = len(s)
	}
	return nn, b.fault
}

// room tells whether size bytes can be appended, if need be after a flush.
func (b *Writer) room(size int) bool {
	if b.fault == nil && b.Available() < size {
		b.Flush()
	}
	return b.fault == nil && b.Available() >= size
}

func (b *Writer) WriteByte(c byte) error {
	if b.room(1) {
		b.pending = append(b.pending, c)
	}
	return b.fault
}

func (b *Writer) WriteRune(r rune) (size int, err error) {
	if 0 <= r && r < utf8.RuneSelf {
		if err = b.WriteByte(byte(r)); err == nil {
			size = 1
		}
		return size, err
	}
	if b.room(utf8.UTFMax) {
		was := len(b.pending)
		b.pending = utf8.AppendRune(b.pending, r)
		return len(b.pending) - was, nil
	}
	if b.fault != nil {
		return 0, b.fault
	}
	return b.WriteString(string(r)) // the buffer is smaller than a rune
}

func (b *Writer) ReadFrom(r io.Reader) (n int64, err error) {
	if b.fault != nil {
		return 0, b.fault
	}
	direct, isDirect := b.dst.(io.ReaderFrom)
	for err == nil {
		if !b.room(1) {
			return n, b.fault
		}
		if isDirect && len(b.pending) == 0 {
			past, fault := direct.ReadFrom(r)
			b.fault = fault
			return n + past, fault
		}
		got := 0
		for try := 0; got == 0 && err == nil; try++ {
			if try == maxEmptyReads {
				return n, io.ErrNoProgress
			}
			got, err = r.Read(b.AvailableBuffer()[:b.Available()])
		}
		b.pending = b.pending[:len(b.pending)+got]
		n += int64(got)
	}
	if err != io.EOF {
		return n, err
	}
	if b.Available() == 0 { // a full buffer goes out at once
		return n, b.Flush()
	}
	return n, nil
}

// ReadWriter is both at once.
type ReadWriter struct {
	*Reader
	*Writer
}

func NewReadWriter(r *Reader, w *Writer) *ReadWriter { return &ReadWriter{Reader: r, Writer: w} }

const MaxScanTokenSize = 64 * 1024

var (
	ErrTooLong         = errors.New("bufio.Scanner: token too long")
	ErrNegativeAdvance = errors.New("bufio.Scanner: SplitFunc returns negative advance count")
	ErrAdvanceTooFar   = errors.New("bufio.Scanner: SplitFunc returns advance count beyond input")
	ErrBadReadCount    = errors.New("bufio.Scanner: Read returned impossible count")
	ErrFinalToken      = errors.New("final token")
)

type SplitFunc func(data []byte, atEOF bool) (advance int, token []byte, err error)

// Scanner cuts what it reads into tokens.
type Scanner struct {
	src     io.Reader
	split   SplitFunc
	longest int    // a buffer of this size is not made larger
	store   []byte // the whole buffer; its length is its capacity
	ahead   []byte // the window of store that was read and not split off
	token   []byte
	fault   error // io.EOF included; the first other one stays
	idle    int   // tokens in a row which consumed nothing, after the end
	begun   bool
	over    bool
}

func NewScanner(r io.Reader) *Scanner {
	return &Scanner{src: r, split: ScanLines, longest: MaxScanTokenSize}
}

func (s *Scanner) Buffer(buf []byte, max int) {
	if s.begun {
		panic("Buffer called after Scan")
	}
	s.store = buf[:cap(buf)]
	s.ahead, s.longest = s.store[:0], max
}

func (s *Scanner) Split(split SplitFunc) {
	if s.begun {
		panic("Split called after Scan")
	}
	s.split = split
}

func (s *Scanner) Bytes() []byte { return s.token }
func (s *Scanner) Text() string  { return string(s.token) }

func (s *Scanner) Err() error {
	if s.fault != io.EOF {
		return s.fault
	}
	return nil
}

func (s *Scanner) Scan() bool {
	s.begun = true
	for !s.over {
		if len(s.ahead) > 0 || s.fault != nil {
			if found, more := s.cut(); !more {
				return found
			}
		}
		if s.fault != nil {
			s.ahead = s.store[:0]
			return false
		}
		if !s.widen() {
			s.note(ErrTooLong)
			return false
		}
		s.pull()
	}
	return false
}

// cut asks the split function for a token. more: there is none yet, and more input might bring one.
func (s *Scanner) cut() (found, more bool) {
	ended := s.fault != nil
	advance, token, err := s.split(s.ahead, ended)
	switch {
	case err == ErrFinalToken:
		s.token, s.over = token, true
		return token != nil, false
	case err == nil && advance < 0:
		err = ErrNegativeAdvance
	case err == nil && advance > len(s.ahead):
		err = ErrAdvanceTooFar
	}
	if err != nil {
		s.note(err)
		return false, false
	}
	s.ahead, s.token = s.ahead[advance:], token
	if token == nil {
		return false, true
	}
	if ended && advance == 0 {
		if s.idle++; s.idle > maxEmptyReads {
			panic("bufio.Scan: too many empty tokens without progressing")
		}
	} else {
		s.idle = 0
	}
	return true, false
}

// note keeps the first error; the end of input gives way to it.
func (s *Scanner) note(err error) {
	if err != nil && (s.fault == nil || s.fault == io.EOF) {
		s.fault = err
	}
}

// widen sees to room behind the window: by moving it to the front, or into a buffer twice as large.
func (s *Scanner) widen() bool {
	size := len(s.store)
	behind := cap(s.ahead) - len(s.ahead)
	if front := size - cap(s.ahead); front > 0 && (behind == 0 || front > size/2) {
		s.ahead = s.store[:copy(s.store, s.ahead)]
		return true
	}
	if behind > 0 {
		return true
	}
	if size >= s.longest || size > maxInt/2 {
		return false
	}
	if size *= 2; size == 0 {
		size = usualSize
	}
	larger := make([]byte, min(size, s.longest))
	s.ahead = larger[:copy(larger, s.ahead)]
	s.store = larger
	return true
}

const maxInt = int(^uint(0) >> 1)

// pull reads behind the window until something comes: bytes or an error.
func (s *Scanner) pull() {
	have := len(s.ahead)
	for try := 0; ; try++ {
		if try > maxEmptyReads {
			s.note(io.ErrNoProgress)
			return
		}
		room := s.ahead[have:cap(s.ahead)]
		n, err := s.src.Read(room)
		if n < 0 || n > len(room) {
			s.note(ErrBadReadCount)
			return
		}
		s.ahead = s.ahead[:have+n]
		if s.note(err); err != nil {
			return
		}
		if n > 0 {
			s.idle = 0
			return
		}
	}
}

func ScanBytes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) > 0 {
		advance, token = 1, data[:1]
	}
	return advance, token, nil
}

var replacement = []byte("\uFFFD")

func ScanRunes(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if len(data) == 0 || !atEOF && !utf8.FullRune(data) {
		return 0, nil, nil
	}
	r, size := utf8.DecodeRune(data)
	if r == utf8.RuneError && size == 1 {
		return 1, replacement, nil
	}
	return size, data[:size], nil
}

func ScanLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	end := bytes.IndexByte(data, '\n')
	switch {
	case end >= 0:
		advance = end + 1
	case atEOF:
		end, advance = len(data), len(data)
	}
	if advance > 0 {
		token = withoutCR(data[:end])
	}
	return advance, token, nil
}

func withoutCR(line []byte) []byte {
	if end := len(line) - 1; end >= 0 && line[end] == '\r' {
		return line[:end]
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
	begin := bytes.IndexFunc(data, isNoSpace)
	if begin < 0 {
		return len(data), nil, nil
	}
	word := data[begin:]
	if size := bytes.IndexFunc(word, isSpace); size >= 0 {
		_, behind := utf8.DecodeRune(word[size:])
		return begin + size + behind, word[:size], nil
	}
	if atEOF {
		return len(data), word, nil
	}
	return begin, nil, nil
}

func isNoSpace(r rune) bool { return !isSpace(r) }

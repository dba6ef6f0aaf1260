// Package io: the interfaces of input and output, and the plumbing between them.
package io

import (
	"errors"
	"sync"
)

const (
	SeekStart   = 0
	SeekCurrent = 1
	SeekEnd     = 2
)

var (
	EOF              = errors.New("EOF")
	ErrUnexpectedEOF = errors.New("unexpected EOF")
	ErrShortBuffer   = errors.New("short buffer")
	ErrShortWrite    = errors.New("short write")
	ErrNoProgress    = errors.New("multiple Read calls return no data or error")
	ErrClosedPipe    = errors.New("io: read/write on closed pipe")
)

var (
	errWhence       = errors.New("Seek: invalid whence")
	errOffset       = errors.New("Seek: invalid offset")
	errInvalidWrite = errors.New("invalid write result")
)

type Reader interface {
	Read(p []byte) (n int, err error)
}

type Writer interface {
	Write(p []byte) (n int, err error)
}

type Closer interface {
	Close() error
}

type Seeker interface {
	Seek(offset int64, whence int) (int64, error)
}

type ReadWriter interface {
	Reader
	Writer
}

type ReadCloser interface {
	Reader
	Closer
}

type WriteCloser interface {
	Writer
	Closer
}

type ReadWriteCloser interface {
	Reader
	Writer
	Closer
}

type ReadSeeker interface {
	Reader
	Seeker
}

type ReadSeekCloser interface {
	Reader
	Seeker
	Closer
}

type WriteSeeker interface {
	Writer
	Seeker
}

type ReadWriteSeeker interface {
	Reader
	Writer
	Seeker
}

type ReaderFrom interface {
	ReadFrom(r Reader) (n int64, err error)
}

type WriterTo interface {
	WriteTo(w Writer) (n int64, err error)
}

type ReaderAt interface {
	ReadAt(p []byte, off int64) (n int, err error)
}

type WriterAt interface {
	WriteAt(p []byte, off int64) (n int, err error)
}

type ByteReader interface {
	ReadByte() (byte, error)
}

type ByteScanner interface {
	ByteReader
	UnreadByte() error
}

type ByteWriter interface {
	WriteByte(c byte) error
}

type RuneReader interface {
	ReadRune() (r rune, size int, err error)
}

type RuneScanner interface {
	RuneReader
	UnreadRune() error
}

type StringWriter interface {
	WriteString(s string) (n int, err error)
}

func WriteString(w Writer, s string) (n int, err error) {
	direct, ok := w.(StringWriter)
	if !ok {
		return w.Write([]byte(s))
	}
	return direct.WriteString(s)
}

func ReadAtLeast(r Reader, buf []byte, min int) (n int, err error) {
	if min > len(buf) {
		return 0, ErrShortBuffer
	}
	for n < min {
		got, err := r.Read(buf[n:])
		if n += got; err == nil || n >= min {
			continue // an error behind enough bytes is that of the next Read
		}
		if err == EOF && n > 0 {
			err = ErrUnexpectedEOF
		}
		return n, err
	}
	return n, nil
}

func ReadFull(r Reader, buf []byte) (n int, err error) {
	return ReadAtLeast(r, buf, len(buf))
}

func ReadAll(r Reader) ([]byte, error) {
	all := make([]byte, 0, 512)
	for {
		n, err := r.Read(all[len(all):cap(all)])
		all = all[:len(all)+n]
		if err == EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		if len(all) == cap(all) {
			all = append(all, 0)[:len(all)]
		}
	}
}

func CopyBuffer(dst Writer, src Reader, buf []byte) (written int64, err error) {
	if len(buf) == 0 && buf != nil {
		panic("empty buffer in CopyBuffer")
	}
	return transfer(dst, src, buf)
}

func Copy(dst Writer, src Reader) (written int64, err error) {
	return transfer(dst, src, nil)
}

func CopyN(dst Writer, src Reader, n int64) (written int64, err error) {
	written, err = Copy(dst, LimitReader(src, n))
	switch {
	case written == n:
		err = nil
	case written < n && err == nil: // the source ended early
		err = EOF
	}
	return written, err
}

func transfer(dst Writer, src Reader, buf []byte) (written int64, err error) {
	if from, ok := src.(WriterTo); ok {
		return from.WriteTo(dst)
	}
	if to, ok := dst.(ReaderFrom); ok {
		return to.ReadFrom(src)
	}
	if buf == nil {
		buf = bufferFor(src)
	}
	for err == nil {
		var got int
		if got, err = src.Read(buf); got > 0 {
			put, failed := writeWhole(dst, buf[:got])
			if written += int64(put); failed != nil {
				return written, failed
			}
		}
	}
	if err == EOF {
		err = nil
	}
	return written, err
}

// bufferFor is no larger than what a limited reader has left.
func bufferFor(src Reader) []byte {
	size := int64(32 << 10)
	if l, isLimited := src.(*LimitedReader); isLimited {
		size = max(1, min(l.N, size))
	}
	return make([]byte, size)
}

// writeWhole is a Write that fails unless all was written. A count that cannot be is taken for none.
func writeWhole(w Writer, p []byte) (n int, err error) {
	n, err = w.Write(p)
	if n == len(p) {
		return n, err
	}
	short := ErrShortWrite
	if n < 0 || n > len(p) {
		n, short = 0, errInvalidWrite
	}
	if err == nil {
		err = short
	}
	return n, err
}

type LimitedReader struct {
	R Reader
	N int64
}

func LimitReader(r Reader, n int64) Reader { return &LimitedReader{R: r, N: n} }

func (l *LimitedReader) Read(p []byte) (n int, err error) {
	if l.N > 0 {
		n, err = l.R.Read(p[:min(l.N, int64(len(p)))])
		l.N -= int64(n)
		return n, err
	}
	return 0, EOF
}

func NewSectionReader(r ReaderAt, off int64, n int64) *SectionReader {
	end := int64(1<<63 - 1)
	if off <= end-n {
		end = off + n
	}
	return &SectionReader{r: r, start: off, at: off, end: end, n: n}
}

type SectionReader struct {
	r              ReaderAt
	start, at, end int64
	n              int64
}

func (s *SectionReader) Read(p []byte) (n int, err error) {
	if s.at < s.end {
		n, err = s.r.ReadAt(p[:min(s.end-s.at, int64(len(p)))], s.at)
		s.at += int64(n)
		return n, err
	}
	return 0, EOF
}

func (s *SectionReader) Seek(offset int64, whence int) (int64, error) {
	to, err := seekTarget(offset, whence, s.start, s.at, s.end)
	if err != nil {
		return 0, err
	}
	s.at = to
	return to - s.start, nil
}

// seekTarget is the absolute place that a Seek within [start, end) goes to.
func seekTarget(offset int64, whence int, start, at, end int64) (int64, error) {
	switch whence {
	case SeekStart:
		offset += start
	case SeekCurrent:
		offset += at
	case SeekEnd:
		offset += end
	default:
		return 0, errWhence
	}
	if offset < start {
		return 0, errOffset
	}
	return offset, nil
}

func (s *SectionReader) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 || off >= s.Size() {
		return 0, EOF
	}
	want := len(p)
	p = p[:min(int64(want), s.Size()-off)]
	n, err = s.r.ReadAt(p, s.start+off)
	if err == nil && len(p) < want {
		err = EOF
	}
	return n, err
}

func (s *SectionReader) Size() int64 { return s.end - s.start }

func (s *SectionReader) Outer() (r ReaderAt, off int64, n int64) { return s.r, s.start, s.n }

type OffsetWriter struct {
	w        WriterAt
	base, at int64
}

func NewOffsetWriter(w WriterAt, off int64) *OffsetWriter {
	return &OffsetWriter{w: w, base: off, at: off}
}

func (o *OffsetWriter) Write(p []byte) (n int, err error) {
	n, err = o.w.WriteAt(p, o.at)
	o.at += int64(n)
	return n, err
}

func (o *OffsetWriter) WriteAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errOffset
	}
	return o.w.WriteAt(p, o.base+off)
}

func (o *OffsetWriter) Seek(offset int64, whence int) (at int64, err error) {
	if whence == SeekEnd {
		return 0, errWhence
	}
	to, err := seekTarget(offset, whence, o.base, o.at, 0)
	if err == nil {
		o.at, at = to, to-o.base
	}
	return at, err
}

func TeeReader(r Reader, w Writer) Reader { return &tee{r, w} }

type tee struct {
	r Reader
	w Writer
}

func (t *tee) Read(p []byte) (n int, err error) {
	n, err = t.r.Read(p)
	if n <= 0 {
		return n, err
	}
	if written, failed := t.w.Write(p[:n]); failed != nil {
		return written, failed
	}
	return n, err
}

var Discard Writer = discard{}

type discard struct{}

func (discard) Write(p []byte) (int, error)       { return len(p), nil }
func (discard) WriteString(s string) (int, error) { return len(s), nil }

func (discard) ReadFrom(r Reader) (n int64, err error) {
	for buf := make([]byte, 8<<10); err == nil; {
		var got int
		got, err = r.Read(buf)
		n += int64(got)
	}
	if err == EOF {
		err = nil
	}
	return n, err
}

func NopCloser(r Reader) ReadCloser {
	plain := nopCloser{r}
	if _, direct := r.(WriterTo); direct {
		return nopCloserWriterTo{plain}
	}
	return plain
}

type nopCloser struct{ Reader }

func (nopCloser) Close() error { return nil }

type nopCloserWriterTo struct{ nopCloser }

func (c nopCloserWriterTo) WriteTo(w Writer) (int64, error) { return c.Reader.(WriterTo).WriteTo(w) }

// underNop is what NopCloser was given, for package net/http.
func underNop(r Reader) (Reader, bool) {
	switch c := r.(type) {
	case nopCloser:
		return c.Reader, true
	case nopCloserWriterTo:
		return c.Reader, true
	}
	return nil, false
}

func MultiReader(readers ...Reader) Reader {
	return &multiReader{append([]Reader(nil), readers...)}
}

type multiReader struct{ left []Reader }

// ended takes the place of a reader that has been read, so that it is not kept. Another multiReader may have it in its list, too.
type ended struct{}

func (ended) Read([]byte) (int, error) { return 0, EOF }

func (m *multiReader) Read(p []byte) (int, error) {
	for len(m.left) > 0 {
		if inner, ok := m.left[0].(*multiReader); ok && len(m.left) == 1 {
			m.left = inner.left // no longer through two of them
			continue
		}
		n, err := m.left[0].Read(p)
		if err != EOF {
			return n, err
		}
		m.drop()
		if n > 0 && len(m.left) > 0 {
			return n, nil
		}
		if n > 0 {
			return n, EOF
		}
	}
	return 0, EOF
}

// drop leaves the first reader behind.
func (m *multiReader) drop() {
	m.left[0] = ended{}
	m.left = m.left[1:]
}

func (m *multiReader) WriteTo(w Writer) (sum int64, err error) {
	buf := make([]byte, 32<<10)
	for len(m.left) > 0 {
		n, err := transfer(w, m.left[0], buf)
		sum += n
		if err != nil {
			return sum, err
		}
		m.drop()
	}
	return sum, nil
}

func MultiWriter(writers ...Writer) Writer {
	m := &multiWriter{make([]Writer, 0, len(writers))}
	for i, w := range writers {
		flat := writers[i : i+1]
		if inner, ok := w.(*multiWriter); ok {
			flat = inner.writers
		}
		m.writers = append(m.writers, flat...)
	}
	return m
}

type multiWriter struct{ writers []Writer }

func (m *multiWriter) Write(p []byte) (n int, err error) {
	for _, w := range m.writers {
		n, err = w.Write(p)
		if err = whole(n, len(p), err); err != nil {
			return n, err
		}
	}
	return len(p), nil
}

// WriteString makes bytes of s once, for all those that cannot write strings.
func (m *multiWriter) WriteString(s string) (n int, err error) {
	var made []byte
	for _, w := range m.writers {
		direct, takesStrings := w.(StringWriter)
		switch {
		case takesStrings:
			n, err = direct.WriteString(s)
		case made == nil:
			made = []byte(s)
			fallthrough
		default:
			n, err = w.Write(made)
		}
		if err = whole(n, len(s), err); err != nil {
			return n, err
		}
	}
	return len(s), nil
}

// whole is err, or that the n bytes written are not all.
func whole(n, all int, err error) error {
	if err == nil && n != all {
		return ErrShortWrite
	}
	return err
}

// A pipe hands each Write's bytes to Reads directly: the writer offers a slice and waits until readers have taken it all.
type pipe struct {
	writing sync.Mutex // one Write at a time
	offer   chan []byte
	taken   chan int
	once    sync.Once
	done    chan struct{}

	mu         sync.Mutex // guards the two errors
	rerr, werr error
}

func Pipe() (*PipeReader, *PipeWriter) {
	p := &pipe{offer: make(chan []byte), taken: make(chan int), done: make(chan struct{})}
	w := &PipeWriter{PipeReader{p}}
	return &w.r, w
}

// shut records why one end was closed, the first time only, and wakes everybody.
func (p *pipe) shut(slot *error, err error) {
	p.mu.Lock()
	if *slot == nil {
		*slot = err
	}
	p.mu.Unlock()
	p.once.Do(func() { close(p.done) })
}

// over is what a closed pipe has to say: how the other end was closed, unless this one was closed too.
func (p *pipe) over(this, other *error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if *this == nil && *other != nil {
		return *other
	}
	return ErrClosedPipe
}

func (p *pipe) isClosed() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (p *pipe) read(b []byte) (n int, err error) {
	if !p.isClosed() {
		select {
		case offered := <-p.offer:
			n = copy(b, offered)
			p.taken <- n
			return n, nil
		case <-p.done:
		}
	}
	return 0, p.over(&p.rerr, &p.werr)
}

// write offers b until it has been taken, an empty one too.
func (p *pipe) write(b []byte) (n int, err error) {
	if p.isClosed() {
		return 0, p.over(&p.werr, &p.rerr)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	for {
		select {
		case p.offer <- b[n:]:
			n += <-p.taken
		case <-p.done:
			return n, p.over(&p.werr, &p.rerr)
		}
		if n == len(b) {
			return n, nil
		}
	}
}

type PipeReader struct{ p *pipe }

func (r *PipeReader) Read(data []byte) (n int, err error) { return r.p.read(data) }
func (r *PipeReader) Close() error                        { return r.CloseWithError(nil) }

func (r *PipeReader) CloseWithError(err error) error {
	if err == nil {
		err = ErrClosedPipe
	}
	r.p.shut(&r.p.rerr, err)
	return nil
}

type PipeWriter struct{ r PipeReader }

func (w *PipeWriter) Write(data []byte) (n int, err error) { return w.r.p.write(data) }
func (w *PipeWriter) Close() error                         { return w.CloseWithError(nil) }

func (w *PipeWriter) CloseWithError(err error) error {
	if err == nil {
		err = EOF
	}
	w.r.p.shut(&w.r.p.werr, err)
	return nil
}

package xml

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// A source shows what comes next of a text, so that it need not be read byte by byte, and is told
// how much of it was used: what a program reads behind the decoder begins where that has stopped.
type source interface {
	// peek shows at least one byte; they are valid until skip.
	peek() ([]byte, error)
	skip(n int)
}

type bufferedSource struct{ *bufio.Reader }

func (s bufferedSource) peek() ([]byte, error) {
	if _, err := s.Peek(1); err != nil {
		return nil, err
	}
	return s.Peek(s.Buffered())
}

func (s bufferedSource) skip(n int) { s.Discard(n) }

// A stored text is a bytes.Reader or strings.Reader.
type storedText interface {
	io.ReaderAt
	io.Seeker
	Len() int
	Size() int64
}

type storedSource struct {
	text storedText
	buf  []byte
}

func (s *storedSource) peek() ([]byte, error) {
	n, err := s.text.ReadAt(s.buf, s.text.Size()-int64(s.text.Len()))
	if n > 0 {
		err = nil
	}
	return s.buf[:n], err
}

func (s *storedSource) skip(n int) { s.text.Seek(int64(n), io.SeekCurrent) }

type bufferSource struct{ *bytes.Buffer }

func (s bufferSource) peek() ([]byte, error) {
	if s.Len() == 0 {
		return nil, io.EOF
	}
	return s.Bytes()[:min(s.Len(), 1<<12)], nil
}

func (s bufferSource) skip(n int) { s.Next(n) }

// A byteSource cannot look ahead: it has read the byte that it shows.
type byteSource struct {
	io.ByteReader
	buf [1]byte
}

func (s *byteSource) peek() (_ []byte, err error) {
	s.buf[0], err = s.ReadByte()
	if err != nil {
		return nil, err
	}
	return s.buf[:], nil
}

func (s *byteSource) skip(int) {}

// A wholeSource has no text but what the decoder sees.
type wholeSource struct{}

func (wholeSource) peek() ([]byte, error) { return nil, io.EOF }
func (wholeSource) skip(int)              {}

// readFrom takes the text from r. A buffer of our own is not looked at by others.
func (d *Decoder) readFrom(r io.Reader) {
	d.isShared = true
	switch r := r.(type) {
	case *bufio.Reader:
		d.source = bufferedSource{r}
	case *bytes.Reader:
		d.source = &storedSource{r, make([]byte, 1<<12)}
	case *strings.Reader:
		d.source = &storedSource{r, make([]byte, 1<<12)}
	case *bytes.Buffer:
		d.source = bufferSource{r}
	case io.ByteReader:
		d.source = &byteSource{ByteReader: r}
		d.isShared = false
	default:
		buffered := bufio.NewReader(r)
		d.source = bufferedSource{buffered}
		d.reader = buffered
		d.isShared = false
		return
	}
	d.reader = r
}

// note counts lines in what has been read of the window, and keeps it for those who want it.
func (d *Decoder) note() {
	if d.at <= d.noted {
		return
	}
	read := d.window[d.noted:d.at]
	if n := bytes.Count(read, newline); n > 0 {
		d.line += n
		d.lineStart = d.base + int64(d.noted+bytes.LastIndexByte(read, '\n')) + 1
	}
	if d.saved != nil {
		d.saved = append(d.saved, read...)
	}
	d.noted = d.at
}

var newline = []byte("\n")

// leave tells the source how much was read, and forgets what it shows.
func (d *Decoder) leave() {
	d.note()
	d.source.skip(d.at)
	d.base += int64(d.at)
	d.window, d.at, d.noted = nil, 0, 0
}

// more looks at what comes after the window.
func (d *Decoder) more() bool {
	d.leave()
	d.window, d.err = d.source.peek()
	return d.err == nil
}

// get reads a byte.
func (d *Decoder) get() (byte, bool) {
	if d.err != nil || d.at == len(d.window) && !d.more() {
		return 0, false
	}
	b := d.window[d.at]
	d.at++
	return b, true
}

// must reads a byte that has to be there.
func (d *Decoder) must() (byte, bool) {
	b, ok := d.get()
	if !ok && d.err == io.EOF {
		d.err = d.fault("unexpected EOF")
	}
	return b, ok
}

// back makes the byte that was just read the next one. As in Go, columns count from behind it all
// the same if it is the end of a line.
func (d *Decoder) back() {
	d.at--
	if d.window[d.at] == '\n' {
		d.note()
		d.lineStart = d.InputOffset() + 1
	}
}

func (d *Decoder) space() {
	for {
		b, ok := d.get()
		if !ok {
			return
		}
		if b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			d.back()
			return
		}
	}
}

func (d *Decoder) fault(msg string) error {
	d.note()
	return &SyntaxError{Msg: msg, Line: d.line}
}

// fail ends the reading; it gives no token.
func (d *Decoder) fail(msg string) Token {
	d.err = d.fault(msg)
	return nil
}

// InputOffset is where the token that was read last ends.
func (d *Decoder) InputOffset() int64 { return d.base + int64(d.at) }

// InputPos is the line and the column, in bytes, both from 1.
func (d *Decoder) InputPos() (line, column int) {
	d.note()
	return d.line, int(d.InputOffset()-d.lineStart) + 1
}

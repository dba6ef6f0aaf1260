// Package chunked: bodies of HTTP that come in pieces, each with its length. Programs cannot import it.
package chunked

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// ErrLineTooLong says that the line with a length is longer than it may be.
var ErrLineTooLong = errors.New("header line too long")

const maxLine = 4096

// NewReader reads up to the last piece, behind which a trailer is still to be read from r.
func NewReader(r io.Reader) io.Reader {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReader(r)
	}
	return &reader{in: in}
}

type reader struct {
	in *bufio.Reader
	// What is left of the piece.
	left uint64
	err  error
	// The end of a line must come next.
	atEnd bool
	// So many bytes more than pieces of any use need were spent on lengths and extensions.
	waste int64
}

// begin reads the length of the next piece.
func (r *reader) begin() error {
	line, err := r.in.ReadSlice('\n')
	switch {
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case err == bufio.ErrBufferFull:
		return ErrLineTooLong
	case err != nil:
		return err
	}
	switch bytes.IndexByte(line, '\r') {
	case -1:
		return errors.New("chunked line ends with bare LF")
	case len(line) - 2:
	default:
		return errors.New("invalid CR in chunked line")
	}
	line = line[:len(line)-2]
	if len(line) >= maxLine {
		return ErrLineTooLong
	}
	r.waste += int64(len(line)) + 2
	digits, _, _ := bytes.Cut(bytes.TrimRight(line, " \t"), []byte(";"))
	if r.left, err = parseHex(digits); err != nil {
		return err
	}
	r.waste = max(r.waste-16-2*int64(r.left), 0)
	if r.waste > 16<<10 {
		return errors.New("chunked encoding contains too much non-data")
	}
	if r.left == 0 {
		return io.EOF
	}
	return nil
}

const hexDigits = "0123456789abcdefABCDEF"

// parseHex reads a length. What is wrong beyond the digits that it may have does not matter.
func parseHex(digits []byte) (uint64, error) {
	const most = 16
	start := digits[:min(len(digits), most+1)]
	switch {
	case len(start) == 0:
		return 0, errors.New("empty hex number for chunk length")
	case len(bytes.TrimLeft(start, hexDigits)) > 0:
		return 0, errors.New("invalid byte in chunk length")
	case len(start) > most:
		return 0, errors.New("http chunk length too large")
	}
	return strconv.ParseUint(string(digits), 16, 64)
}

// hasLine says whether the next line has come already.
func (r *reader) hasLine() bool {
	have, _ := r.in.Peek(r.in.Buffered())
	return bytes.IndexByte(have, '\n') >= 0
}

// Read waits only for the first byte.
func (r *reader) Read(b []byte) (n int, err error) {
	for r.err == nil {
		switch {
		case r.atEnd:
			if n > 0 && r.in.Buffered() < 2 {
				return n, nil
			}
			var end [2]byte
			if _, r.err = io.ReadFull(r.in, end[:]); r.err == io.EOF {
				r.err = io.ErrUnexpectedEOF
			} else if r.err == nil && string(end[:]) != "\r\n" {
				r.err = errors.New("malformed chunked encoding")
			}
			r.atEnd = r.err != nil
		case r.left == 0:
			if n > 0 && !r.hasLine() {
				return n, nil
			}
			r.err = r.begin()
		case n == len(b):
			return n, nil
		default:
			var got int
			got, r.err = r.in.Read(b[n : n+int(min(uint64(len(b)-n), r.left))])
			n += got
			r.left -= uint64(got)
			if r.err == io.EOF {
				r.err = io.ErrUnexpectedEOF
			}
			r.atEnd = r.left == 0 && r.err == nil
		}
	}
	return n, r.err
}

// NewWriter writes pieces; Close writes the last line but not the trailer, nor the empty line behind.
func NewWriter(w io.Writer) io.WriteCloser { return &writer{w} }

// Flushed is a writer that is to be flushed behind each piece.
type Flushed struct{ *bufio.Writer }

type writer struct{ w io.Writer }

func (w *writer) Write(data []byte) (n int, err error) {
	if len(data) > 0 {
		_, err = fmt.Fprintf(w.w, "%x\r\n", len(data))
		if err == nil {
			n, err = w.w.Write(data)
		}
		if err == nil && n != len(data) {
			err = io.ErrShortWrite
		}
		if err == nil {
			_, err = io.WriteString(w.w, "\r\n")
		}
		if f, ok := w.w.(Flushed); ok && err == nil {
			err = f.Flush()
		}
	}
	return n, err
}

func (w *writer) Close() error {
	_, err := io.WriteString(w.w, "0\r\n")
	return err
}

// Package quotedprintable is the encoding of that name: RFC 2045, section 6.7.
package quotedprintable

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Reader decodes. Of what is not quite in order it accepts what mail has.
type Reader struct {
	in *bufio.Reader
	// What is left of a line, and what ends all behind it.
	line []byte
	err  error
}

func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReader(r)} }

// nextLine takes the blanks from the end of a line, and the end itself where the line goes on.
func (r *Reader) nextLine() {
	var whole []byte
	whole, r.err = r.in.ReadSlice('\n')
	text := bytes.TrimRight(whole, " \t\r\n")
	end := whole[len(text):]
	goesOn := bytes.HasSuffix(text, []byte("="))
	switch {
	case goesOn:
		text = text[:len(text)-1]
		end = bytes.TrimLeft(end, " \t")
		isEnd := len(end) == 0 && len(text) > 0 && r.err == io.EOF
		isLine := bytes.HasPrefix(end, []byte("\n")) || bytes.HasPrefix(end, []byte("\r\n"))
		if !isLine && !isEnd {
			r.err = fmt.Errorf("quotedprintable: invalid bytes after =: %q", end)
		}
	case bytes.HasSuffix(end, []byte("\r\n")):
		text = append(text, "\r\n"...)
	case bytes.HasSuffix(end, []byte("\n")):
		text = append(text, '\n')
	}
	r.line = text
}

func (r *Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(r.line) == 0 {
			if r.err != nil {
				return n, r.err
			}
			r.nextLine()
			continue
		}
		c, used := r.line[0], 1
		switch {
		case c == '=':
			value, err := hexByte(r.line[1:])
			switch {
			case err == nil:
				c, used = value, 3
			case len(r.line) < 2 || r.line[1] == '\r' || r.line[1] == '\n':
				return n, err
			}
		case c == '\t' || c == '\r' || c == '\n' || c >= 0x80:
		case c < ' ' || c > '~':
			return n, fmt.Errorf("quotedprintable: invalid unescaped byte 0x%02x in body", c)
		}
		p[n] = c
		n++
		r.line = r.line[used:]
	}
	return n, nil
}

const upperHex = "0123456789ABCDEF"

// hexByte decodes two digits.
func hexByte(v []byte) (b byte, err error) {
	if len(v) < 2 {
		return 0, io.ErrUnexpectedEOF
	}
	for _, c := range v[:2] {
		upper := c
		if 'a' <= c && c <= 'f' {
			upper -= 'a' - 'A'
		}
		digit := strings.IndexByte(upperHex, upper)
		if digit < 0 {
			return 0, fmt.Errorf("quotedprintable: invalid hex byte 0x%02x", c)
		}
		b = b<<4 | byte(digit)
	}
	return b, nil
}

// Writer encodes.
type Writer struct {
	// Ends of lines are encoded like other bytes.
	Binary bool

	w    io.Writer
	line []byte
	// A \r has been written.
	hasCR bool
}

// A line has at most so many bytes.
const lineLimit = 76

func NewWriter(w io.Writer) *Writer { return &Writer{w: w, line: make([]byte, 0, lineLimit+2)} }

func (w *Writer) Write(p []byte) (n int, err error) {
	for i, c := range p {
		switch {
		case c == '\n' || c == '\r':
			if w.Binary {
				err = w.encode(c)
			} else {
				err = w.endLine(c)
			}
		case c == ' ' || c == '\t' || '!' <= c && c <= '~' && c != '=':
			if err = w.makeRoom(1); err == nil {
				w.line = append(w.line, c)
				w.hasCR = false
			}
		default:
			err = w.encode(c)
		}
		if err != nil {
			return i, err
		}
	}
	return len(p), nil
}

// endLine ends a line at \r, \n, or both.
func (w *Writer) endLine(c byte) error {
	if c == '\n' && w.hasCR {
		w.hasCR = false
		return nil
	}
	w.hasCR = w.hasCR || c == '\r'
	if err := w.guardEnd(); err != nil {
		return err
	}
	w.line = append(w.line, "\r\n"...)
	return w.flush()
}

// makeRoom breaks the line if there is none for so many bytes.
func (w *Writer) makeRoom(n int) error {
	if len(w.line)+n < lineLimit {
		return nil
	}
	w.line = append(w.line, "=\r\n"...)
	return w.flush()
}

func (w *Writer) encode(c byte) error {
	if err := w.makeRoom(3); err != nil {
		return err
	}
	w.line = append(w.line, '=', upperHex[c>>4], upperHex[c&15])
	return nil
}

// guardEnd encodes a blank at the end of a line, where it might get lost.
func (w *Writer) guardEnd() error {
	last := len(w.line) - 1
	if last < 0 || w.line[last] != ' ' && w.line[last] != '\t' {
		return nil
	}
	c := w.line[last]
	w.line = w.line[:last]
	return w.encode(c)
}

func (w *Writer) flush() error {
	_, err := w.w.Write(w.line)
	w.line = w.line[:0]
	return err
}

// Close writes what is left; it does not close what is below.
func (w *Writer) Close() error {
	if err := w.guardEnd(); err != nil {
		return err
	}
	return w.flush()
}

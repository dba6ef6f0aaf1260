package textproto

import (
	"bufio"
	"fmt"
	"io"
)

// Writer writes lines, and text that ends with a line of a dot.
type Writer struct {
	W   *bufio.Writer
	dot *dotWriter
}

func NewWriter(w *bufio.Writer) *Writer { return &Writer{W: w} }

func (w *Writer) PrintfLine(format string, args ...any) error {
	w.finishDot()
	fmt.Fprintf(w.W, format, args...)
	w.W.WriteString("\r\n")
	return w.W.Flush()
}

func (w *Writer) DotWriter() io.WriteCloser {
	w.finishDot()
	w.dot = &dotWriter{w: w}
	return w.dot
}

func (w *Writer) finishDot() {
	if w.dot != nil {
		w.dot.Close()
	}
}

// dotWriter doubles dots at the beginning of lines, and ends lines with \r\n.
type dotWriter struct {
	w     *Writer
	state lineState
}

type lineState int

const (
	atStart lineState = iota
	atLine
	afterCR
	withinLine
)

func (d *dotWriter) Write(b []byte) (n int, err error) {
	out := d.w.W
	for _, c := range b {
		next := withinLine
		switch {
		case d.state == afterCR:
			if c == '\n' {
				next = atLine
			}
		case c == '.' && d.state != withinLine:
			out.WriteByte('.')
		case c == '\r':
			next = afterCR
		case c == '\n':
			out.WriteByte('\r')
			next = atLine
		}
		d.state = next
		if err := out.WriteByte(c); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (d *dotWriter) Close() error {
	if d.w.dot == d {
		d.w.dot = nil
	}
	out := d.w.W
	switch d.state {
	case atStart, withinLine:
		out.WriteString("\r\n")
	case afterCR:
		out.WriteByte('\n')
	}
	out.WriteString(".\r\n")
	return out.Flush()
}

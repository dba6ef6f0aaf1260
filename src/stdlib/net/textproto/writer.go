package textproto

import (
	"bufio"
	"fmt"
	"io"
)

// Writer writes lines, and text that ends with a line of a dot.
type Writer struct {
	W *bufio.Writer
	// What writes such a text, if anything does.
	dot *dotWriter
}

// NewWriter makes one that writes to w.
func NewWriter(w *bufio.Writer) *Writer { return &Writer{W: w} }

// PrintfLine writes a line, and \r\n behind it.
func (w *Writer) PrintfLine(format string, args ...any) error {
	w.finishDot()
	fmt.Fprintf(w.W, format, args...)
	w.W.WriteString("\r\n")
	return w.W.Flush()
}

// DotWriter writes a text, with \r\n for \n and dots before dots; Close writes the line of a dot.
func (w *Writer) DotWriter() io.WriteCloser {
	w.finishDot()
	w.dot = &dotWriter{w: w}
	return w.dot
}

// finishDot closes what somebody has left open.
func (w *Writer) finishDot() {
	if w.dot != nil {
		w.dot.Close()
	}
}

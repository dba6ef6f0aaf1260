package textproto

// Text that ends with a line of a dot: RFC 5321, section 4.5.2. Both ways are automata whose moves
// stand in tables, by a place in a line and the kind of the next byte. Most of a text lies within
// lines, where nothing happens up to their ends: that is copied in one go.

import (
	"bufio"
	"bytes"
	"io"
)

// A place is where in a line something is. Those behind a dot are only for readers.
type place uint8

const (
	first    place = iota // before everything
	before                // before a line's first byte
	within                // somewhere in a line
	behindCR              // behind a \r
	behindDot
	behindDotCR
	over // behind the last line
)

// The kinds of bytes.
const (
	other = iota
	dot
	cr
	lf
	kinds
)

func kindOf(c byte) int {
	switch c {
	case '.':
		return dot
	case '\r':
		return cr
	case '\n':
		return lf
	}
	return other
}

// endOfRun is how many bytes there are before the first that ends a line.
func endOfRun(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		b = b[:i]
	}
	if i := bytes.IndexByte(b, '\r'); i >= 0 {
		b = b[:i]
	}
	return len(b)
}

// A reading is a move of a reader: where it comes to, and what becomes of the byte.
type reading struct {
	to place
	do uint8
}

const (
	keep = iota // as it is
	skip
	give // a \r that was skipped, and see the byte again
)

var readings = [...][kinds]reading{
	before:      {other: {within, keep}, dot: {behindDot, skip}, cr: {behindCR, skip}, lf: {within, keep}},
	within:      {other: {within, keep}, dot: {within, keep}, cr: {behindCR, skip}, lf: {before, keep}},
	behindCR:    {other: {within, give}, dot: {within, give}, cr: {within, give}, lf: {before, keep}},
	behindDot:   {other: {within, keep}, dot: {within, keep}, cr: {behindDotCR, skip}, lf: {over, skip}},
	behindDotCR: {other: {within, give}, dot: {within, give}, cr: {within, give}, lf: {over, skip}},
}

// A dotReader reads lines until one that is a dot; a dot at the beginning of others goes.
type dotReader struct {
	r  *Reader
	at place
}

func (d *dotReader) Read(b []byte) (n int, err error) {
	in := d.r.R
	for n < len(b) && d.at != over && err == nil {
		if _, err = in.Peek(1); err == nil {
			have, _ := in.Peek(in.Buffered())
			got, used := d.decode(b[n:], have)
			n += got
			in.Discard(used)
		}
	}
	switch {
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	case err == nil && d.at == over:
		err = io.EOF
	}
	if d.r.dot == d && err != nil {
		d.r.dot = nil
	}
	return n, err
}

// decode moves over what it has as long as there is room, and says how much it wrote and read.
func (d *dotReader) decode(b, have []byte) (n, used int) {
	for n < len(b) && used < len(have) && d.at != over {
		if d.at == within {
			run := copy(b[n:], have[used:used+endOfRun(have[used:])])
			n, used = n+run, used+run
			if n == len(b) || used == len(have) {
				break
			}
		}
		c := have[used]
		move := readings[d.at][kindOf(c)]
		d.at = move.to
		if move.do == give {
			c = '\r'
		} else {
			used++
		}
		if move.do != skip {
			b[n] = c
			n++
		}
	}
	return n, used
}

// A writing is a move of a writer: where it comes to, and what goes before the byte, if not zero.
type writing struct {
	to    place
	extra byte
}

var writings = [...][kinds]writing{
	first:    {other: {within, 0}, dot: {within, '.'}, cr: {behindCR, 0}, lf: {before, '\r'}},
	before:   {other: {within, 0}, dot: {within, '.'}, cr: {behindCR, 0}, lf: {before, '\r'}},
	within:   {other: {within, 0}, dot: {within, 0}, cr: {behindCR, 0}, lf: {before, '\r'}},
	behindCR: {other: {within, 0}, dot: {within, 0}, cr: {within, 0}, lf: {before, 0}},
}

// endings are what ends the text, depending on where it stopped.
var endings = [...]string{first: "\r\n.\r\n", before: ".\r\n", within: "\r\n.\r\n", behindCR: "\n.\r\n"}

// A dotWriter doubles dots at the beginning of lines, and ends lines with \r\n.
type dotWriter struct {
	w  *Writer
	at place
}

func (d *dotWriter) Write(b []byte) (n int, err error) {
	out := d.w.W
	for n < len(b) && err == nil {
		if d.at == within {
			var run int
			run, err = out.Write(b[n : n+endOfRun(b[n:])])
			if n += run; n == len(b) || err != nil {
				break
			}
		}
		if err = d.write(out, b[n]); err == nil {
			n++
		}
	}
	return n, err
}

// write writes one byte, with what must go before it.
func (d *dotWriter) write(out *bufio.Writer, c byte) error {
	move := writings[d.at][kindOf(c)]
	d.at = move.to
	if move.extra != 0 {
		out.WriteByte(move.extra)
	}
	return out.WriteByte(c)
}

func (d *dotWriter) Close() error {
	out := d.w.W
	if d == d.w.dot {
		d.w.dot = nil
	}
	out.WriteString(endings[d.at])
	return out.Flush()
}

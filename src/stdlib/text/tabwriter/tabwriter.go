// Package tabwriter: text in columns. A cell ends with a tab, and cells of the same column in
// neighbouring lines are as wide as the widest of them. The last cell of a line belongs to no
// column.
//
// A Writer keeps the text of the lines whose widths are not yet known: a run of lines that all have
// a first column at most. Then measure gives each cell its room, column by column, and the lines
// are written one after another.
package tabwriter

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// How a Writer lays out text.
const (
	FilterHTML          uint = 1 << iota // tags have no width, entities are characters
	StripEscape                          // Escape is not written
	AlignRight                           // cells are filled up on the left
	DiscardEmptyColumns                  // columns of empty cells that end with '\v' have no width
	TabIndent                            // empty cells at the beginning are filled with tabs
	Debug                                // bars are written between columns
)

// Escape begins and ends text in which nothing is special.
const Escape = '\xff'

// A cell is text, and the room that it is to take.
type cell struct {
	size   int // bytes
	width  int // characters
	room   int
	isHard bool // ended by a horizontal tab
}

// A Writer lays out what is written to it.
type Writer struct {
	out      io.Writer
	minwidth int
	tabwidth int
	padding  int
	pad      []byte
	flags    uint

	text    []byte   // of all cells, without what ends them
	counted int      // of that, in widths
	now     cell     // the one that goes on
	closer  byte     // what ends the escaped text that goes on, 0 if there is none
	lines   [][]cell // the last one goes on
	err     error    // of the output
}

// Init makes b write to output. Cells are minwidth wide at least, with padding, and filled with
// padchar; if that is a tab, tabs are tabwidth wide.
func (b *Writer) Init(output io.Writer, minwidth, tabwidth, padding int, padchar byte,
	flags uint) *Writer {
	if min(minwidth, tabwidth, padding) < 0 {
		panic("negative minwidth, tabwidth, or padding")
	}
	*b = Writer{text: b.text, out: output, pad: []byte{padchar}, flags: flags}
	b.minwidth, b.tabwidth, b.padding = minwidth, tabwidth, padding
	if padchar == '\t' {
		b.flags &^= AlignRight // tabs cannot
	}
	b.clear()
	return b
}

// NewWriter makes a Writer; its arguments are those of Init.
func NewWriter(output io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *Writer {
	return new(Writer).Init(output, minwidth, tabwidth, padding, padchar, flags)
}

func (b *Writer) has(flag uint) bool { return b.flags&flag != 0 }

// clear forgets all lines.
func (b *Writer) clear() {
	b.text, b.counted = b.text[:0], 0
	b.now, b.closer = cell{}, 0
	b.lines = append(b.lines[:0], nil)
}

// Reading:

// An event is what a byte means outside escaped text.
type event uint8

const (
	nothing event = iota
	endsCell
	endsLine
	opens // escaped text
	opensHTML
)

var events = [256]event{
	'\t': endsCell, '\v': endsCell, '\n': endsLine, '\f': endsLine,
	Escape: opens, '<': opensHTML, '&': opensHTML,
}

// closers are what ends escaped text, by what begins it.
var closers = [256]byte{Escape: Escape, '<': '>', '&': ';'}

// take adds text to the cell.
func (b *Writer) take(p []byte) {
	b.text = append(b.text, p...)
	b.now.size += len(p)
}

// count adds what has been taken to the width of the cell.
func (b *Writer) count() {
	fresh := b.text[b.counted:]
	b.counted = len(b.text)
	b.now.width += utf8.RuneCount(fresh)
}

// close ends escaped text, which has been taken: a tag has no width, an entity is one character.
func (b *Writer) close() {
	ended := b.closer
	b.closer = 0
	if ended == Escape {
		b.count()
		if !b.has(StripEscape) {
			b.now.width -= 2
		}
		return
	}
	b.counted = len(b.text)
	if ended == ';' {
		b.now.width++
	}
}

// endCell puts the cell into the line, and tells how many there are.
func (b *Writer) endCell(isHard bool) int {
	ended := b.now
	ended.isHard, b.now = isHard, cell{}
	line := &b.lines[len(b.lines)-1]
	*line = append(*line, ended)
	return len(*line)
}

// Write takes text. Lines are written when what follows cannot change their columns.
func (b *Writer) Write(buf []byte) (n int, err error) {
	defer b.explain("Write")
	b.err = nil
	// What is before n has been taken.
	for i, c := range buf {
		if b.closer != 0 {
			if c == b.closer {
				n = b.takeEscaped(buf, n, i)
			}
			continue
		}
		if what := events[c]; what != nothing && (what != opensHTML || b.has(FilterHTML)) {
			b.take(buf[n:i])
			b.count()
			n = i + 1
			switch what {
			case endsCell:
				b.endCell(c == '\t')
			case endsLine:
				b.endLine(c == '\f')
			default:
				b.closer = closers[c]
				if c != Escape || !b.has(StripEscape) {
					n = i
				}
			}
		}
		if b.err != nil {
			return n, b.err
		}
	}
	b.take(buf[n:])
	return len(buf), nil
}

// takeEscaped takes the end of escaped text, and returns where to go on.
func (b *Writer) takeEscaped(buf []byte, from, closer int) int {
	end := closer + 1
	if b.closer == Escape && b.has(StripEscape) {
		end--
	}
	b.take(buf[from:end])
	b.close()
	return closer + 1
}

// endLine ends a line. One without columns ends those above it, and so does a form feed.
func (b *Writer) endLine(isFeed bool) {
	cells := b.endCell(false)
	b.lines = append(b.lines, nil)
	if isFeed || cells == 1 {
		b.flush()
	}
	if isFeed && b.has(Debug) {
		b.put([]byte("---\n"))
	}
}

// Flush writes what has been taken, up to its end.
func (b *Writer) Flush() (err error) {
	defer b.explain("Flush")
	b.flush()
	err, b.err = b.err, nil
	return err
}

// explain tells in what a panic of the output happened.
func (b *Writer) explain(op string) {
	e := recover()
	if e == nil {
		return
	}
	if op == "Flush" {
		b.clear()
	}
	panic(fmt.Sprintf("tabwriter: panic during %s (%v)", op, e))
}

// Writing:

func (b *Writer) flush() {
	isOpen := b.closer != 0
	if isOpen {
		b.close()
	}
	if b.now.size > 0 {
		b.count()
		b.endCell(false)
	}
	b.measure()
	text := b.text
	for i, line := range b.lines {
		text = b.writeLine(line, text)
		lineEnd := "\n"
		if i+1 == len(b.lines) {
			lineEnd = "" // which tells the output that something is complete
		}
		b.put([]byte(lineEnd))
	}
	b.clear()
}

// columns is how many columns a line has.
func columns(line []cell) int { return len(line) - 1 }

// measure gives all cells their room. For each column, a run of lines that have it takes as much as
// the widest cell needs.
func (b *Writer) measure() {
	for first, line := range b.lines {
		for column := range columns(line) {
			if first > 0 && column < columns(b.lines[first-1]) {
				continue // the run has begun before
			}
			end, room, isEmpty := first, b.minwidth, true
			for ; end < len(b.lines) && column < columns(b.lines[end]); end++ {
				c := b.lines[end][column]
				room = max(room, c.width+b.padding)
				isEmpty = isEmpty && c.width == 0 && !c.isHard
			}
			if isEmpty && b.has(DiscardEmptyColumns) {
				room = 0
			}
			for _, line := range b.lines[first:end] {
				line[column].room = room
			}
		}
	}
}

// writeLine writes a line, whose text begins the text, and returns the text behind it.
func (b *Writer) writeLine(line []cell, text []byte) []byte {
	isIndent := b.has(TabIndent)
	for i, c := range line {
		if i > 0 && b.has(Debug) {
			b.put([]byte{'|'})
		}
		isIndent = isIndent && c.size == 0
		content := text[:c.size]
		text = text[c.size:]
		isLeft := !b.has(AlignRight)
		if isLeft && c.size > 0 {
			b.put(content)
		}
		if i < columns(line) {
			b.fill(c, isIndent)
		}
		if !isLeft && c.size > 0 {
			b.put(content)
		}
	}
	return text
}

// fill fills up the room of a cell. With tabs, columns begin where tabs lead.
func (b *Writer) fill(c cell, isIndent bool) {
	if !isIndent && b.pad[0] != '\t' {
		b.repeat(b.pad, c.room-c.width)
	} else if b.tabwidth > 0 {
		tabs := func(width int) int { return (width + b.tabwidth - 1) / b.tabwidth }
		b.repeat([]byte{'\t'}, tabs(tabs(c.room)*b.tabwidth-c.width))
	}
}

// repeat writes a character n times, up to eight at once, and nothing if that is what is asked for.
func (b *Writer) repeat(char []byte, n int) {
	const atOnce = 8
	all := bytes.Repeat(char, max(n, 0))
	for len(all) > atOnce {
		b.put(all[:atOnce])
		all = all[atOnce:]
	}
	b.put(all)
}

// put writes text, unless that has failed before.
func (b *Writer) put(p []byte) {
	if b.err != nil {
		return
	}
	n, err := b.out.Write(p)
	if err == nil && n != len(p) {
		err = io.ErrShortWrite
	}
	b.err = err
}

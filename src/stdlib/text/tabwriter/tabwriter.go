// Package tabwriter: text in columns. A cell ends with a tab, and cells of the same column in neighbouring lines are as wide as
// the widest of them. The last cell of a line belongs to no column.
package tabwriter

import (
	"fmt"
	"io"
	"unicode/utf8"
)

const (
	FilterHTML uint = 1 << iota
	StripEscape
	AlignRight
	DiscardEmptyColumns
	TabIndent
	Debug
)

const Escape = '\xff'

type cell struct {
	size  int  // bytes
	width int  // characters
	hard  bool // ended by a horizontal tab
}

type Writer struct {
	out      io.Writer
	minwidth int
	tabwidth int
	padding  int
	padchar  byte
	flags    uint

	text    []byte   // of all lines not yet written, without tabs and line ends
	counted int      // of text, in the width of the cell at work
	now     cell     // the one at work
	until   byte     // what ends the escaped text, 0 outside one
	lines   [][]cell // the last is at work
	widths  []int    // of the columns to the left of the block at work
	err     error
}

func NewWriter(output io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *Writer {
	return new(Writer).Init(output, minwidth, tabwidth, padding, padchar, flags)
}

func (b *Writer) Init(output io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *Writer {
	if minwidth < 0 || tabwidth < 0 || padding < 0 {
		panic("negative minwidth, tabwidth, or padding")
	}
	if padchar == '\t' {
		flags &^= AlignRight // tabs cannot
	}
	*b = Writer{out: output, minwidth: minwidth, tabwidth: tabwidth, padding: padding, padchar: padchar, flags: flags}
	b.reset()
	return b
}

func (b *Writer) reset() {
	b.text, b.counted, b.now, b.until = b.text[:0], 0, cell{}, 0
	b.lines = [][]cell{nil}
	b.widths = b.widths[:0]
}

func (b *Writer) add(p []byte) {
	b.text = append(b.text, p...)
	b.now.size += len(p)
}

// count brings the width of the cell at work up to date.
func (b *Writer) count() {
	b.now.width += utf8.RuneCount(b.text[b.counted:])
	b.counted = len(b.text)
}

// endCell gives the number of cells in the line.
func (b *Writer) endCell(hard bool) int {
	b.now.hard = hard
	last := len(b.lines) - 1
	b.lines[last] = append(b.lines[last], b.now)
	b.now = cell{}
	return len(b.lines[last])
}

// endEscape closes escaped text: a tag is invisible, an entity is one character.
func (b *Writer) endEscape() {
	switch b.until {
	case Escape:
		b.count()
		if b.flags&StripEscape == 0 {
			b.now.width -= 2
		}
	case ';':
		b.now.width++
	}
	b.counted = len(b.text)
	b.until = 0
}

// rename says in what a panic of the output happened.
func (b *Writer) rename(op string) {
	if e := recover(); e != nil {
		if op == "Flush" {
			b.reset()
		}
		panic(fmt.Sprintf("tabwriter: panic during %s (%v)", op, e))
	}
}

func (b *Writer) Write(buf []byte) (n int, err error) {
	defer b.rename("Write")
	from := 0
	for i, c := range buf {
		if b.until != 0 {
			if c == b.until {
				to := i + 1
				if c == Escape && b.flags&StripEscape != 0 {
					to = i
				}
				b.add(buf[from:to])
				from = i + 1
				b.endEscape()
			}
			continue
		}
		switch c {
		case '\t', '\v', '\n', '\f':
			b.add(buf[from:i])
			b.count()
			from = i + 1
			cells := b.endCell(c == '\t')
			if c == '\t' || c == '\v' {
				break
			}
			b.lines = append(b.lines, nil)
			// A line without columns ends all blocks.
			if c == '\f' || cells == 1 {
				b.flush()
				if c == '\f' && b.flags&Debug != 0 {
					b.put("---\n")
				}
			}
		case Escape:
			b.add(buf[from:i])
			b.count()
			from = i
			if b.flags&StripEscape != 0 {
				from++
			}
			b.until = Escape
		case '<', '&':
			if b.flags&FilterHTML == 0 {
				break
			}
			b.add(buf[from:i])
			b.count()
			from = i
			b.until = '>'
			if c == '&' {
				b.until = ';'
			}
		}
		if b.err != nil {
			return from, b.err
		}
	}
	b.add(buf[from:])
	return len(buf), nil
}

func (b *Writer) Flush() error {
	defer b.rename("Flush")
	b.flush()
	err := b.err
	b.err = nil
	return err
}

func (b *Writer) flush() {
	if b.now.size > 0 {
		if b.until != 0 {
			b.endEscape()
		} else {
			b.count()
		}
		b.endCell(false)
	} else if b.until != 0 {
		b.endEscape()
	}
	b.block(0, 0, len(b.lines))
	b.reset()
}

// put writes text, unless that has failed before.
func (b *Writer) put(s string) {
	if b.err == nil && s != "" {
		_, b.err = io.WriteString(b.out, s)
	}
}

func (b *Writer) repeat(c byte, n int) {
	p := make([]byte, max(n, 0))
	for i := range p {
		p[i] = c
	}
	b.put(string(p))
}

// pad fills a cell up to its column's width.
func (b *Writer) pad(have, want int, tabs bool) {
	if b.padchar != '\t' && !tabs {
		b.repeat(b.padchar, want-have)
		return
	}
	if b.tabwidth == 0 {
		return
	}
	// Columns begin at tab stops.
	want = (want + b.tabwidth - 1) / b.tabwidth * b.tabwidth
	b.repeat('\t', (want-have+b.tabwidth-1)/b.tabwidth)
}

// block lays out the lines from one to before another, whose text begins at at; where the text behind them begins. The columns to
// the left have their widths; each run of lines with a cell in the next column is a block of its own.
func (b *Writer) block(at, from, to int) int {
	column := len(b.widths)
	inColumn := func(line int) bool { return column < len(b.lines[line])-1 }
	for line := from; line < to; line++ {
		if !inColumn(line) {
			continue
		}
		at = b.write(at, from, line)
		from = line
		width, empty := b.minwidth, true
		for ; line < to && inColumn(line); line++ {
			c := b.lines[line][column]
			width = max(width, c.width+b.padding)
			empty = empty && c.width == 0 && !c.hard
		}
		if empty && b.flags&DiscardEmptyColumns != 0 {
			width = 0
		}
		b.widths = append(b.widths, width)
		at = b.block(at, from, line)
		b.widths = b.widths[:column]
		from = line
		line--
	}
	return b.write(at, from, to)
}

// write writes lines whose columns all have widths.
func (b *Writer) write(at, from, to int) int {
	for i := from; i < to; i++ {
		indent := b.flags&TabIndent != 0 // only empty cells so far
		for j, c := range b.lines[i] {
			if j > 0 && b.flags&Debug != 0 {
				b.put("|")
			}
			text := string(b.text[at : at+c.size])
			at += c.size
			if c.size > 0 {
				indent = false
			}
			left := b.flags&AlignRight == 0
			if c.size > 0 && left {
				b.put(text)
			}
			if j < len(b.widths) {
				b.pad(c.width, b.widths[j], indent)
			}
			if c.size > 0 && !left {
				b.put(text)
			}
		}
		if i+1 < len(b.lines) {
			b.put("\n")
		}
	}
	return at
}

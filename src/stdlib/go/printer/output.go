package printer

// This file holds what has been printed, and where that is in the source.

import (
	"bytes"
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"text/tabwriter"
)

// output is what has been printed.
type output struct {
	out    []byte
	margin int // by how many tabs lines are indented, besides Config.Indent

	// pos is where the source is, if it were laid out as the output: what is printed moves it on,
	// and the positions of nodes correct it. last is pos behind the last text.
	pos, last token.Position

	name         string // of the file that the line belongs to, as `//line` comments say it
	line, column int    // of the output
	flat         bool   // until the line ends, columns are not laid out
	lineErr      error  // the first of a `//line` comment

	// A printer that measures stops when a line ends or when a line has more columns than most,
	// and is over then.
	most int
	over bool
}

// advance moves on by n bytes in which ends lines end, and rest bytes are behind the last of them.
func (p *printer) advance(n, ends, rest int) {
	p.pos.Offset += n
	if ends > 0 {
		p.over = p.most > 0
		p.line += ends
		p.pos.Line += ends
		p.column, p.pos.Column = 1, 1
	}
	p.column += rest
	p.pos.Column += rest
	if p.column > p.most && p.most > 0 {
		p.over = true
	}
}

// startLine indents a line. If Config.Indent is negative the columns are off, and so are Go's.
func (p *printer) startLine() {
	n := p.Config.Indent + p.margin
	for range n {
		p.out = append(p.out, '\t')
	}
	p.advance(n, 0, n)
}

// white puts a character of white space n times.
func (p *printer) white(c byte, n int) {
	ends := isLineEnd(c)
	if p.flat && ends {
		p.flat, c = false, '\f'
	} else if p.flat {
		c = ' '
	}
	if p.column == 1 {
		p.startLine()
	}
	for range n {
		p.out = append(p.out, c)
	}
	if ends {
		p.advance(n, n, 0)
	} else {
		p.advance(n, 0, n)
	}
}

// write puts text that stands at pos, if that is valid. Literal text is escaped, so that nothing in
// it counts as the end of a column or line.
func (p *printer) write(pos token.Position, s string, literal bool) {
	if p.column == 1 {
		if p.Mode&SourcePos != 0 && pos.IsValid() {
			p.lineComment(pos)
		}
		p.startLine()
	}
	if pos.IsValid() {
		p.pos = pos
	}
	if !literal {
		p.out = append(p.out, s...)
		p.advance(len(s), 0, len(s))
		p.last = p.pos
		return
	}
	p.out = append(p.out, tabwriter.Escape)
	p.out = append(p.out, s...)
	p.out = append(p.out, tabwriter.Escape)
	ends, rest := 0, len(s)
	if at := strings.LastIndexAny(s, "\n\f"); at >= 0 {
		ends = strings.Count(s, "\n") + strings.Count(s, "\f")
		rest -= at + 1
		p.flat = true
	}
	p.advance(len(s), ends, rest)
	p.last = p.pos
}

// lineComment prints a `//line` comment, if the next line is not known to be that of pos.
func (p *printer) lineComment(pos token.Position) {
	known := p.name == pos.Filename && p.line == pos.Line
	switch {
	case known:
	case !strings.ContainsAny(pos.Filename, "\r\n"):
		p.out = append(p.out, "\xff//line "+pos.Filename+":"+strconv.Itoa(pos.Line)+"\n\xff"...)
		p.name, p.line = pos.Filename, pos.Line
	case p.lineErr == nil:
		p.lineErr = fmt.Errorf("go/printer: source filename contains unexpected newline"+
			" character: %q", pos.Filename)
	}
}

// trim appends text without escapes, with tabs and line ends in place of their vertical kin, and
// without space at the ends of lines.
func trim(to, text []byte) []byte {
	blank := 0 // where the space before i begins
	for i := 0; i < len(text); {
		c := text[i]
		switch c {
		case '\t', '\v', ' ':
			i++
			continue
		case '\n', '\f':
			to = append(to, '\n')
			i++
			blank = i
			continue
		}
		for _, c := range text[blank:i] {
			if c == '\v' {
				c = '\t'
			}
			to = append(to, c)
		}
		end := i
		if c == tabwriter.Escape {
			i++
			end = len(text)
			if n := bytes.IndexByte(text[i:], tabwriter.Escape); n >= 0 {
				end = i + n
			}
			to = append(to, text[i:end]...)
			i = end + 1
		} else {
			for end < len(text) && !ends[text[end]] {
				end++
			}
			to = append(to, text[i:end]...)
			i = end
		}
		blank = i
	}
	return to
}

// ends has what ends a text without escapes.
var ends = [256]bool{'\t': true, '\v': true, ' ': true, '\n': true, '\f': true, '\xff': true}

// lookup finds positions, and keeps the line of the last one.
type lookup struct {
	from, to token.Pos      // of the line, without what is behind it
	at       token.Position // where it begins
}

// place returns where pos is in its file, whatever `//line` comments say; a position that is not
// valid for one that is not.
func (p *printer) place(pos token.Pos) token.Position {
	if !pos.IsValid() {
		return token.Position{}
	}
	if p.from <= pos && pos < p.to {
		at := p.at
		n := int(pos - p.from)
		at.Offset += n
		at.Column += n
		return at
	}
	at := p.fset.PositionFor(pos, false)
	if at.IsValid() {
		file := p.fset.File(pos)
		p.from = pos - token.Pos(at.Column-1)
		p.to = token.Pos(file.Base() + file.Size() + 1)
		if at.Line < file.LineCount() {
			p.to = file.LineStart(at.Line + 1)
		}
		p.at = at
		p.at.Offset -= at.Column - 1
		p.at.Column = 1
	}
	return at
}

// lineOf returns the line of pos, 0 if that is not valid.
func (p *printer) lineOf(pos token.Pos) int {
	if p.from <= pos && pos < p.to {
		return p.at.Line
	}
	return p.place(pos).Line
}

package printer

// This file holds the pen: it writes marks, and before each the gaps and comments that wait.

import (
	"bytes"
	"go/ast"
	"go/token"
)

// The gaps are bytes, so that several are a string: " " is a blank, "\v" the end of a cell in a
// column, "\n" that of a line, "\f" that of a line at which columns end, too; ">" and "<" change by
// one how much lines are indented.

// mostGaps is how many gaps can wait; one more writes them.
const mostGaps = 16

// What comes next is for comments the first byte of a mark, or one of these.
const (
	atEnd    = 0 // of all
	atNode   = '?'
	atImport = 'i'
	atWord   = 'w' // another mark that begins with a letter
	atName   = 'n'
	atText   = '"'
)

// pen is what is between the last mark and the next.
type pen struct {
	gaps    []byte
	before  byte // the last mark if it is one byte, '0' for an integer, and 0 behind a gap
	opened  byte // the last byte of the last mark, whatever gaps there are
	semi    bool // would a line end be a semicolon here?
	keep    bool // does a comment before the next mark end no line?
	adjoin  bool // does no blank go behind a comment before the next mark?
	watched bool // does the next mark begin a row?
	row     int  // the line of the output in which the last row began
}

// merging has pairs of bytes at even places: a mark of the first byte and one that begins with the
// second would be read as something else.
const merging = "0.++--/*<-<<&&&^"

func merges(a, b byte) bool {
	for i := 0; i < len(merging); i += 2 {
		if merging[i] == a && merging[i+1] == b {
			return true
		}
	}
	return false
}

// gap adds gaps.
func (p *printer) gap(s string) {
	for i := range len(s) {
		if len(p.gaps) == mostGaps {
			p.release(mostGaps)
		}
		p.gaps = append(p.gaps, s[i])
		p.semi = p.semi && !isLineEnd(s[i])
		p.before = 0
	}
}

// release writes the first n gaps.
func (p *printer) release(n int) {
	for from := 0; from < n; from++ {
		switch c := p.gaps[from]; c {
		case spent:
		case '>':
			p.margin++
		case '<':
			p.margin = max(p.margin-1, 0)
		case '\n', '\f':
			// What goes to the left behind a line end is a label: it goes before the line end, and
			// lines above do not depend on the label's width.
			rest := p.gaps[from+1 : n]
			if left := len(rest) - len(bytes.TrimLeft(rest, "<")); left > 0 {
				p.margin = max(p.margin-left, 0)
				from += left
				c = '\f'
			}
			p.white(c, 1)
		default:
			p.white(c, 1)
		}
	}
	p.gaps = append(p.gaps[:0], p.gaps[n:]...)
}

// moveTo says that the next mark stands at pos, if that is valid.
func (p *printer) moveTo(pos token.Pos) {
	if pos.IsValid() {
		p.pos = p.place(pos)
	}
}

// mark writes what is no name and no literal. Blanks around the text are gaps.
func (p *printer) mark(s string) {
	if s[0] == ' ' {
		p.gap(" ")
		s = s[1:]
	}
	last := len(s) - 1
	spaced := s[last] == ' '
	if spaced {
		s = s[:last]
		last--
	}
	next, before := s[0], byte(0)
	semi := s[last] == ')' || s[last] == ']' || s[last] == '}'
	switch {
	case last == 0:
		before = next
	case s == "import":
		next = atImport
	case 'a' <= next && next <= 'z':
		next = atWord
		semi = semi || endsStatement(s)
	case s == "++" || s == "--":
		semi = true
	}
	if p.before != 0 && merges(p.before, s[0]) {
		p.gaps = append(p.gaps[:0], ' ')
	}
	p.before = before
	p.set(s, false, next, semi)
	p.opened = s[last]
	if spaced {
		p.gap(" ")
	}
}

// endsStatement says whether a keyword can be the last mark of a statement.
func endsStatement(s string) bool {
	switch s {
	case "break", "continue", "fallthrough", "return":
		return true
	}
	return false
}

// markAt writes a mark that stands at pos.
func (p *printer) markAt(pos token.Pos, s string) {
	p.moveTo(pos)
	p.mark(s)
}

func (p *printer) ident(x *ast.Ident) {
	p.before = 0
	p.set(x.Name, false, atName, true)
	p.opened = 0
}

func (p *printer) literal(x *ast.BasicLit) {
	p.before = 0
	if x.Kind == token.INT {
		p.before = '0'
	}
	p.set(x.Value, true, atText, true)
	p.opened = 0
}

// remark writes what is not in the source, but stands where a literal would.
func (p *printer) remark(text string) { p.literal(&ast.BasicLit{Kind: token.STRING, Value: text}) }

// set writes a text, and before it what waits; semi says whether a line end behind it is a
// semicolon.
func (p *printer) set(text string, literal bool, next byte, semi bool) {
	at := p.pos
	ended, apart := p.flush(at, next)
	if !p.semi {
		// Line ends of the source stay, as they are no semicolons.
		n := few(at.Line - p.pos.Line)
		if ended {
			n = min(n, 1)
		}
		if n > 0 {
			end := byte('\n')
			if apart {
				end = '\f'
			}
			p.white(end, n)
			semi = false
		}
	}
	if p.watched {
		p.watched, p.row = false, p.line
	}
	p.write(at, text, literal)
	p.semi = semi
}

// flush writes the gaps, and the comments before the mark at at. It says whether these ended with
// a line end, and whether an end of columns was lost.
func (p *printer) flush(at token.Position, next byte) (ended, apart bool) {
	if p.isDue(at) {
		return p.putNotes(at, next)
	}
	p.release(len(p.gaps))
	return false, false
}

// few limits line ends to those of one empty line.
func few(lines int) int { return min(lines, 2) }

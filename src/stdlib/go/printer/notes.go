package printer

// This file holds the cursor over comments, and the rules by which they and the gaps that wait go
// between two marks.

import (
	"bytes"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"strings"
	"unicode"
)

// notes is a cursor over comments.
type notes struct {
	groups  []*ast.CommentGroup // those behind the current one
	group   *ast.CommentGroup   // the current one
	offset  int                 // where it begins in its file; endless if there is none
	ends    bool                // does it end a line?
	ofNodes bool                // do comments come from nodes?

	buildLines, olderLines []int // where such lines begin in the output
}

// step goes to the next group that is not empty.
func (p *printer) step() {
	p.offset = endless
	for p.offset == endless && len(p.groups) > 0 {
		p.group, p.groups = p.groups[0], p.groups[1:]
		if list := p.group.List; len(list) > 0 {
			p.offset, p.ends = p.place(list[0].Slash).Offset, p.endsLine(list)
		}
	}
}

// endsLine says whether there is a line end in or behind comments, which need not have positions.
func (p *printer) endsLine(list []*ast.Comment) bool {
	line := p.lineOf(list[0].Slash)
	for _, c := range list {
		whole := strings.HasPrefix(c.Text, "//")
		if whole || p.lineOf(c.Slash) != line || strings.IndexByte(c.Text, '\n') >= 0 {
			return true
		}
	}
	return false
}

// isDue says whether the current group stands before at, and does not end a statement that goes on.
func (p *printer) isDue(at token.Position) bool {
	return at.Offset > p.offset && !(p.semi && p.ends)
}

// sizeOfDue returns the size of all comments that are due at at, in bytes.
func (p *printer) sizeOfDue(at token.Position) (size int) {
	if !p.isDue(at) {
		return 0
	}
	start := p.notes
	for ; p.isDue(at); p.step() {
		for _, c := range p.group.List {
			size += len(c.Text)
		}
	}
	p.notes = start
	return size
}

// comment makes the comments of a node come next, if comments come from nodes. One that waits to be
// written comes first.
func (p *printer) comment(g *ast.CommentGroup) {
	if !p.ofNodes || g == nil {
		return
	}
	if len(p.groups) > 0 {
		p.flush(p.place(g.Pos()), atNode)
	}
	p.groups = []*ast.CommentGroup{g}
	if p.offset == endless {
		p.step()
	}
}

// spent is what is left of a gap that a comment took the place of: others stop there.
const spent = 0

// putNotes writes the comments that are due at at, and the gaps around them. It says whether that
// ended with a line end, and whether an end of columns was lost. The mark behind them is next.
func (p *printer) putNotes(at token.Position, next byte) (ended, apart bool) {
	var prev *ast.Comment
	for ; p.isDue(at); p.step() {
		list := p.group.List
		last := list[len(list)-1]
		doc := next != atName && next != atImport &&
			p.place(list[0].Slash).Column == 1 && p.place(last.End()+1) == at
		if doc {
			list = formatDoc(list)
		}
		if len(list) == 0 {
			p.approach(p.place(p.group.Pos()), at, prev, next)
			p.pos, p.last = at, at
			p.step()
			return p.leave(false)
		}
		for _, c := range list {
			p.approach(p.place(c.Slash), at, prev, next)
			p.note(c)
			prev = c
		}
		if doc {
			// However many lines it has now, the source goes on behind the comment.
			prev = last
			p.pos = p.place(last.End())
			p.last = p.pos
		}
	}
	if prev == nil {
		return false, false
	}
	closes := next == '}' && !p.keep
	if prev.Text[1] == '/' {
		return p.leave(true)
	}
	stays := next == ',' || next == ')' && p.opened != '(' || next == ']' && p.opened != '['
	if !stays && !p.adjoin && p.lineOf(prev.Slash) == at.Line {
		if !p.keep && p.literals == 0 && bytes.ContainsAny(p.gaps, "\n\f") {
			return p.leave(true)
		}
		p.white(' ', 1)
	}
	return p.leave(closes || next == atEnd)
}

// approach writes white space before a comment at pos: as many of the gaps as fit it. The mark
// behind all comments is next and stands at at; prev is the comment before, if there is one.
func (p *printer) approach(pos, at token.Position, prev *ast.Comment, next byte) {
	switch inOther := pos.IsValid() && pos.Filename != p.last.Filename; {
	case len(p.out) == 0:
		return
	case inOther:
		p.white('\f', 2)
		return
	}
	first, whole := prev == nil, prev != nil && prev.Text[1] == '/'
	if pos.Line == p.last.Line && !whole {
		switch {
		case first && p.releaseOnLine():
		case pos.Line == at.Line:
			p.white(' ', 1)
		default:
			// Comments at the ends of lines are a column.
			p.white('\t', 1)
		}
		return
	}
	n := 0
	if pos.IsValid() && p.last.IsValid() {
		n = max(n, pos.Line-p.last.Line)
	}
	// The empty line before a declaration goes before its comment.
	if p.releaseOverLines(next != '}' && pos.Column == at.Column) && first && p.margin == 0 {
		n++
	}
	if whole {
		n = max(n, 1)
	}
	if n > 0 {
		p.white('\f', few(n))
	}
}

// releaseUpTo drops those of the first n gaps that are in lost, and writes the rest of them unless
// no gap is behind, when they wait.
func (p *printer) releaseUpTo(n int, lost string) {
	kept := p.gaps[:0]
	for i, c := range p.gaps {
		if i >= n || strings.IndexByte(lost, c) < 0 {
			kept = append(kept, c)
		}
	}
	write := n < len(p.gaps)
	n -= len(p.gaps) - len(kept)
	p.gaps = kept
	if write {
		p.release(n)
	}
}

// releaseOnLine writes gaps before a comment on the same line, without blanks, up to what is not a
// cell or more margin. It says whether there was an end of a cell.
func (p *printer) releaseOnLine() (cells bool) {
	n := len(p.gaps) - len(bytes.TrimLeft(p.gaps, " \v>"))
	cells = bytes.IndexByte(p.gaps[:n], '\v') >= 0
	p.releaseUpTo(n, " ")
	return cells
}

// releaseOverLines writes changes of the margin before a comment on another line. It drops blanks
// and ends of cells, and the first line end, behind which it stops; it says whether there was one.
// A smaller margin is for what is behind the comment if it is the last of several, which end
// blocks, unless the comment is in line with that.
func (p *printer) releaseOverLines(inLine bool) (line bool) {
	n := 0
	for ; n < len(p.gaps); n++ {
		switch c := p.gaps[n]; {
		case c == ' ' || c == '\v' || c == '>':
			continue
		case c == '<' && (inLine || bytes.HasPrefix(p.gaps[n+1:], []byte("<"))):
			continue
		case isLineEnd(c):
			p.gaps[n], line = spent, true
		}
		break
	}
	p.releaseUpTo(n, " \v")
	return line
}

// leave writes the gaps behind comments, but at most one line end, and that if line says so. It
// says whether there is one, and whether an end of columns was lost.
func (p *printer) leave(line bool) (ended, apart bool) {
	kept := p.gaps[:0]
	for _, c := range p.gaps {
		switch {
		case c == '<' || c == '>':
		case line && isLineEnd(c):
			line, ended = false, true
		default:
			apart = apart || c == '\f'
			continue
		}
		kept = append(kept, c)
	}
	p.gaps = kept
	p.release(len(kept))
	if line {
		p.white('\n', 1)
	}
	return ended || line, apart
}

// note writes a comment.
func (p *printer) note(c *ast.Comment) {
	text, pos := c.Text, p.place(c.Slash)
	margin := p.margin
	if strings.HasPrefix(text, "//line ") && (pos.Column == 1 || !pos.IsValid()) {
		// It counts in the first column only.
		p.margin = 0
	}
	var lines []string
	switch {
	case text[1] == '*':
		lines = strings.Split(text, "\n")
		if p.margin > 0 && pos.Column == 1 && pos.IsValid() {
			// The comment will be indented, and is treated as if it had been.
			for i := range lines[1:] {
				lines[i+1] = "   " + lines[i+1]
			}
		}
		unindent(lines)
	case constraint.IsGoBuild(text):
		p.buildLines = append(p.buildLines, len(p.out))
	case constraint.IsPlusBuild(text):
		p.olderLines = append(p.olderLines, len(p.out))
	}
	if lines == nil {
		p.write(pos, trimEnd(text), true)
	}
	for i, line := range lines {
		if i > 0 {
			p.white('\f', 1)
			pos = p.pos
		}
		if line != "" {
			p.write(pos, trimEnd(line), true)
		}
	}
	p.margin = margin
}

func trimEnd(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c > ' ' })
}

// common returns the white space and stars that both begin with.
func common(a, b string) string {
	n := min(len(a), len(b))
	for i := range n {
		if c := a[i]; c != b[i] || c > ' ' && c != '*' {
			return a[:i]
		}
	}
	return a[:n]
}

// unindent takes away what the lines of a comment are indented by, such that they stand to the
// first line as before, if that is indented by as much.
func unindent(lines []string) {
	last := len(lines) - 1
	if last == 0 {
		return
	}
	prefix, known := "", false
	for i := 1; i < last; i++ {
		switch line := lines[i]; {
		case isBlank(line):
			lines[i] = ""
		case !known:
			prefix, known = common(line, line), true
		default:
			prefix = common(prefix, line)
		}
	}
	if !known {
		prefix = common(lines[last], lines[last])
	}

	end := "*/"
	if before, _, stars := strings.Cut(prefix, "*"); stars {
		// Stars stand one to the right of the margin, below that of the first line.
		prefix = strings.TrimSuffix(before, " ")
		end = " */"
	} else {
		prefix = withoutMark(prefix, lines[0])
	}

	if before, _, _ := strings.Cut(lines[last], "*/"); isBlank(before) {
		lines[last] = prefix + end
	} else {
		prefix = common(prefix, lines[last])
	}
	for i := 1; i <= last; i++ {
		if lines[i] != "" {
			lines[i] = lines[i][len(prefix):]
		}
	}
}

// withoutMark takes from the prefix of the other lines what makes up for the mark on the first one.
func withoutMark(prefix, first string) string {
	text := first[2:]
	if isBlank(text) {
		// Up to three blanks, or a tab.
		short := prefix
		for n := 0; n < 3 && strings.HasSuffix(short, " "); n++ {
			short = short[:len(short)-1]
		}
		if len(short) == len(prefix) {
			return strings.TrimSuffix(prefix, "\t")
		}
		return short
	}
	n := 0
	for text[n] <= ' ' {
		n++
	}
	lead := text[:n]
	if !strings.HasPrefix(lead, "\t") {
		lead = "  " + lead
	}
	return strings.TrimSuffix(prefix, lead)
}

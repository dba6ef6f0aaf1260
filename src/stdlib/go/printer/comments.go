package printer

import (
	"go/ast"
	"go/build/constraint"
	"go/token"
	"strings"
	"unicode"
)

// nextGroup makes the next comment group the current one.
func (p *printer) nextGroup() {
	for p.next < len(p.comments) {
		g := p.comments[p.next]
		p.next++
		if len(g.List) > 0 {
			p.group = g
			p.offset = p.place(g.List[0].Pos()).Offset
			p.breaks = p.endsLine(g.List)
			return
		}
	}
	p.offset = endless
}

// endsLine says whether there is a line end in or behind comments, which need not have positions.
func (p *printer) endsLine(list []*ast.Comment) bool {
	first := p.lineOf(list[0].Pos())
	for _, c := range list {
		if p.lineOf(c.Pos()) != first || len(c.Text) >= 2 && c.Text[1] == '/' ||
			strings.Contains(c.Text, "\n") {
			return true
		}
	}
	return false
}

// hasCommentBefore says whether the current group stands before at, and does not end a statement
// that goes on.
func (p *printer) hasCommentBefore(at token.Position) bool {
	return p.offset < at.Offset && (!p.semi || !p.breaks)
}

// sizeOfCommentsBefore returns the size of all comments that hasCommentBefore, in bytes.
func (p *printer) sizeOfCommentsBefore(at token.Position) int {
	next, group, offset, breaks := p.next, p.group, p.offset, p.breaks
	size := 0
	for p.hasCommentBefore(at) {
		for _, c := range p.group.List {
			size += len(c.Text)
		}
		p.nextGroup()
	}
	p.next, p.group, p.offset, p.breaks = next, group, offset, breaks
	return size
}

// comment makes the comments of a node come next, if comments come from nodes. One that waits to be
// printed comes first.
func (p *printer) comment(g *ast.CommentGroup) {
	if g == nil || !p.ofNodes {
		return
	}
	if p.comments != nil && p.next < len(p.comments) {
		p.flush(p.place(g.List[0].Pos()), token.ILLEGAL)
	}
	if p.comments == nil {
		p.comments = make([]*ast.CommentGroup, 1)
	}
	p.comments = p.comments[:1]
	p.comments[0] = g
	p.next = 0
	if p.offset == endless {
		p.nextGroup()
	}
}

// commentText makes a comment without position come next.
func (p *printer) commentText(text string) {
	p.comment(&ast.CommentGroup{List: []*ast.Comment{{Text: text}}})
}

// putComments prints the comments before the token at at, and the white space around them. It says
// whether that ended with a line end, and whether an end of columns was lost.
func (p *printer) putComments(at token.Position, tok token.Token) (newLine, apart bool) {
	var last *ast.Comment
	for p.hasCommentBefore(at) {
		list := p.group.List
		end := list[len(list)-1].End()
		doc := tok != token.IDENT && p.tok != token.IMPORT &&
			p.place(list[0].Pos()).Column == 1 && p.place(end+1) == at
		if doc {
			list = formatDoc(list)
		}
		if len(list) == 0 {
			p.beforeComment(p.place(p.group.Pos()), at, last, tok)
			p.pos, p.last = at, at
			p.nextGroup()
			return p.afterComments(false)
		}
		for _, c := range list {
			p.beforeComment(p.place(c.Slash), at, last, tok)
			p.putComment(c)
			last = c
		}
		if doc {
			// However many lines it has now, the source goes on behind the comment.
			last = p.group.List[len(p.group.List)-1]
			p.pos = p.place(end)
			p.last = p.pos
		}
		p.nextGroup()
	}
	if last == nil {
		return false, false
	}
	line := last.Text[1] == '/' || tok == token.EOF ||
		tok == token.RBRACE && p.tight&noBreak == 0
	if last.Text[1] == '*' && p.tight&noBlank == 0 && p.lineOf(last.Slash) == at.Line &&
		tok != token.COMMA && (tok != token.RPAREN || p.opened == token.LPAREN) &&
		(tok != token.RBRACK || p.opened == token.LBRACK) {
		if p.hasLineEnd() && p.tight&noBreak == 0 && p.literals == 0 {
			line = true
		} else {
			p.put(' ', 1)
		}
	}
	return p.afterComments(line)
}

func (p *printer) hasLineEnd() bool {
	for _, s := range p.spaces {
		if s == newline || s == section {
			return true
		}
	}
	return false
}

// beforeComment prints white space before a comment at pos: as much of what is pending as fits it.
// at and tok are of the token behind all comments, and prev is the comment before, if there is one.
func (p *printer) beforeComment(pos, at token.Position, prev *ast.Comment, tok token.Token) {
	afterLine := prev != nil && prev.Text[1] == '/'
	switch {
	case len(p.out) == 0:
	case pos.IsValid() && pos.Filename != p.last.Filename:
		p.put('\f', 2)
	case pos.Line == p.last.Line && !afterLine:
		if prev == nil && p.spacesOnLine() {
			return
		}
		// A tab makes a column of comments at the ends of lines.
		sep := byte('\t')
		if pos.Line == at.Line {
			sep = ' '
		}
		p.put(sep, 1)
	default:
		lost := p.spacesOverLines(pos, at, tok) && prev == nil
		n := 0
		if pos.IsValid() && p.last.IsValid() {
			n = max(pos.Line-p.last.Line, 0)
		}
		// The empty line before a declaration goes before its comment.
		if lost && p.margin == 0 {
			n++
		}
		if n == 0 && afterLine {
			n = 1
		}
		if n > 0 {
			p.put('\f', few(n))
		}
	}
}

// spacesOnLine prints pending changes of the margin and ends of cells before a comment on the same
// line, up to the first line end, and drops blanks. It says whether there was an end of a cell.
func (p *printer) spacesOnLine() (cells bool) {
	for i, s := range p.spaces {
		switch s {
		case blank:
			p.spaces[i] = none
			continue
		case cell:
			cells = true
			continue
		case in:
			continue
		}
		p.putSpaces(i)
		break
	}
	return cells
}

// spacesOverLines prints pending changes of the margin before a comment on another line, and drops
// blanks, ends of cells, and the first line end; it says whether there was one.
func (p *printer) spacesOverLines(pos, at token.Position, tok token.Token) (lost bool) {
	for i, s := range p.spaces {
		switch s {
		case blank, cell:
			p.spaces[i] = none
			continue
		case in:
			continue
		case out:
			// The last one ends a block; the comment is inside, unless it is in line with the next
			// token.
			if i+1 < len(p.spaces) && p.spaces[i+1] == out ||
				tok != token.RBRACE && pos.Column == at.Column {
				continue
			}
		case newline, section:
			p.spaces[i] = none
			lost = true
		}
		p.putSpaces(i)
		break
	}
	return lost
}

// afterComments prints what is pending behind comments, without white space that would end a line,
// and with one line end if line says so. It says whether there is one, and whether an end of
// columns was lost.
func (p *printer) afterComments(line bool) (newLine, apart bool) {
	for i, s := range p.spaces {
		switch s {
		case blank, cell:
			p.spaces[i] = none
		case newline, section:
			if line {
				line, newLine = false, true
				break
			}
			apart = apart || s == section
			p.spaces[i] = none
		}
	}
	p.putSpaces(len(p.spaces))
	if line {
		p.put('\n', 1)
		newLine = true
	}
	return newLine, apart
}

// putComment prints a comment.
func (p *printer) putComment(c *ast.Comment) {
	text, pos := c.Text, p.place(c.Slash)
	if strings.HasPrefix(text, "//line ") && (!pos.IsValid() || pos.Column == 1) {
		// It counts in the first column only.
		margin := p.margin
		p.margin = 0
		defer func() { p.margin = margin }()
	}
	if text[1] == '/' {
		if constraint.IsGoBuild(text) {
			p.goBuild = append(p.goBuild, len(p.out))
		} else if constraint.IsPlusBuild(text) {
			p.plusBuild = append(p.plusBuild, len(p.out))
		}
		p.write(pos, trimEnd(text), true)
		return
	}
	lines := strings.Split(text, "\n")
	if pos.IsValid() && pos.Column == 1 && p.margin > 0 {
		// The comment will be indented, and is treated as if it had been.
		for i := 1; i < len(lines); i++ {
			lines[i] = "   " + lines[i]
		}
	}
	unindent(lines)
	for i, line := range lines {
		if i > 0 {
			p.put('\f', 1)
			pos = p.pos
		}
		if line != "" {
			p.write(pos, trimEnd(line), true)
		}
	}
}

func trimEnd(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

func isBlank(s string) bool {
	for i := range len(s) {
		if s[i] > ' ' {
			return false
		}
	}
	return true
}

// common returns the white space and stars that both begin with.
func common(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] && (a[i] <= ' ' || a[i] == '*') {
		i++
	}
	return a[:i]
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

package printer

import (
	"go/ast"
	"go/token"
)

// space is white space that can be pending, or a change of how lines are indented.
type space byte

const (
	none    space = 0
	blank   space = ' '
	cell    space = '\v' // the end of a cell in a column
	newline space = '\n'
	section space = '\f' // the end of a line at which columns end, too
	in      space = '>'
	out     space = '<'
)

// mostPending is how many white spaces can be pending; one more prints them.
const mostPending = 16

// tight is a flag for how comments are put before the next tokens.
type tight int

const (
	noBlank tight = 1 << iota // no blank behind a comment of the other form
	noBreak                   // no line end behind it
)

// pending is what comes between the last token and the next.
type pending struct {
	spaces []space
	tight  tight
	tok    token.Token // the last token, ILLEGAL behind white space
	opened token.Token // the parenthesis or bracket if the last token is that, even with space
	semi   bool        // would a line end be a semicolon here?
}

// sinceOpened keeps opened.
func (p *printer) sinceOpened() {
	switch p.tok {
	case token.ILLEGAL:
	case token.LPAREN, token.LBRACK:
		p.opened = p.tok
	default:
		p.opened = token.ILLEGAL
	}
}

// gap adds white space.
func (p *printer) gap(s space) {
	if s == none {
		return
	}
	p.sinceOpened()
	if len(p.spaces) == mostPending {
		p.putSpaces(mostPending)
	}
	p.spaces = append(p.spaces, s)
	if s == newline || s == section {
		p.semi = false
	}
	p.tok = token.ILLEGAL
}

// lineBreak adds as many line ends as there are to line in the source, but least at least and one
// empty line at most; s before them, and columns end if apart. It returns how many these are, and
// more than 1 if columns end.
func (p *printer) lineBreak(line, least int, s space, apart bool) int {
	n := max(few(line-p.pos.Line), least)
	if n <= 0 {
		return 0
	}
	p.gap(s)
	count := n
	if apart {
		p.gap(section)
		n--
		count = n + 2
	}
	for range n {
		p.gap(newline)
	}
	return count
}

// few limits line ends to those of one empty line.
func few(lines int) int { return min(lines, 2) }

// moveTo says that the next text stands at pos, if that is valid.
func (p *printer) moveTo(pos token.Pos) {
	if pos.IsValid() {
		p.pos = p.place(pos)
	}
}

// token prints a token that is no name and no literal.
func (p *printer) token(tok token.Token) {
	p.sinceOpened()
	text := tok.String()
	if joins(p.tok, text[0]) {
		p.spaces = append(p.spaces[:0], blank)
	}
	semi := false
	switch tok {
	case token.BREAK, token.CONTINUE, token.FALLTHROUGH, token.RETURN, token.INC, token.DEC,
		token.RPAREN, token.RBRACK, token.RBRACE:
		semi = true
	}
	p.tok = tok
	p.text(text, false, semi)
}

// tokenAt prints a token that stands at pos.
func (p *printer) tokenAt(pos token.Pos, tok token.Token) {
	p.moveTo(pos)
	p.token(tok)
}

// joins says whether a token and another that begins with next would be read as others.
func joins(tok token.Token, next byte) bool {
	switch tok {
	case token.INT:
		return next == '.'
	case token.ADD:
		return next == '+'
	case token.SUB:
		return next == '-'
	case token.QUO:
		return next == '*'
	case token.LSS:
		return next == '-' || next == '<'
	case token.AND:
		return next == '&' || next == '^'
	}
	return false
}

func (p *printer) ident(x *ast.Ident) {
	p.sinceOpened()
	p.tok = token.IDENT
	p.text(x.Name, false, true)
}

func (p *printer) literal(x *ast.BasicLit) {
	p.sinceOpened()
	p.tok = x.Kind
	p.text(x.Value, true, true)
}

// note prints what is no token, but stands where one would.
func (p *printer) note(text string) {
	p.sinceOpened()
	p.tok = token.STRING
	p.text(text, true, true)
}

// text prints a token's text, and before it what is pending; semi says whether a line end behind it
// is a semicolon.
func (p *printer) text(text string, literal, semi bool) {
	at := p.pos
	newLine, apart := p.flush(at, p.tok)
	// Line ends of the source stay, if they are no semicolons.
	if !p.semi {
		n := few(at.Line - p.pos.Line)
		if newLine && n == 2 {
			n = 1
		}
		if n > 0 {
			end := byte('\n')
			if apart {
				end = '\f'
			}
			p.put(end, n)
			semi = false
		}
	}
	if p.start != nil {
		*p.start = p.line
		p.start = nil
	}
	p.write(at, text, literal)
	p.semi = semi
}

// flush prints the white space that is pending, and comments that stand before the token at at. It
// says whether they ended with a line end, and whether an end of columns was lost.
func (p *printer) flush(at token.Position, tok token.Token) (newLine, apart bool) {
	if p.hasCommentBefore(at) {
		return p.putComments(at, tok)
	}
	p.putSpaces(len(p.spaces))
	return false, false
}

// putSpaces prints the first n white spaces that are pending.
func (p *printer) putSpaces(n int) {
	for i := 0; i < n; i++ {
		switch s := p.spaces[i]; s {
		case none:
		case in:
			p.margin++
		case out:
			p.margin = max(p.margin-1, 0)
		case newline, section:
			// What goes to the left behind a line end is a label: it goes before the line end, and
			// lines above do not depend on the label's width.
			if i+1 < n && p.spaces[i+1] == out {
				p.spaces[i], p.spaces[i+1] = out, section
				i--
				continue
			}
			p.put(byte(s), 1)
		default:
			p.put(byte(s), 1)
		}
	}
	p.spaces = p.spaces[:copy(p.spaces, p.spaces[n:])]
}

package printer

import (
	"go/ast"
	"go/token"
)

// size returns how many bytes a node has when it is printed alone, and more than most if these are
// more or not on one line. A node is measured once, for the most of the first time.
func (p *printer) size(n ast.Node, most int) int {
	if size, ok := p.sizes[n]; ok {
		return size
	}
	p.sizes[n] = most + 1
	alone := newPrinter(&Config{Mode: RawFormat}, p.fset, p.sizes)
	alone.lookup = p.lookup
	alone.oneLine = true
	if text, ok := alone.onOneLine(n); ok && len(text) <= most {
		p.sizes[n] = len(text)
	}
	return p.sizes[n]
}

// manyLines is what a printer for one line panics with when a second one begins.
type manyLines struct{}

// onOneLine prints a node, and says whether it is on one line.
func (p *printer) onOneLine(n ast.Node) (text []byte, ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, many := e.(manyLines); !many {
				panic(e)
			}
			ok = false
		}
	}()
	err := p.all(n)
	return trim(nil, p.out), err == nil
}

// height returns how many lines a node has in the source.
func (p *printer) height(n ast.Node) int {
	if from := n.Pos(); from.IsValid() {
		if to := n.End(); to.IsValid() {
			return p.lineOf(to) - p.lineOf(from) + 1
		}
	}
	return endless
}

// come returns how far the output has come from a column, where what stands at from was printed,
// if both are on one line.
func (p *printer) come(from token.Pos, column int) int {
	if from.IsValid() && p.pos.IsValid() && p.lineOf(from) == p.pos.Line {
		return p.column - column
	}
	return endless
}

// mostOnLine is how long a function can be that is on one line.
const mostOnLine = 100

// bodySize returns the size of a block on one line, and more than mostOnLine if it is not.
func (p *printer) bodySize(b *ast.BlockStmt) int {
	from, to := b.Pos(), b.Rbrace
	if from.IsValid() && to.IsValid() && p.lineOf(from) != p.lineOf(to) || len(b.List) > 5 {
		return mostOnLine + 1
	}
	size := p.sizeOfCommentsBefore(p.place(to))
	for i, s := range b.List {
		if size > mostOnLine {
			break
		}
		if i > 0 {
			size += len("; ")
		}
		size += p.size(s, mostOnLine)
	}
	return size
}

// funcBody prints the body of a function, whose head is so wide: on the same line behind sep, if it
// was there and fits.
func (p *printer) funcBody(head int, sep space, b *ast.BlockStmt) {
	if b == nil {
		return
	}
	literals := p.literals
	p.literals = 0
	defer func() { p.literals = literals }()
	if head+p.bodySize(b) > mostOnLine {
		p.gap(blank)
		p.block(b, 1)
		return
	}
	p.gap(sep)
	p.tokenAt(b.Lbrace, token.LBRACE)
	if len(b.List) > 0 {
		p.gap(blank)
		for i, s := range b.List {
			if i > 0 {
				p.token(token.SEMICOLON)
				p.gap(blank)
			}
			p.stmt(s, i == len(b.List)-1)
		}
		p.gap(blank)
	}
	p.tight ^= noBreak
	p.tokenAt(b.Rbrace, token.RBRACE)
	p.tight ^= noBreak
}

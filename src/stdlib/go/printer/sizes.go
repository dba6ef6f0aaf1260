package printer

// This file measures what may go on one line.

import (
	"go/ast"
)

// rule is what measures nodes.
type rule struct {
	sizes map[ast.Node]int // of nodes that were measured
	gauge *printer         // the one that prints them
}

// size returns how many bytes a node has when it is printed alone, and more than most if these are
// more or not on one line. A node is measured once, for the most of the first time.
func (p *printer) size(n ast.Node, most int) int {
	if p.over {
		return most + 1
	}
	if x, ok := n.(*ast.Ident); ok {
		return min(len(x.Name), most+1)
	}
	if size, ok := p.sizes[n]; ok {
		return size
	}
	g := p.gauge
	if g == nil {
		g = new(printer)
		p.gauge = g
	}
	g.reset(&Config{Mode: RawFormat}, p.fset, p.sizes)
	g.lookup = p.lookup
	g.most = most + slack
	size := most + 1
	if err := g.all(n); err == nil && !g.over {
		size = min(size, len(trim(nil, g.out)))
	}
	p.sizes[n] = size
	return size
}

// slack is for blanks at the end of a line, which do not count.
const slack = 8

// height returns how many lines a node has in the source.
func (p *printer) height(n ast.Node) int {
	from, to := n.Pos(), n.End()
	if from.IsValid() && to.IsValid() {
		return p.lineOf(to) - p.lineOf(from) + 1
	}
	return endless
}

// longest is how long a function can be that is on one line.
const longest = 100

// function prints a function from its keyword on, with its name and receiver if it is declared.
func (p *printer) function(d *ast.FuncDecl, t *ast.FuncType, body *ast.BlockStmt) {
	from := t.Pos()
	if d != nil {
		from = d.Pos()
	}
	p.markAt(from, "func")
	column, sep := p.column-len("func"), " "
	if d != nil {
		p.gap(" ")
		column, sep = column-1, "\v"
		if d.Recv != nil {
			p.params(d.Recv, "()")
			p.gap(" ")
		}
		p.expr(d.Name)
	}
	p.signature(t)
	if body == nil {
		return
	}
	literals := p.literals
	p.literals = 0
	room := longest - (p.column - column)
	if line := p.pos.Line; line > 0 && line == p.lineOf(from) && p.fits(body, room) {
		p.gap(sep)
		p.shortBody(body)
	} else {
		p.gap(" ")
		p.block(body, true)
	}
	p.literals = literals
}

// fits says whether a body was on one line and would be in so much room.
func (p *printer) fits(b *ast.BlockStmt, room int) bool {
	from, to := p.lineOf(b.Lbrace), p.lineOf(b.Rbrace)
	if from != to && from > 0 && to > 0 || len(b.List) > 5 {
		return false
	}
	room -= p.sizeOfDue(p.place(b.Rbrace))
	for i := 0; i < len(b.List) && room >= 0; i++ {
		if i > 0 {
			room -= len("; ")
		}
		room -= p.size(b.List[i], longest)
	}
	return room >= 0
}

// shortBody prints a body on one line.
func (p *printer) shortBody(b *ast.BlockStmt) {
	p.markAt(b.Lbrace, "{")
	for i, s := range b.List {
		if i > 0 {
			p.mark(";")
		}
		p.gap(" ")
		p.stmt(s, i == len(b.List)-1)
	}
	if len(b.List) > 0 {
		p.gap(" ")
	}
	p.keep = !p.keep
	p.markAt(b.Rbrace, "}")
	p.keep = !p.keep
}

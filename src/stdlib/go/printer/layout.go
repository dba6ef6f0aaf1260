package printer

// This file holds how parts of a node follow each other: in rows, or with commas between them.

import (
	"go/ast"
	"go/token"
	"math"
)

// turn ends as many lines as there are from here to line in the source, but least at least and one
// empty line at most; columns end too if apart. What is in first goes before them. It returns how
// many these are, and more than 1 if columns end.
func (p *printer) turn(line, least int, first string, apart bool) int {
	n := max(few(line-p.pos.Line), least)
	if n <= 0 {
		return 0
	}
	p.gap(first)
	if !apart {
		p.gap("\n\n"[:n])
		return n
	}
	p.gap("\f\n"[:n])
	return n + 1
}

// rows are things on lines of their own, in columns. Those of a row end behind one that takes
// several lines.
type rows struct {
	p     *printer
	outer int // the row that they are in
	begun bool
	loose bool // do columns end behind each?
}

func (p *printer) newRows() rows { return rows{p: p, outer: p.row} }

// next begins a row, which stands at pos.
func (r *rows) next(pos token.Pos) {
	if r.begun {
		r.p.turn(r.p.lineOf(pos), 1, "", r.loose || r.p.line > r.p.row)
	}
	r.begun, r.p.watched = true, true
}

func (r *rows) end() { r.p.row = r.outer }

// series are things with commas between them. Their line ends stay; what is behind the first of
// them is indented, unless everything is.
type series struct {
	p     *printer
	line  int  // of the source, behind which the next thing turns; 0 if it never does
	n     int  // how many there were
	hung  bool // is what follows indented by the series?
	never bool // is it not to be?
}

// next begins the thing at pos. It says whether that is on a line behind that of the series, and
// as turn does how many lines ended.
func (s *series) next(pos token.Pos, apart bool) (behind bool, ends int) {
	p := s.p
	line := p.lineOf(pos)
	behind = 0 < s.line && s.line < line
	if s.n > 0 {
		if !behind {
			p.moveTo(pos)
		}
		p.mark(",")
	}
	if behind {
		ends = p.turn(line, 0, s.lead(), apart)
	}
	if ends > 0 {
		s.hung = !s.never
	} else if s.n > 0 {
		p.gap(" ")
	}
	s.n++
	return behind, ends
}

// lead is what goes before a line end.
func (s *series) lead() string {
	if s.hung || s.never {
		return ""
	}
	return ">"
}

// end takes the margin back.
func (s *series) end() {
	if s.hung {
		s.p.gap("<")
	}
}

// filtered is what stands for fields that were taken out of a tree.
const filtered = "contains filtered or unexported fields"

// list is expressions with commas between them.
type list struct {
	exprs    []ast.Expr
	depth    int
	from, to token.Pos // of the tokens around it, if there are any
	comma    bool      // is there a comma behind the last one if a line end follows?
	flush    bool      // are all lines indented as the first one?
	cut      bool      // were expressions taken out?
}

// exprs prints a list, with the line ends of the source.
func (p *printer) exprs(l list) {
	n := len(l.exprs)
	open, end := p.lineOf(l.from), p.lineOf(l.to)
	switch {
	case n == 0 && !l.cut:
	case n == 0 && open > 0 && open == end:
		p.remark("/* " + filtered + " */")
	case n == 0:
		p.gap("\n>")
		p.remark("// " + filtered)
		p.gap("<\n")
	case open > 0 && open == p.lineOf(l.exprs[0].Pos()) && open == p.lineOf(l.exprs[n-1].End()):
		for i, x := range l.exprs {
			if i > 0 {
				p.markAt(x.Pos(), ", ")
			}
			p.nested(x, l.depth)
		}
		if l.cut {
			p.mark(", ")
			p.remark("/* " + filtered + " */")
		}
	default:
		p.spreadExprs(l, open, end)
	}
}

// spreadExprs prints a list which may have several lines, between tokens on lines open and end.
func (p *printer) spreadExprs(l list, open, end int) {
	// A tree that was made has no lines; an expression alone stands above no other.
	several := len(l.exprs) > 1
	aligned := several && open > 0 && end > 0
	s := series{p: p, line: open, never: l.flush}
	var keys widths
	turned := false // did the last expression begin a line?
	for _, x := range l.exprs {
		if p.over {
			return
		}
		pair, _ := x.(*ast.KeyValueExpr)
		size := 0
		if aligned {
			size = p.width(x, pair)
		}
		apart := keys.part(size)
		// Columns go through lines of one expression each.
		behind, ends := s.next(x.Pos(), apart || !turned)
		turned = ends > 0
		if ends > 1 {
			keys.forget()
		}
		if several && pair != nil && size > 0 && behind {
			p.expr(pair.Key)
			p.markAt(pair.Colon, ":")
			p.gap("\v")
			p.expr(pair.Value)
		} else {
			p.nested(x, l.depth)
		}
		keys.add(size)
		s.line = p.lineOf(x.Pos())
	}

	closes := l.comma && end > 0 && p.pos.Line < end
	if closes || l.cut {
		p.mark(",")
	}
	if l.cut {
		p.gap("\n")
		p.remark("// " + filtered)
		if !closes {
			p.gap("\n")
		}
	}
	s.end()
	if closes {
		p.gap("\f")
	}
}

// names prints identifiers; those on other lines than the first are indented, if indented says so.
func (p *printer) names(idents []*ast.Ident, indented bool) {
	if len(idents) == 1 {
		p.expr(idents[0])
		return
	}
	l := list{exprs: make([]ast.Expr, len(idents)), depth: 1, flush: !indented}
	for i, x := range idents {
		l.exprs[i] = x
	}
	p.exprs(l)
}

// width returns the size of an expression, or of its key if it is a pair; 0 if the expression needs
// several lines.
func (p *printer) width(x ast.Expr, pair *ast.KeyValueExpr) int {
	size := p.size(x, widest)
	if size <= widest && pair != nil {
		size = p.size(pair.Key, widest)
	}
	if size > widest {
		return 0
	}
	return size
}

// widest is more than any line is wide.
const widest = 1_000_000

// widths are those of expressions of a list, or of their keys, that are on lines above each other.
type widths struct {
	last int
	logs float64 // the sum of their logarithms
	n    int
}

// part says whether columns end before the next expression, whose width is 0 if it is not on one
// line: if that is much wider than the mean of those before, or much less wide. It becomes the
// last.
func (w *widths) part(size int) bool {
	const small, much = 40, 2.5
	last := w.last
	w.last = size
	if last <= 0 || size <= 0 {
		return true
	}
	if w.n == 0 || last <= small && size <= small {
		return false
	}
	ratio := float64(size) / exp2(w.logs/float64(w.n))
	return much*ratio <= 1 || much <= ratio
}

func (w *widths) add(size int) {
	if size > 0 {
		w.logs += log2(float64(size))
		w.n++
	}
}

func (w *widths) forget() { w.logs, w.n = 0, 0 }

// exp2 undoes log2.
func exp2(x float64) float64 {
	whole := math.Floor(x)
	return math.Ldexp(1+(x-whole), int(whole))
}

// log2 is the logarithm to base 2 between powers of which it is linear, which is the same on every
// machine.
func log2(x float64) float64 {
	fraction, exp := math.Frexp(x)
	return 2*(fraction-1) + float64(exp)
}

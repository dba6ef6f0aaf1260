package printer

import (
	"go/ast"
	"go/token"
	"math"
)

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

// names prints identifiers; those on other lines than the first are indented, if indented says so.
func (p *printer) names(idents []*ast.Ident, indented bool) {
	l := list{depth: 1, flush: !indented}
	for _, x := range idents {
		l.exprs = append(l.exprs, x)
	}
	p.exprs(l)
}

// exprs prints a list, with the line ends of the source.
func (p *printer) exprs(l list) {
	from, to := p.place(l.from), p.place(l.to)
	if len(l.exprs) == 0 {
		if l.cut {
			p.onlyFiltered(from.IsValid() && from.Line == to.Line)
		}
		return
	}
	line := p.lineOf(l.exprs[0].Pos())
	if from.IsValid() && from.Line == line &&
		line == p.lineOf(l.exprs[len(l.exprs)-1].End()) {
		p.exprsOnLine(l)
		return
	}

	before := none // what indents the lines behind the first line end
	if !l.flush {
		before = in
	}
	broken := -1 // the last expression with a line end before it
	if from.IsValid() && from.Line < line && p.lineBreak(line, 0, before, true) > 0 {
		before = none
		broken = 0
	}
	// A tree that was made has no lines; an expression alone stands above no other.
	aligned := from.IsValid() && to.IsValid() && len(l.exprs) > 1
	var keys widths
	prev := from.Line
	for i, x := range l.exprs {
		line := p.lineOf(x.Pos())
		pair, _ := x.(*ast.KeyValueExpr)
		size := 0
		if aligned {
			size = p.width(x, pair)
		}
		apart := keys.part(size)
		needsLine := 0 < prev && prev < line
		if i > 0 {
			if !needsLine {
				p.moveTo(x.Pos())
			}
			p.token(token.COMMA)
			n := 0
			if needsLine {
				n = p.lineBreak(line, 0, before, apart || broken+1 < i)
			}
			if n > 0 {
				before = none
				broken = i
			} else {
				p.gap(blank)
			}
			if n > 1 {
				keys.forget()
			}
		}
		if len(l.exprs) > 1 && pair != nil && size > 0 && needsLine {
			p.expr(pair.Key)
			p.tokenAt(pair.Colon, token.COLON)
			p.gap(cell)
			p.expr(pair.Value)
		} else {
			p.nested(x, l.depth)
		}
		keys.add(size)
		prev = line
	}

	indented := before == none && !l.flush
	if l.comma && to.IsValid() && p.pos.Line < to.Line {
		p.token(token.COMMA)
		if l.cut {
			p.gap(newline)
			p.note("// " + filtered)
		}
		if indented {
			p.gap(out)
		}
		p.gap(section)
		return
	}
	if l.cut {
		p.token(token.COMMA)
		p.gap(newline)
		p.note("// " + filtered)
		p.gap(newline)
	}
	if indented {
		p.gap(out)
	}
}

// width returns the size of an expression, or of its key if it is a pair; 0 if the expression needs
// several lines.
func (p *printer) width(x ast.Expr, pair *ast.KeyValueExpr) int {
	size := p.size(x, endOfLine)
	if size > endOfLine {
		return 0
	}
	if pair != nil {
		return p.size(pair.Key, endOfLine)
	}
	return size
}

// onlyFiltered prints what stands for a list of which nothing is left.
func (p *printer) onlyFiltered(oneLine bool) {
	if oneLine {
		p.note("/* " + filtered + " */")
		return
	}
	p.gap(newline)
	p.gap(in)
	p.note("// " + filtered)
	p.gap(out)
	p.gap(newline)
}

func (p *printer) exprsOnLine(l list) {
	for i, x := range l.exprs {
		if i > 0 {
			p.tokenAt(x.Pos(), token.COMMA)
			p.gap(blank)
		}
		p.nested(x, l.depth)
	}
	if l.cut {
		p.token(token.COMMA)
		p.gap(blank)
		p.note("/* " + filtered + " */")
	}
}

// endOfLine is more than any line is wide.
const endOfLine = 1_000_000

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

// log2 is the logarithm to base 2 between powers of which it is linear, which is the same on every
// machine.
func log2(x float64) float64 {
	f, e := math.Frexp(x)
	return float64(e) + 2*(f-1)
}

// exp2 undoes log2.
func exp2(x float64) float64 {
	whole := math.Floor(x)
	return math.Ldexp(1+(x-whole), int(whole))
}

// kindOf says of what parameters are.
type kindOf int

const (
	ofFunc       kindOf = iota // in parentheses
	typesOfFunc                // in brackets
	typesOfTypes               // in brackets, which could begin an array's type
)

func (p *printer) params(l *ast.FieldList, kind kindOf) {
	left, right := token.LPAREN, token.RPAREN
	if kind != ofFunc {
		left, right = token.LBRACK, token.RBRACK
	}
	p.tokenAt(l.Opening, left)
	if len(l.List) > 0 {
		p.paramList(l, kind)
	}
	p.tokenAt(l.Closing, right)
}

func (p *printer) paramList(l *ast.FieldList, kind kindOf) {
	prev := p.lineOf(l.Opening)
	before := in
	for i, field := range l.List {
		first, last := p.lineOf(field.Pos()), p.lineOf(field.End())
		needsLine := 0 < prev && prev < first
		if i > 0 {
			if !needsLine {
				p.moveTo(field.Pos())
			}
			p.token(token.COMMA)
		}
		if needsLine && p.lineBreak(first, 0, before, true) > 0 {
			before = none
		} else if i > 0 {
			p.gap(blank)
		}
		if len(field.Names) > 0 {
			p.names(field.Names, before == in)
			p.gap(blank)
		}
		p.expr(unparen(field.Type))
		prev = last
	}
	if end := p.lineOf(l.Closing); 0 < prev && prev < end {
		p.token(token.COMMA)
		p.lineBreak(end, 0, none, true)
	} else if kind == typesOfTypes && l.NumFields() == 1 && isFactor(unparen(l.List[0].Type)) {
		// `[P *T]` is an array's length, `[P *T,]` is not.
		p.token(token.COMMA)
	}
	if before == none {
		p.gap(out)
	}
}

// isFactor says whether a name and x behind it can be read as an expression.
func isFactor(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.StarExpr:
		return !isElem(x.X)
	case *ast.BinaryExpr:
		return isFactor(x.X) && !isElem(x.Y)
	case *ast.ParenExpr:
		return !isElem(x.X)
	}
	return false
}

// isElem says whether x can only be a type, or a constraint.
func isElem(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType,
		*ast.ChanType:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.TILDE
	case *ast.BinaryExpr:
		return isElem(x.X) || isElem(x.Y)
	case *ast.ParenExpr:
		return isElem(x.X)
	}
	return false
}

func (p *printer) signature(x *ast.FuncType) {
	if x.TypeParams != nil {
		p.params(x.TypeParams, typesOfFunc)
	}
	if x.Params != nil {
		p.params(x.Params, ofFunc)
	} else {
		p.token(token.LPAREN)
		p.token(token.RPAREN)
	}
	n := x.Results.NumFields()
	if n == 0 {
		return
	}
	p.gap(blank)
	if n == 1 && x.Results.List[0].Names == nil {
		p.expr(unparen(x.Results.List[0].Type))
		return
	}
	p.params(x.Results, ofFunc)
}

// fields prints the fields of a struct, or what an interface has; cut, if some were taken out.
func (p *printer) fields(l *ast.FieldList, ofStruct, cut bool) {
	commented := cut || p.hasCommentBefore(p.place(l.Closing))
	oneLine := l.Opening.IsValid() && l.Closing.IsValid() &&
		p.lineOf(l.Opening) == p.lineOf(l.Closing)
	if !commented && oneLine {
		if len(l.List) == 0 {
			p.tokenAt(l.Opening, token.LBRACE)
			p.tokenAt(l.Closing, token.RBRACE)
			return
		}
		if p.isShort(l.List) {
			p.shortFields(l, ofStruct)
			return
		}
	}
	p.gap(blank)
	p.tokenAt(l.Opening, token.LBRACE)
	p.gap(in)
	if commented || len(l.List) > 0 {
		p.gap(section)
	}
	missing := "// contains filtered or unexported methods"
	if ofStruct {
		missing = "// " + filtered
		p.structFields(l.List)
	} else {
		p.methods(l.List)
	}
	if cut {
		if len(l.List) > 0 {
			p.gap(section)
		}
		p.flush(p.place(l.Closing), token.RBRACE)
		p.commentText(missing)
	}
	p.gap(out)
	p.gap(section)
	p.tokenAt(l.Closing, token.RBRACE)
}

// isShort says whether there is one field, without tag and comment, that fits between braces.
func (p *printer) isShort(list []*ast.Field) bool {
	const most = 30
	if len(list) != 1 || list[0].Tag != nil || list[0].Comment != nil {
		return false
	}
	// Names count as one blank, however long they are.
	size := 0
	if names := list[0].Names; len(names) > 1 || len(names) == 1 && names[0].Name != "" {
		size = 1
	}
	return size+p.size(list[0].Type, most) <= most
}

func (p *printer) shortFields(l *ast.FieldList, ofStruct bool) {
	p.tokenAt(l.Opening, token.LBRACE)
	p.gap(blank)
	field := l.List[0]
	if ofStruct {
		for i, name := range field.Names {
			if i > 0 {
				p.token(token.COMMA)
				p.gap(blank)
			}
			p.expr(name)
		}
		if len(field.Names) > 0 {
			p.gap(blank)
		}
		p.expr(field.Type)
	} else {
		p.method(field)
	}
	p.gap(blank)
	p.tokenAt(l.Closing, token.RBRACE)
}

// method prints a method, or what is embedded in an interface.
func (p *printer) method(field *ast.Field) {
	if len(field.Names) == 0 {
		p.expr(field.Type)
		return
	}
	p.expr(field.Names[0])
	p.signature(field.Type.(*ast.FuncType))
}

// structFields prints fields with columns for their names, types, tags and comments. A single one
// has no columns.
func (p *printer) structFields(list []*ast.Field) {
	sep := cell
	if len(list) == 1 {
		sep = blank
	}
	line := 0
	for i, field := range list {
		if i > 0 {
			p.lineBreak(p.lineOf(field.Pos()), 1, none, p.line > line)
		}
		p.comment(field.Doc)
		p.start = &line
		left := 2 // columns before the comment
		if len(field.Names) > 0 {
			p.names(field.Names, false)
			p.gap(sep)
			left = 1
		}
		p.expr(field.Type)
		if field.Tag != nil {
			if len(field.Names) > 0 && sep == cell {
				p.gap(sep)
			}
			p.gap(sep)
			p.expr(field.Tag)
			left = 0
		}
		if field.Comment != nil {
			for range left {
				p.gap(sep)
			}
			p.comment(field.Comment)
		}
	}
}

func (p *printer) methods(list []*ast.Field) {
	line := 0
	for i, field := range list {
		if i > 0 {
			p.lineBreak(p.lineOf(field.Pos()), 1, none, p.line > line)
		}
		p.comment(field.Doc)
		p.start = &line
		p.method(field)
		p.comment(field.Comment)
	}
}

package parser

import (
	"go/ast"
	"go/token"
)

// expr takes an expression.
func (p *parser) expr() ast.Expr {
	p.begin("Expression")
	x := p.binaryExpr(nil, token.LowestPrec+1)
	p.end()
	return x
}

// rhs takes an expression where `=` cannot assign.
func (p *parser) rhs() ast.Expr {
	before := p.comparing
	p.comparing = true
	x := p.expr()
	p.comparing = before
	return x
}

// exprs takes a list of expressions; comparing says whether `=` cannot assign there.
func (p *parser) exprs(comparing bool) []ast.Expr {
	before := p.comparing
	p.comparing = comparing
	p.begin("ExpressionList")
	list := commas(p, (*parser).expr)
	p.end()
	p.comparing = before
	return list
}

// within takes an expression that brackets enclose, where composite literals are at home.
func (p *parser) within(element func(*parser) ast.Expr) ast.Expr {
	p.heads++
	x := element(p)
	p.heads--
	return x
}

// binaryExpr takes operators that bind at least so tightly, and their operands. The first may be
// taken already.
func (p *parser) binaryExpr(x ast.Expr, floor int) ast.Expr {
	p.begin("BinaryExpr")
	depth := p.depth
	if x == nil {
		x = p.unaryExpr()
	}
	for {
		p.deeper()
		op := p.tok
		if op == token.ASSIGN && p.comparing {
			op = token.EQL
		}
		binds := op.Precedence()
		if binds < floor {
			break
		}
		b := &ast.BinaryExpr{X: x, Op: op, OpPos: p.expect(op)}
		b.Y = p.binaryExpr(nil, binds+1)
		x = b
	}
	p.depth = depth
	p.end()
	return x
}

func (p *parser) unaryExpr() (x ast.Expr) {
	p.deeper()
	p.begin("UnaryExpr")
	if !p.at(prefix) {
		x = p.primaryExpr(nil)
	} else {
		op := p.tok
		x = prefixed(p, op, p.skip())
	}
	p.end()
	p.depth--
	return x
}

// prefixed takes the operand of a unary operator.
func prefixed(p *parser, op token.Token, pos token.Pos) ast.Expr {
	x := p.unaryExpr()
	if op == token.MUL {
		return &ast.StarExpr{Star: pos, X: x}
	}
	if t, ok := x.(*ast.ChanType); ok && op == token.ARROW {
		p.receiveType(pos, t)
		return t
	}
	return &ast.UnaryExpr{OpPos: pos, Op: op, X: x}
}

// receiveType gives the arrow before a channel type to it: `<-(chan T)` was meant as
// `(<-chan T)`, and `<-(chan<- T)` as `(<-chan (<-T))`, where T must be a channel as well.
func (p *parser) receiveType(arrow token.Pos, t *ast.ChanType) {
	for {
		own, dir := t.Arrow, t.Dir
		if dir == ast.RECV {
			p.expected(own, "'chan'")
		}
		t.Begin, t.Arrow, t.Dir = arrow, arrow, ast.RECV
		if dir != ast.SEND {
			return
		}
		arrow = own
		inner, ok := t.Value.(*ast.ChanType)
		if !ok {
			p.expected(arrow, "channel type")
			return
		}
		t = inner
	}
}

// primaryExpr takes an operand, unless it is taken already, and what applies to it.
func (p *parser) primaryExpr(x ast.Expr) ast.Expr {
	p.begin("PrimaryExpr")
	depth := p.depth
	if x == nil {
		x = p.operand()
	}
	for p.deeper(); p.at(suffix); p.deeper() {
		longer := p.applied(x)
		if longer == nil {
			break
		}
		x = longer
	}
	p.depth = depth
	p.end()
	return x
}

// applied takes what the current token applies to x; nil if that is a brace which belongs to
// something else.
func (p *parser) applied(x ast.Expr) ast.Expr {
	switch p.tok {
	case token.LPAREN:
		return p.call(x)
	case token.LBRACK:
		return p.brackets(x)
	case token.LBRACE:
		t := ast.Unparen(x)
		if !p.opensLiteral(t) {
			return nil
		}
		if t != x {
			p.error(t.Pos(), "cannot parenthesize type in composite literal")
		}
		return p.literalValue(x)
	}
	p.next()
	switch p.tok {
	case token.IDENT:
		p.begin("Selector")
		x = &ast.SelectorExpr{X: x, Sel: p.ident()}
		p.end()
	case token.LPAREN:
		p.begin("TypeAssertion")
		t := &ast.TypeAssertExpr{X: x, Lparen: p.skip()}
		if !p.take(token.TYPE) {
			t.Type = p.typ()
		}
		t.Rparen = p.expect(token.RPAREN)
		x = t
		p.end()
	default:
		x = &ast.SelectorExpr{X: x, Sel: &ast.Ident{NamePos: p.pos, Name: "_"}}
		p.expected(p.pos, "selector or type assertion")
		if p.tok != token.RBRACE {
			p.next()
		}
	}
	return x
}

// opensLiteral says whether a brace behind t begins a literal. Behind what could be a name it
// begins a block instead if the statement at work has one.
func (p *parser) opensLiteral(t ast.Expr) bool {
	switch t.(type) {
	case *ast.StructType, *ast.ArrayType, *ast.MapType:
		return true
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.BadExpr:
		return p.heads >= 0
	}
	return false
}

func (p *parser) operand() (x ast.Expr) {
	p.begin("Operand")
	switch {
	case p.tok == token.IDENT:
		x = p.ident()
	case p.at(literal):
		x = p.basicLit()
	case p.tok == token.LPAREN:
		paren := &ast.ParenExpr{Lparen: p.skip()}
		paren.X = p.within((*parser).rhs)
		paren.Rparen = p.expect(token.RPAREN)
		x = paren
	case p.tok == token.FUNC:
		x = p.funcTypeOrLit()
	default:
		if x = p.maybeType(); x == nil {
			x = p.bad("operand", syncStmt)
		}
	}
	p.end()
	return x
}

func (p *parser) basicLit() *ast.BasicLit {
	x := &ast.BasicLit{Kind: p.tok, Value: p.lit, ValuePos: p.pos, ValueEnd: p.scanner.End()}
	p.next()
	return x
}

func (p *parser) funcTypeOrLit() (x ast.Expr) {
	p.begin("FuncTypeOrLit")
	t := p.funcType()
	x = t
	if p.tok == token.LBRACE {
		p.heads++
		x = &ast.FuncLit{Type: t, Body: p.block("Body")}
		p.heads--
	}
	p.end()
	return x
}

// brackets takes what applies to x in brackets: an index, type arguments, or a slice's bounds.
func (p *parser) brackets(x ast.Expr) ast.Expr {
	p.begin("parseIndexOrSliceOrInstance")
	lbrack := p.skip()
	if p.tok == token.RBRACK {
		p.expected(p.pos, "operand")
		none := &ast.BadExpr{From: p.pos, To: p.pos}
		x = &ast.IndexExpr{X: x, Lbrack: lbrack, Index: none, Rbrack: p.skip()}
		p.end()
		return x
	}
	p.heads++
	var first ast.Expr
	if p.tok != token.COLON {
		first = p.rhs()
	}
	if p.tok == token.COLON {
		x = p.bounds(&ast.SliceExpr{X: x, Lbrack: lbrack, Low: first})
	} else {
		list := []ast.Expr{first}
		for p.take(token.COMMA) {
			if p.tok != token.RBRACK && p.tok != token.EOF {
				list = append(list, p.typ())
			}
		}
		p.heads--
		x = indexed(x, lbrack, list, p.expect(token.RBRACK))
	}
	p.end()
	return x
}

// bounds takes a slice expression from its first colon on.
func (p *parser) bounds(s *ast.SliceExpr) *ast.SliceExpr {
	var colons []token.Pos
	for _, bound := range [...]*ast.Expr{&s.High, &s.Max} {
		if p.tok != token.COLON {
			break
		}
		colons = append(colons, p.skip())
		switch p.tok {
		case token.EOF, token.COLON, token.RBRACK:
		default:
			*bound = p.rhs()
		}
	}
	p.heads--
	s.Rbrack = p.expect(token.RBRACK)
	if s.Slice3 = len(colons) == 2; s.Slice3 {
		p.required(&s.High, "middle", colons[0], colons[1])
		p.required(&s.Max, "final", colons[1], s.Rbrack)
	}
	return s
}

// required notes that a bound between two places is missing, if it is.
func (p *parser) required(bound *ast.Expr, which string, left, right token.Pos) {
	if *bound == nil {
		p.error(left, which+" index required in 3-index slice")
		*bound = &ast.BadExpr{From: left + 1, To: right}
	}
}

// indexed returns x[list…].
func indexed(x ast.Expr, lbrack token.Pos, list []ast.Expr, rbrack token.Pos) ast.Expr {
	if len(list) > 1 {
		return &ast.IndexListExpr{X: x, Lbrack: lbrack, Indices: list, Rbrack: rbrack}
	}
	return &ast.IndexExpr{X: x, Lbrack: lbrack, Index: list[0], Rbrack: rbrack}
}

func (p *parser) call(f ast.Expr) *ast.CallExpr {
	p.begin("CallOrConversion")
	c := &ast.CallExpr{Fun: f, Lparen: p.skip()}
	p.heads++
	p.until(token.RPAREN, "argument list", func() bool {
		c.Args = append(c.Args, p.rhs())
		if p.tok == token.ELLIPSIS {
			c.Ellipsis = p.skip()
		}
		return c.Ellipsis == token.NoPos
	})
	p.heads--
	c.Rparen = p.expectClosing(token.RPAREN, "argument list")
	p.end()
	return c
}

// literalValue takes the braces of a composite literal of type t, and what is in them.
func (p *parser) literalValue(t ast.Expr) ast.Expr {
	p.deeper()
	p.begin("LiteralValue")
	x := &ast.CompositeLit{Type: t, Lbrace: p.skip()}
	p.heads++
	if p.tok != token.RBRACE {
		p.begin("ElementList")
		p.until(token.RBRACE, "composite literal", func() bool {
			p.begin("Element")
			e := p.elementPart()
			if p.tok == token.COLON {
				e = &ast.KeyValueExpr{Key: e, Colon: p.skip(), Value: p.elementPart()}
			}
			x.Elts = append(x.Elts, e)
			p.end()
			return true
		})
		p.end()
	}
	p.heads--
	x.Rbrace = p.expectClosing(token.RBRACE, "composite literal")
	p.end()
	p.depth--
	return x
}

// elementPart takes what can be a key or a value in a composite literal.
func (p *parser) elementPart() (x ast.Expr) {
	p.begin("Element")
	if p.tok == token.LBRACE {
		x = p.literalValue(nil)
	} else {
		x = p.expr()
	}
	p.end()
	return x
}

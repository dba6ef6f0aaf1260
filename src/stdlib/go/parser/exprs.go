package parser

import (
	"go/ast"
	"go/token"
)

func (p *parser) basicLit() *ast.BasicLit {
	x := &ast.BasicLit{ValuePos: p.pos, ValueEnd: p.scanner.End(), Kind: p.tok, Value: p.lit}
	p.next()
	return x
}

func (p *parser) funcTypeOrLit() ast.Expr {
	if p.trace {
		defer p.enter("FuncTypeOrLit")()
	}
	t := p.funcType()
	if p.tok != token.LBRACE {
		return t
	}
	p.level++
	body := p.block("Body")
	p.level--
	return &ast.FuncLit{Type: t, Body: body}
}

func (p *parser) operand() ast.Expr {
	if p.trace {
		defer p.enter("Operand")()
	}
	switch p.tok {
	case token.IDENT:
		return p.ident()
	case token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING:
		return p.basicLit()
	case token.LPAREN:
		x := &ast.ParenExpr{Lparen: p.expect(token.LPAREN)}
		p.level++
		x.X = p.rhs()
		p.level--
		x.Rparen = p.expect(token.RPAREN)
		return x
	case token.FUNC:
		return p.funcTypeOrLit()
	}
	if t := p.maybeType(); t != nil {
		return t
	}
	return p.bad("operand", statements)
}

func (p *parser) selector(x ast.Expr) ast.Expr {
	if p.trace {
		defer p.enter("Selector")()
	}
	return &ast.SelectorExpr{X: x, Sel: p.ident()}
}

func (p *parser) typeAssertion(x ast.Expr) ast.Expr {
	if p.trace {
		defer p.enter("TypeAssertion")()
	}
	t := &ast.TypeAssertExpr{X: x, Lparen: p.expect(token.LPAREN)}
	if p.tok == token.TYPE {
		p.next()
	} else {
		t.Type = p.typ()
	}
	t.Rparen = p.expect(token.RPAREN)
	return t
}

// brackets takes an index, a slice expression, or type arguments.
func (p *parser) brackets(x ast.Expr) ast.Expr {
	if p.trace {
		defer p.enter("parseIndexOrSliceOrInstance")()
	}
	lbrack := p.expect(token.LBRACK)
	if p.tok == token.RBRACK {
		p.expected(p.pos, "operand")
		pos := p.pos
		p.next()
		return &ast.IndexExpr{
			X: x, Lbrack: lbrack, Index: &ast.BadExpr{From: pos, To: pos}, Rbrack: pos,
		}
	}
	p.level++
	var index [3]ast.Expr
	var colons []token.Pos
	if p.tok != token.COLON {
		index[0] = p.rhs()
	}
	list := []ast.Expr{index[0]}
	if p.tok == token.COMMA {
		for p.tok == token.COMMA {
			p.next()
			if p.tok != token.RBRACK && p.tok != token.EOF {
				list = append(list, p.typ())
			}
		}
	} else {
		for p.tok == token.COLON && len(colons) < 2 {
			colons = append(colons, p.pos)
			p.next()
			if p.tok != token.COLON && p.tok != token.RBRACK && p.tok != token.EOF {
				index[len(colons)] = p.rhs()
			}
		}
	}
	p.level--
	rbrack := p.expect(token.RBRACK)
	if len(colons) == 0 {
		return indexed(x, lbrack, list, rbrack)
	}
	if len(colons) == 2 {
		if index[1] == nil {
			p.error(colons[0], "middle index required in 3-index slice")
			index[1] = &ast.BadExpr{From: colons[0] + 1, To: colons[1]}
		}
		if index[2] == nil {
			p.error(colons[1], "final index required in 3-index slice")
			index[2] = &ast.BadExpr{From: colons[1] + 1, To: rbrack}
		}
	}
	return &ast.SliceExpr{
		X: x, Lbrack: lbrack, Low: index[0], High: index[1], Max: index[2],
		Slice3: len(colons) == 2, Rbrack: rbrack,
	}
}

func (p *parser) call(fun ast.Expr) *ast.CallExpr {
	if p.trace {
		defer p.enter("CallOrConversion")()
	}
	c := &ast.CallExpr{Fun: fun, Lparen: p.expect(token.LPAREN)}
	p.level++
	for p.tok != token.RPAREN && p.tok != token.EOF && !c.Ellipsis.IsValid() {
		c.Args = append(c.Args, p.rhs())
		if p.tok == token.ELLIPSIS {
			c.Ellipsis = p.pos
			p.next()
		}
		if !p.comma("argument list", token.RPAREN) {
			break
		}
		p.next()
	}
	p.level--
	c.Rparen = p.expectClosing(token.RPAREN, "argument list")
	return c
}

// value takes what can be a key or a value in a composite literal.
func (p *parser) value() ast.Expr {
	if p.trace {
		defer p.enter("Element")()
	}
	if p.tok == token.LBRACE {
		return p.literalValue(nil)
	}
	return p.expr()
}

func (p *parser) element() ast.Expr {
	if p.trace {
		defer p.enter("Element")()
	}
	x := p.value()
	if p.tok != token.COLON {
		return x
	}
	colon := p.pos
	p.next()
	return &ast.KeyValueExpr{Key: x, Colon: colon, Value: p.value()}
}

func (p *parser) elementList() (list []ast.Expr) {
	if p.trace {
		defer p.enter("ElementList")()
	}
	for p.tok != token.RBRACE && p.tok != token.EOF {
		list = append(list, p.element())
		if !p.comma("composite literal", token.RBRACE) {
			break
		}
		p.next()
	}
	return list
}

func (p *parser) literalValue(t ast.Expr) ast.Expr {
	p.deeper()
	if p.trace {
		defer p.enter("LiteralValue")()
	}
	x := &ast.CompositeLit{Type: t, Lbrace: p.expect(token.LBRACE)}
	p.level++
	if p.tok != token.RBRACE {
		x.Elts = p.elementList()
	}
	p.level--
	x.Rbrace = p.expectClosing(token.RBRACE, "composite literal")
	p.depth--
	return x
}

// primaryExpr takes an operand, unless it is taken already, and what applies to it.
func (p *parser) primaryExpr(x ast.Expr) ast.Expr {
	if p.trace {
		defer p.enter("PrimaryExpr")()
	}
	if x == nil {
		x = p.operand()
	}
	for n := 1; ; n++ {
		p.deeper()
		switch p.tok {
		case token.PERIOD:
			p.next()
			switch p.tok {
			case token.IDENT:
				x = p.selector(x)
			case token.LPAREN:
				x = p.typeAssertion(x)
			default:
				pos := p.pos
				p.expected(pos, "selector or type assertion")
				if p.tok != token.RBRACE {
					p.next()
				}
				x = &ast.SelectorExpr{X: x, Sel: &ast.Ident{NamePos: pos, Name: "_"}}
			}
		case token.LBRACK:
			x = p.brackets(x)
		case token.LPAREN:
			x = p.call(x)
		case token.LBRACE:
			t := ast.Unparen(x)
			switch t.(type) {
			case *ast.BadExpr, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
				if p.level < 0 {
					p.depth -= n
					return x // the brace begins a block
				}
			case *ast.ArrayType, *ast.StructType, *ast.MapType:
			default:
				p.depth -= n
				return x
			}
			if t != x {
				p.error(t.Pos(), "cannot parenthesize type in composite literal")
			}
			x = p.literalValue(x)
		default:
			p.depth -= n
			return x
		}
	}
}

func (p *parser) unaryExpr() ast.Expr {
	p.deeper()
	x := p.unary()
	p.depth--
	return x
}

func (p *parser) unary() ast.Expr {
	if p.trace {
		defer p.enter("UnaryExpr")()
	}
	pos, op := p.pos, p.tok
	switch op {
	case token.ADD, token.SUB, token.NOT, token.XOR, token.AND, token.TILDE:
		p.next()
		return &ast.UnaryExpr{OpPos: pos, Op: op, X: p.unaryExpr()}
	case token.MUL:
		p.next()
		return &ast.StarExpr{Star: pos, X: p.unaryExpr()}
	case token.ARROW:
		p.next()
		x := p.unaryExpr()
		if t, ok := x.(*ast.ChanType); ok {
			p.receiveType(pos, t)
			return x
		}
		return &ast.UnaryExpr{OpPos: pos, Op: op, X: x}
	}
	return p.primaryExpr(nil)
}

// receiveType gives the arrow before a channel type to it: `<-(chan T)` was meant as
// `(<-chan T)`, and `<-(chan<- T)` as `(<-chan (<-T))`.
func (p *parser) receiveType(arrow token.Pos, t *ast.ChanType) {
	dir := ast.SEND
	for t != nil && dir == ast.SEND {
		if t.Dir == ast.RECV {
			p.expected(t.Arrow, "'chan'")
		}
		dir = t.Dir
		t.Dir = ast.RECV
		next := t.Arrow
		t.Begin, t.Arrow = arrow, arrow
		arrow = next
		t, _ = t.Value.(*ast.ChanType)
	}
	if dir == ast.SEND {
		p.expected(arrow, "channel type")
	}
}

// binaryExpr takes operators that bind at least so tightly, and their operands, of which the
// first may be taken already.
func (p *parser) binaryExpr(x ast.Expr, least int) ast.Expr {
	if p.trace {
		defer p.enter("BinaryExpr")()
	}
	if x == nil {
		x = p.unaryExpr()
	}
	for n := 1; ; n++ {
		p.deeper()
		op := p.tok
		if p.inRhs && op == token.ASSIGN {
			op = token.EQL
		}
		prec := op.Precedence()
		if prec < least {
			p.depth -= n
			return x
		}
		pos := p.expect(op)
		x = &ast.BinaryExpr{X: x, OpPos: pos, Op: op, Y: p.binaryExpr(nil, prec+1)}
	}
}

func (p *parser) expr() ast.Expr {
	if p.trace {
		defer p.enter("Expression")()
	}
	return p.binaryExpr(nil, token.LowestPrec+1)
}

// rhs takes an expression where `=` cannot assign.
func (p *parser) rhs() ast.Expr {
	before := p.inRhs
	p.inRhs = true
	x := p.expr()
	p.inRhs = before
	return x
}

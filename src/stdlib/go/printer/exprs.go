package printer

import (
	"go/ast"
	"go/token"
	"strings"
)

// expr prints an expression with blanks around all operators that have any.
func (p *printer) expr(x ast.Expr) { p.nested(x, 1) }

// nested prints an expression in others: the deeper, the fewer blanks.
func (p *printer) nested(x ast.Expr, depth int) { p.operand(x, token.LowestPrec, depth) }

// operand prints an expression, with parentheses if its operator is of a lower precedence.
func (p *printer) operand(x ast.Expr, prec, depth int) {
	p.moveTo(x.Pos())
	switch x := x.(type) {
	case *ast.Ident:
		p.ident(x)
	case *ast.BasicLit:
		if p.Mode&normal != 0 {
			x = normalized(x)
		}
		p.literal(x)
	case *ast.SelectorExpr:
		p.selector(x, depth, false)
	case *ast.CallExpr:
		p.call(x, depth)
	case *ast.BinaryExpr:
		p.binary(x, prec, depth)
	case *ast.UnaryExpr:
		p.unary(x, prec, depth)
	case *ast.StarExpr:
		enclosed := token.UnaryPrec < prec
		if enclosed {
			p.token(token.LPAREN)
		}
		p.token(token.MUL)
		p.expr(x.X)
		if enclosed {
			p.token(token.RPAREN)
		}
	case *ast.KeyValueExpr:
		p.expr(x.Key)
		p.tokenAt(x.Colon, token.COLON)
		p.gap(blank)
		p.expr(x.Value)
	case *ast.CompositeLit:
		p.composite(x, depth)
	case *ast.FuncLit:
		p.tokenAt(x.Type.Pos(), token.FUNC)
		column := p.column - len("func")
		p.signature(x.Type)
		p.funcBody(p.come(x.Type.Pos(), column), blank, x.Body)
	case *ast.ParenExpr:
		if _, double := x.X.(*ast.ParenExpr); double {
			p.nested(x.X, depth)
			break
		}
		p.token(token.LPAREN)
		p.nested(x.X, less(depth))
		p.tokenAt(x.Rparen, token.RPAREN)
	case *ast.TypeAssertExpr:
		p.operand(x.X, token.HighestPrec, depth)
		p.token(token.PERIOD)
		p.tokenAt(x.Lparen, token.LPAREN)
		if x.Type != nil {
			p.expr(x.Type)
		} else {
			p.token(token.TYPE)
		}
		p.tokenAt(x.Rparen, token.RPAREN)
	case *ast.IndexExpr:
		p.operand(x.X, token.HighestPrec, 1)
		p.tokenAt(x.Lbrack, token.LBRACK)
		p.nested(x.Index, depth+1)
		p.tokenAt(x.Rbrack, token.RBRACK)
	case *ast.IndexListExpr:
		p.operand(x.X, token.HighestPrec, 1)
		p.tokenAt(x.Lbrack, token.LBRACK)
		p.exprs(list{exprs: x.Indices, depth: depth + 1, from: x.Lbrack, to: x.Rbrack, comma: true})
		p.tokenAt(x.Rbrack, token.RBRACK)
	case *ast.SliceExpr:
		p.slice(x, depth)
	case *ast.Ellipsis:
		p.token(token.ELLIPSIS)
		if x.Elt != nil {
			p.expr(x.Elt)
		}
	case *ast.BadExpr:
		p.note("BadExpr")
	default:
		p.typeExpr(x)
	}
}

// typeExpr prints what can only be a type.
func (p *printer) typeExpr(x ast.Expr) {
	switch x := x.(type) {
	case *ast.ArrayType:
		p.token(token.LBRACK)
		if x.Len != nil {
			p.expr(x.Len)
		}
		p.token(token.RBRACK)
		p.expr(x.Elt)
	case *ast.StructType:
		p.token(token.STRUCT)
		p.fields(x.Fields, true, x.Incomplete)
	case *ast.FuncType:
		p.token(token.FUNC)
		p.signature(x)
	case *ast.InterfaceType:
		p.token(token.INTERFACE)
		p.fields(x.Methods, false, x.Incomplete)
	case *ast.MapType:
		p.token(token.MAP)
		p.token(token.LBRACK)
		p.expr(x.Key)
		p.token(token.RBRACK)
		p.expr(x.Value)
	case *ast.ChanType:
		switch x.Dir {
		case ast.RECV:
			p.token(token.ARROW)
			p.token(token.CHAN)
		case ast.SEND:
			p.token(token.CHAN)
			p.tokenAt(x.Arrow, token.ARROW)
		case ast.SEND | ast.RECV:
			p.token(token.CHAN)
		}
		p.gap(blank)
		p.expr(x.Value)
	default:
		panic("unreachable")
	}
}

func less(depth int) int { return max(depth-1, 1) }

// traits are what decides on blanks in a binary expression: which of the two higher precedences
// there are, and up to which one a blank keeps an operator from the operand behind it.
type traits struct {
	sums, products bool
	clash          int
}

func (t *traits) add(x *ast.BinaryExpr) {
	prec := x.Op.Precedence()
	switch prec {
	case 4:
		t.sums = true
	case 5:
		t.products = true
	}
	// Operands that get parentheses do not count.
	if left, ok := x.X.(*ast.BinaryExpr); ok && left.Op.Precedence() >= prec {
		t.add(left)
	}
	switch right := x.Y.(type) {
	case *ast.BinaryExpr:
		if right.Op.Precedence() > prec {
			t.add(right)
		}
	case *ast.StarExpr:
		if x.Op == token.QUO {
			t.clash = 5
		}
	case *ast.UnaryExpr:
		switch {
		case x.Op == token.AND && (right.Op == token.AND || right.Op == token.XOR):
			t.clash = 5
		case x.Op == right.Op && (x.Op == token.ADD || x.Op == token.SUB):
			t.clash = max(t.clash, 4)
		}
	}
}

// tightest returns the least precedence that has no blanks.
func tightest(x *ast.BinaryExpr, depth int) int {
	var t traits
	t.add(x)
	switch {
	case t.clash > 0:
		return t.clash + 1
	case depth > 1:
		return 4
	case t.sums && t.products:
		return 5
	}
	return 6
}

// binary prints an expression with an operator. A line end behind the operator stays, and indents
// the other operand.
func (p *printer) binary(x *ast.BinaryExpr, outer, depth int) {
	prec := x.Op.Precedence()
	if prec < outer {
		p.token(token.LPAREN)
		p.nested(x, less(depth))
		p.token(token.RPAREN)
		return
	}
	blanks := prec < tightest(x, depth)
	left := depth + 1
	if y, ok := x.X.(*ast.BinaryExpr); ok && y.Op.Precedence() == prec {
		left = depth
	}
	p.operand(x.X, prec, left)
	if blanks {
		p.gap(blank)
	}
	before, after := p.pos.Line, p.lineOf(x.Y.Pos())
	p.tokenAt(x.OpPos, x.Op)
	indented := before != after && before > 0 && after > 0 && p.lineBreak(after, 1, in, true) > 0
	if blanks && !indented {
		p.gap(blank)
	}
	p.operand(x.Y, prec+1, depth+1)
	if indented {
		p.gap(out)
	}
}

func (p *printer) unary(x *ast.UnaryExpr, prec, depth int) {
	if token.UnaryPrec < prec {
		p.token(token.LPAREN)
		p.expr(x)
		p.token(token.RPAREN)
		return
	}
	p.token(x.Op)
	if x.Op == token.RANGE {
		p.gap(blank)
	}
	p.operand(x.X, token.UnaryPrec, depth)
}

// slice prints a slice expression, with blanks around colons beside operands if there are several
// and one has an operator.
func (p *printer) slice(x *ast.SliceExpr, depth int) {
	p.operand(x.X, token.HighestPrec, 1)
	p.tokenAt(x.Lbrack, token.LBRACK)
	parts := []ast.Expr{x.Low, x.High}
	if x.Max != nil {
		parts = append(parts, x.Max)
	}
	blanks := false
	if depth <= 1 {
		n := 0
		for _, part := range parts {
			if part != nil {
				n++
				_, ok := part.(*ast.BinaryExpr)
				blanks = blanks || ok
			}
		}
		blanks = blanks && n > 1
	}
	for i, part := range parts {
		if i > 0 {
			if blanks && parts[i-1] != nil {
				p.gap(blank)
			}
			p.token(token.COLON)
			if blanks && part != nil {
				p.gap(blank)
			}
		}
		if part != nil {
			p.nested(part, depth+1)
		}
	}
	p.tokenAt(x.Rbrack, token.RBRACK)
}

// selector prints a selector, with the line end behind the dot, and says whether there was one. If
// what follows is a method's call, the caller takes the margin back.
func (p *printer) selector(x *ast.SelectorExpr, depth int, called bool) bool {
	p.operand(x.X, token.HighestPrec, depth)
	p.token(token.PERIOD)
	broken := p.pos.IsValid() && p.pos.Line < p.lineOf(x.Sel.Pos())
	if broken {
		p.gap(in)
		p.gap(newline)
	}
	p.moveTo(x.Sel.Pos())
	p.ident(x.Sel)
	if broken && !called {
		p.gap(out)
	}
	return broken
}

func (p *printer) call(x *ast.CallExpr, depth int) {
	if len(x.Args) > 1 {
		depth++
	}
	// Without parentheses these would be types that end elsewhere.
	enclosed := false
	switch f := x.Fun.(type) {
	case *ast.FuncType:
		enclosed = true
	case *ast.ChanType:
		enclosed = f.Dir == ast.RECV
	}
	if enclosed {
		p.token(token.LPAREN)
	}
	indented := false
	if f, ok := x.Fun.(*ast.SelectorExpr); ok {
		indented = p.selector(f, depth, true)
	} else {
		p.operand(x.Fun, token.HighestPrec, depth)
	}
	if enclosed {
		p.token(token.RPAREN)
	}
	p.tokenAt(x.Lparen, token.LPAREN)
	args := list{exprs: x.Args, depth: depth, from: x.Lparen, to: x.Rparen, comma: true}
	if x.Ellipsis.IsValid() {
		args.to, args.comma = x.Ellipsis, false
		p.exprs(args)
		p.tokenAt(x.Ellipsis, token.ELLIPSIS)
		if x.Rparen.IsValid() && p.lineOf(x.Ellipsis) < p.lineOf(x.Rparen) {
			p.token(token.COMMA)
			p.gap(section)
		}
	} else {
		p.exprs(args)
	}
	p.tokenAt(x.Rparen, token.RPAREN)
	if indented {
		p.gap(out)
	}
}

func (p *printer) composite(x *ast.CompositeLit, depth int) {
	if x.Type != nil {
		p.operand(x.Type, token.HighestPrec, depth)
	}
	p.literals++
	p.tokenAt(x.Lbrace, token.LBRACE)
	p.exprs(list{
		exprs: x.Elts, depth: 1, from: x.Lbrace, to: x.Rbrace, comma: true, cut: x.Incomplete,
	})
	// A line end behind the last comment could need a comma.
	tight := noBreak
	if len(x.Elts) > 0 {
		tight |= noBlank
	}
	p.gap(in)
	p.gap(out)
	p.tight ^= tight
	p.tokenAt(x.Rbrace, token.RBRACE)
	p.tight ^= tight
	p.literals--
}

// normalized returns a number in its usual form.
func normalized(x *ast.BasicLit) *ast.BasicLit {
	if x.Kind != token.INT && x.Kind != token.FLOAT && x.Kind != token.IMAG || len(x.Value) < 2 {
		return x
	}
	s := x.Value
	switch s[:2] {
	case "0x", "0X":
		s = "0x" + lowerLast(s[2:], "P")
	case "0o", "0O":
		s = "0o" + s[2:]
	case "0b", "0B":
		s = "0b" + s[2:]
	default:
		if strings.Contains(s, "E") {
			s = lowerLast(s, "E")
		} else if strings.HasSuffix(s, "i") && !strings.ContainsAny(s, ".e") {
			if s = strings.TrimLeft(s, "0_"); s == "i" {
				s = "0i"
			}
		}
	}
	if s == x.Value {
		return x
	}
	return &ast.BasicLit{ValuePos: x.ValuePos, Kind: x.Kind, Value: s}
}

// lowerLast makes the last of a letter small.
func lowerLast(s, letter string) string {
	if i := strings.LastIndex(s, letter); i >= 0 {
		return s[:i] + strings.ToLower(letter) + s[i+1:]
	}
	return s
}

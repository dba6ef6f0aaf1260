package printer

// This file prints expressions, types among them. Depth says how far inside of others one is: the
// deeper, the fewer blanks are around its operators.

import (
	"go/ast"
	"go/token"
	"strings"
)

// expr prints an expression with blanks around all operators that have any.
func (p *printer) expr(x ast.Expr) { p.operand(x, token.LowestPrec, 1) }

// nested prints an expression in others.
func (p *printer) nested(x ast.Expr, depth int) { p.operand(x, token.LowestPrec, depth) }

// less is the depth in parentheses.
func less(depth int) int { return max(depth-1, 1) }

// operand prints an expression, with parentheses if its operator is of a lower precedence.
func (p *printer) operand(x ast.Expr, prec, depth int) {
	if p.over {
		return
	}
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
		if p.selector(x, depth) {
			p.gap("<")
		}
	case *ast.CallExpr:
		p.call(x, depth)
	case *ast.BinaryExpr:
		if x.Op.Precedence() < prec {
			p.enclosed(x, less(depth))
		} else {
			p.binary(x, depth)
		}
	case *ast.UnaryExpr, *ast.StarExpr:
		if prec > token.UnaryPrec {
			p.enclosed(x, 1)
		} else {
			p.prefixed(x, depth)
		}
	case *ast.ParenExpr:
		if _, double := x.X.(*ast.ParenExpr); double {
			p.nested(x.X, depth)
			break
		}
		p.mark("(")
		p.nested(x.X, less(depth))
		p.markAt(x.Rparen, ")")
	case *ast.KeyValueExpr:
		p.expr(x.Key)
		p.markAt(x.Colon, ": ")
		p.expr(x.Value)
	case *ast.CompositeLit:
		p.composite(x, depth)
	case *ast.FuncLit:
		p.function(nil, x.Type, x.Body)
	case *ast.TypeAssertExpr:
		p.operand(x.X, token.HighestPrec, depth)
		p.mark(".")
		p.markAt(x.Lparen, "(")
		if x.Type == nil {
			p.mark("type")
		} else {
			p.expr(x.Type)
		}
		p.markAt(x.Rparen, ")")
	case *ast.IndexExpr:
		p.operand(x.X, token.HighestPrec, 1)
		p.markAt(x.Lbrack, "[")
		p.nested(x.Index, depth+1)
		p.markAt(x.Rbrack, "]")
	case *ast.IndexListExpr:
		p.operand(x.X, token.HighestPrec, 1)
		p.markAt(x.Lbrack, "[")
		p.exprs(list{exprs: x.Indices, depth: depth + 1, from: x.Lbrack, to: x.Rbrack, comma: true})
		p.markAt(x.Rbrack, "]")
	case *ast.SliceExpr:
		p.slice(x, depth)
	case *ast.BadExpr:
		p.remark("BadExpr")
	default:
		p.typ(x)
	}
}

// typ prints what can only be a type.
func (p *printer) typ(x ast.Expr) {
	of := ast.Expr(nil) // the type that x ends with
	switch x := x.(type) {
	case *ast.StructType:
		p.mark("struct")
		p.fields(x.Fields, true, x.Incomplete)
	case *ast.InterfaceType:
		p.mark("interface")
		p.fields(x.Methods, false, x.Incomplete)
	case *ast.FuncType:
		p.mark("func")
		p.signature(x)
	case *ast.Ellipsis:
		p.mark("...")
		of = x.Elt
	case *ast.ArrayType:
		p.mark("[")
		if x.Len != nil {
			p.expr(x.Len)
		}
		p.mark("]")
		of = x.Elt
	case *ast.MapType:
		p.mark("map")
		p.mark("[")
		p.expr(x.Key)
		p.mark("]")
		of = x.Value
	case *ast.ChanType:
		if x.Dir == ast.RECV {
			p.mark("<-")
		}
		p.mark("chan")
		if x.Dir == ast.SEND {
			p.markAt(x.Arrow, "<-")
		}
		p.gap(" ")
		of = x.Value
	default:
		panic("unreachable")
	}
	if of != nil {
		p.expr(of)
	}
}

// enclosed prints an expression in parentheses that the tree does not have.
func (p *printer) enclosed(x ast.Expr, depth int) {
	p.mark("(")
	p.nested(x, depth)
	p.mark(")")
}

// prefixed prints an expression with an operator before it.
func (p *printer) prefixed(x ast.Expr, depth int) {
	switch x := x.(type) {
	case *ast.StarExpr:
		p.mark("*")
		p.expr(x.X)
	case *ast.UnaryExpr:
		p.mark(x.Op.String())
		if x.Op == token.RANGE {
			p.gap(" ")
		}
		p.operand(x.X, token.UnaryPrec, depth)
	}
}

// binary prints an expression with an operator. A line end behind the operator stays, and indents
// the other operand.
func (p *printer) binary(x *ast.BinaryExpr, depth int) {
	prec, sep, left := x.Op.Precedence(), "", depth+1
	if prec < tightest(x, depth) {
		sep = " "
	}
	if y, ok := x.X.(*ast.BinaryExpr); ok && y.Op.Precedence() == prec {
		left = depth
	}
	p.operand(x.X, prec, left)
	p.gap(sep)
	line, next := p.pos.Line, p.lineOf(x.Y.Pos())
	p.markAt(x.OpPos, x.Op.String())
	if line == next || line <= 0 || next <= 0 {
		p.gap(sep)
		p.operand(x.Y, prec+1, depth+1)
		return
	}
	p.turn(next, 1, ">", true)
	p.operand(x.Y, prec+1, depth+1)
	p.gap("<")
}

// precs is a set of precedences of operators. Those that would merge with the mark behind them are
// in it eight higher, too.
type precs uint16

const (
	sums, products           precs = 1 << 4, 1 << 5
	sumsMerge, productsMerge precs = 1 << 12, 1 << 13
)

// tightest returns the least precedence that has no blanks.
func tightest(x *ast.BinaryExpr, depth int) int {
	switch all := precsOf(x); {
	case all&productsMerge != 0:
		return 6
	case all&sumsMerge != 0:
		return 5
	case depth > 1:
		return 4
	case all&sums != 0 && all&products != 0:
		return 5
	}
	return 6
}

// precsOf returns the precedences in an expression, without operands that are in parentheses, or
// get some.
func precsOf(x *ast.BinaryExpr) precs {
	prec := x.Op.Precedence()
	all := precs(1) << prec
	if left, ok := x.X.(*ast.BinaryExpr); ok && left.Op.Precedence() >= prec {
		all |= precsOf(left)
	}
	mark := ""
	switch right := x.Y.(type) {
	case *ast.BinaryExpr:
		if right.Op.Precedence() > prec {
			all |= precsOf(right)
		}
	case *ast.StarExpr:
		mark = "*"
	case *ast.UnaryExpr:
		mark = right.Op.String()
	}
	if op := x.Op.String(); prec >= 4 && mark != "" && len(op) == 1 && merges(op[0], mark[0]) {
		all |= 1 << (8 + prec)
	}
	return all
}

// slice prints a slice expression, with blanks around colons beside operands if there are several
// and one has an operator.
func (p *printer) slice(x *ast.SliceExpr, depth int) {
	p.operand(x.X, token.HighestPrec, 1)
	p.markAt(x.Lbrack, "[")
	parts := []ast.Expr{x.Low, x.High, x.Max}
	if x.Max == nil {
		parts = parts[:2]
	}
	operands, operators := 0, 0
	for _, part := range parts {
		if part != nil {
			operands++
		}
		if _, ok := part.(*ast.BinaryExpr); ok {
			operators++
		}
	}
	sep := ""
	if depth <= 1 && operands > 1 && operators > 0 {
		sep = " "
	}
	for i, part := range parts {
		if i > 0 {
			p.mark(":")
			if part != nil {
				p.gap(sep)
			}
		}
		if part != nil {
			p.nested(part, depth+1)
			if i+1 < len(parts) {
				p.gap(sep)
			}
		}
	}
	p.markAt(x.Rbrack, "]")
}

// selector prints a selector, with the line end behind the dot. It says whether there was one: then
// the margin is larger until the caller takes it back.
func (p *printer) selector(x *ast.SelectorExpr, depth int) (hung bool) {
	p.operand(x.X, token.HighestPrec, depth)
	p.mark(".")
	if line := p.pos.Line; line > 0 && p.lineOf(x.Sel.Pos()) > line {
		p.gap(">\n")
		hung = true
	}
	p.moveTo(x.Sel.Pos())
	p.ident(x.Sel)
	return hung
}

func (p *printer) call(x *ast.CallExpr, depth int) {
	if len(x.Args) > 1 {
		depth++
	}
	hung := false
	switch f := x.Fun.(type) {
	case *ast.SelectorExpr:
		p.moveTo(f.Pos())
		hung = p.selector(f, depth)
	case *ast.FuncType:
		// Without parentheses it would be a type that ends elsewhere, and so would a channel's.
		p.enclosed(f, depth)
	default:
		if c, ok := f.(*ast.ChanType); ok && c.Dir == ast.RECV {
			p.enclosed(f, depth)
			break
		}
		p.operand(f, token.HighestPrec, depth)
	}
	p.markAt(x.Lparen, "(")
	args := list{exprs: x.Args, depth: depth, from: x.Lparen, to: x.Rparen, comma: true}
	if x.Ellipsis.IsValid() {
		args.to, args.comma = x.Ellipsis, false
	}
	p.exprs(args)
	if x.Ellipsis.IsValid() {
		p.markAt(x.Ellipsis, "...")
		if p.lineOf(x.Ellipsis) < p.lineOf(x.Rparen) {
			p.mark(",")
			p.gap("\f")
		}
	}
	p.markAt(x.Rparen, ")")
	if hung {
		p.gap("<")
	}
}

func (p *printer) composite(x *ast.CompositeLit, depth int) {
	if x.Type != nil {
		p.operand(x.Type, token.HighestPrec, depth)
	}
	p.literals++
	p.markAt(x.Lbrace, "{")
	p.exprs(list{
		exprs: x.Elts, depth: 1, from: x.Lbrace, to: x.Rbrace, comma: true, cut: x.Incomplete,
	})
	// A line end behind the last comment could need a comma.
	p.gap("><")
	p.keep, p.adjoin = true, len(x.Elts) > 0
	p.markAt(x.Rbrace, "}")
	p.keep, p.adjoin = false, false
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

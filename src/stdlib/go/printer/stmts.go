package printer

import (
	"go/ast"
	"go/token"
)

// stmts prints statements, in which lines are indented by as many margins, 0 for clauses or 1. The
// line end behind the last is the caller's. Empty statements are left out.
func (p *printer) stmts(list []ast.Stmt, indented int, closed bool) {
	if indented > 0 {
		p.gap(in)
	}
	line, n := 0, 0
	for _, s := range list {
		if _, empty := s.(*ast.EmptyStmt); empty {
			continue
		}
		if len(p.out) > 0 {
			apart := n == 0 || indented == 0 || p.line > line
			p.lineBreak(p.lineOf(s.Pos()), 1, none, apart)
		}
		p.start = &line
		p.stmt(s, closed && n == len(list)-1)
		// Labels are on lines of their own.
		for {
			labeled, ok := s.(*ast.LabeledStmt)
			if !ok {
				break
			}
			line++
			s = labeled.Stmt
		}
		n++
	}
	if indented > 0 {
		p.gap(out)
	}
}

// block prints a block on two lines at least.
func (p *printer) block(b *ast.BlockStmt, indented int) {
	p.tokenAt(b.Lbrace, token.LBRACE)
	p.stmts(b.List, indented, true)
	p.lineBreak(p.lineOf(b.Rbrace), 1, none, true)
	p.tokenAt(b.Rbrace, token.RBRACE)
}

// unparen takes parentheses away.
func unparen(x ast.Expr) ast.Expr {
	for {
		in, ok := x.(*ast.ParenExpr)
		if !ok {
			return x
		}
		x = in.X
	}
}

// unparenHead takes parentheses away that are not needed in the head of a statement with a block,
// where a composite literal of a named type would look like one.
func unparenHead(x ast.Expr) ast.Expr {
	for {
		enclosed, ok := x.(*ast.ParenExpr)
		if !ok {
			return x
		}
		needed := false
		ast.Inspect(enclosed.X, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ParenExpr:
				return false
			case *ast.CompositeLit:
				needed = needed || isTypeName(n.Type)
				return false
			}
			return true
		})
		if needed {
			return x
		}
		x = enclosed.X
	}
}

func isTypeName(x ast.Expr) bool {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return true
		case *ast.SelectorExpr:
			x = y.X
			continue
		}
		return false
	}
}

// head prints what is between the keyword and the block of a statement; isFor, if there can be
// three parts.
func (p *printer) head(isFor bool, init ast.Stmt, cond ast.Expr, post ast.Stmt) {
	p.gap(blank)
	semis := init != nil || post != nil
	if semis {
		if init != nil {
			p.stmt(init, false)
		}
		p.token(token.SEMICOLON)
		p.gap(blank)
	}
	more := cond != nil
	if cond != nil {
		p.expr(unparenHead(cond))
	}
	if semis && isFor {
		p.token(token.SEMICOLON)
		p.gap(blank)
		if more = post != nil; more {
			p.stmt(post, false)
		}
	}
	if more {
		p.gap(blank)
	}
}

// isStaggered says whether results look better if all their lines are indented: if one begins on
// another line than that where the one before ends, or if several, composite literals apart, are on
// more than one line.
func (p *printer) isStaggered(list []ast.Expr) bool {
	if len(list) < 2 {
		return false
	}
	line := p.lineOf(list[0].Pos())
	if end := p.lineOf(list[len(list)-1].End()); line <= 0 || end <= line {
		return false
	}
	n := 0
	for _, x := range list {
		from, to := p.lineOf(x.Pos()), p.lineOf(x.End())
		if line < from {
			return true
		}
		if from < to && !isLiteral(x) {
			n++
		}
		line = to
	}
	return n > 1
}

// isLiteral says whether x is a composite literal or the address of one.
func isLiteral(x ast.Expr) bool {
	x = unparen(x)
	if address, ok := x.(*ast.UnaryExpr); ok && address.Op == token.AND {
		x = unparen(address.X)
	}
	_, ok := x.(*ast.CompositeLit)
	return ok
}

// stmt prints a statement; closed, if a brace follows.
func (p *printer) stmt(s ast.Stmt, closed bool) {
	p.moveTo(s.Pos())
	switch s := s.(type) {
	case *ast.ExprStmt:
		p.expr(s.X)
	case *ast.AssignStmt:
		p.assign(s)
	case *ast.ReturnStmt:
		p.results(s)
	case *ast.DeclStmt:
		p.decl(s.Decl)
	case *ast.BlockStmt:
		p.block(s, 1)
	case *ast.IfStmt:
		p.ifStmt(s, closed)
	case *ast.ForStmt:
		p.token(token.FOR)
		p.head(true, s.Init, s.Cond, s.Post)
		p.block(s.Body, 1)
	case *ast.RangeStmt:
		p.rangeStmt(s)
	case *ast.SwitchStmt:
		p.token(token.SWITCH)
		p.head(false, s.Init, s.Tag, nil)
		p.block(s.Body, 0)
	case *ast.TypeSwitchStmt:
		p.token(token.SWITCH)
		if s.Init != nil {
			p.gap(blank)
			p.stmt(s.Init, false)
			p.token(token.SEMICOLON)
		}
		p.gap(blank)
		p.stmt(s.Assign, false)
		p.gap(blank)
		p.block(s.Body, 0)
	case *ast.SelectStmt:
		p.token(token.SELECT)
		p.gap(blank)
		if len(s.Body.List) == 0 && !p.hasCommentBefore(p.place(s.Body.Rbrace)) {
			p.tokenAt(s.Body.Lbrace, token.LBRACE)
			p.tokenAt(s.Body.Rbrace, token.RBRACE)
			break
		}
		p.block(s.Body, 0)
	case *ast.CaseClause:
		if s.List != nil {
			p.token(token.CASE)
			p.gap(blank)
			p.exprs(list{exprs: s.List, depth: 1, from: s.Pos(), to: s.Colon})
		} else {
			p.token(token.DEFAULT)
		}
		p.tokenAt(s.Colon, token.COLON)
		p.stmts(s.Body, 1, closed)
	case *ast.CommClause:
		if s.Comm != nil {
			p.token(token.CASE)
			p.gap(blank)
			p.stmt(s.Comm, false)
		} else {
			p.token(token.DEFAULT)
		}
		p.tokenAt(s.Colon, token.COLON)
		p.stmts(s.Body, 1, closed)
	case *ast.IncDecStmt:
		p.nested(s.X, 2)
		p.tokenAt(s.TokPos, s.Tok)
	case *ast.SendStmt:
		p.expr(s.Chan)
		p.gap(blank)
		p.tokenAt(s.Arrow, token.ARROW)
		p.gap(blank)
		p.expr(s.Value)
	case *ast.GoStmt:
		p.token(token.GO)
		p.gap(blank)
		p.expr(s.Call)
	case *ast.DeferStmt:
		p.token(token.DEFER)
		p.gap(blank)
		p.expr(s.Call)
	case *ast.BranchStmt:
		p.token(s.Tok)
		if s.Label != nil {
			p.gap(blank)
			p.expr(s.Label)
		}
	case *ast.LabeledStmt:
		p.labeled(s, closed)
	case *ast.EmptyStmt:
	case *ast.BadStmt:
		p.note("BadStmt")
	default:
		panic("unreachable")
	}
}

func (p *printer) assign(s *ast.AssignStmt) {
	depth := 1
	if len(s.Lhs) > 1 && len(s.Rhs) > 1 {
		depth = 2
	}
	p.exprs(list{exprs: s.Lhs, depth: depth, from: s.Pos(), to: s.TokPos})
	p.gap(blank)
	p.tokenAt(s.TokPos, s.Tok)
	p.gap(blank)
	p.exprs(list{exprs: s.Rhs, depth: depth, from: s.TokPos})
}

// results prints a return statement. No line end goes before the first result.
func (p *printer) results(s *ast.ReturnStmt) {
	p.token(token.RETURN)
	if s.Results == nil {
		return
	}
	p.gap(blank)
	staggered := p.isStaggered(s.Results)
	if staggered {
		p.gap(in)
	}
	p.exprs(list{exprs: s.Results, depth: 1, flush: staggered})
	if staggered {
		p.gap(out)
	}
}

func (p *printer) ifStmt(s *ast.IfStmt, closed bool) {
	p.token(token.IF)
	p.head(false, s.Init, s.Cond, nil)
	p.block(s.Body, 1)
	if s.Else == nil {
		return
	}
	p.gap(blank)
	p.token(token.ELSE)
	p.gap(blank)
	switch s.Else.(type) {
	case *ast.BlockStmt, *ast.IfStmt:
		p.stmt(s.Else, closed)
	default:
		// A tree that was made wrong; with braces it is right.
		p.token(token.LBRACE)
		p.gap(in)
		p.gap(section)
		p.stmt(s.Else, true)
		p.gap(out)
		p.gap(section)
		p.token(token.RBRACE)
	}
}

func (p *printer) rangeStmt(s *ast.RangeStmt) {
	p.token(token.FOR)
	p.gap(blank)
	if s.Key != nil {
		p.expr(s.Key)
		if s.Value != nil {
			p.tokenAt(s.Value.Pos(), token.COMMA)
			p.gap(blank)
			p.expr(s.Value)
		}
		p.gap(blank)
		p.tokenAt(s.TokPos, s.Tok)
		p.gap(blank)
	}
	p.token(token.RANGE)
	p.gap(blank)
	p.expr(unparenHead(s.X))
	p.gap(blank)
	p.block(s.Body, 1)
}

// labeled prints a statement with its label, which stands one margin to the left.
func (p *printer) labeled(s *ast.LabeledStmt, closed bool) {
	p.gap(out)
	p.expr(s.Label)
	p.tokenAt(s.Colon, token.COLON)
	p.gap(in)
	empty, ok := s.Stmt.(*ast.EmptyStmt)
	if ok && !closed {
		p.gap(newline)
		p.tokenAt(empty.Pos(), token.SEMICOLON)
		return
	}
	if !ok {
		p.lineBreak(p.lineOf(s.Stmt.Pos()), 1, none, true)
	}
	p.stmt(s.Stmt, closed)
}

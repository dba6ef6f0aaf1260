package printer

// This file prints statements.

import "go/ast"

// stmts prints statements on lines of their own, further to the right if indented says so, which
// clauses are not. The line end behind the last is the caller's. Empty statements are left out.
func (p *printer) stmts(list []ast.Stmt, indented, closed bool) {
	if indented {
		p.gap(">")
	}
	r := p.newRows()
	r.loose, r.begun = !indented, len(p.out) > 0
	p.row = -1 // columns before the first end
	n := 0
	for _, s := range list {
		if p.over {
			break
		}
		if _, empty := s.(*ast.EmptyStmt); !empty {
			r.next(s.Pos())
			n++
			p.stmt(s, closed && n == len(list))
			p.row += labelsOf(s)
		}
	}
	r.end()
	if indented {
		p.gap("<")
	}
}

// labelsOf returns how many labels a statement has. These are on lines of their own, which do not
// count as those of the statement.
func labelsOf(s ast.Stmt) int {
	l, ok := s.(*ast.LabeledStmt)
	if !ok {
		return 0
	}
	return 1 + labelsOf(l.Stmt)
}

// block prints a block on two lines at least.
func (p *printer) block(b *ast.BlockStmt, indented bool) {
	p.markAt(b.Lbrace, "{")
	p.stmts(b.List, indented, true)
	p.turn(p.lineOf(b.Rbrace), 1, "", true)
	p.markAt(b.Rbrace, "}")
}

// stmt prints a statement; closed, if a brace follows.
func (p *printer) stmt(s ast.Stmt, closed bool) {
	if p.over {
		return
	}
	p.moveTo(s.Pos())
	switch s := s.(type) {
	case *ast.ExprStmt:
		p.expr(s.X)
	case *ast.AssignStmt:
		depth := 1
		if min(len(s.Lhs), len(s.Rhs)) > 1 {
			depth = 2
		}
		p.exprs(list{exprs: s.Lhs, depth: depth, from: s.Pos(), to: s.TokPos})
		p.gap(" ")
		p.markAt(s.TokPos, s.Tok.String())
		p.gap(" ")
		p.exprs(list{exprs: s.Rhs, depth: depth, from: s.TokPos})
	case *ast.ReturnStmt:
		p.mark("return")
		if s.Results != nil {
			p.gap(" ")
			p.results(s.Results)
		}
	case *ast.IfStmt:
		p.mark("if ")
		p.control(s.Init, s.Cond)
		p.block(s.Body, true)
		if s.Else != nil {
			p.mark(" else ")
			p.otherwise(s.Else, closed)
		}
	case *ast.ForStmt:
		p.mark("for ")
		if s.Init == nil && s.Post == nil {
			p.control(nil, s.Cond)
		} else {
			p.loop(s)
		}
		p.block(s.Body, true)
	case *ast.RangeStmt:
		p.mark("for ")
		if s.Key != nil {
			p.expr(s.Key)
			if v := s.Value; v != nil {
				p.markAt(v.Pos(), ", ")
				p.expr(v)
			}
			p.gap(" ")
			p.markAt(s.TokPos, s.Tok.String())
			p.gap(" ")
		}
		p.mark("range ")
		p.control(nil, s.X)
		p.block(s.Body, true)
	case *ast.SwitchStmt:
		p.mark("switch ")
		p.control(s.Init, s.Tag)
		p.block(s.Body, false)
	case *ast.TypeSwitchStmt:
		p.mark("switch ")
		p.control(s.Init, nil)
		p.stmt(s.Assign, false)
		p.gap(" ")
		p.block(s.Body, false)
	case *ast.SelectStmt:
		p.mark("select ")
		if len(s.Body.List) == 0 && !p.isDue(p.place(s.Body.Rbrace)) {
			p.markAt(s.Body.Lbrace, "{")
			p.markAt(s.Body.Rbrace, "}")
		} else {
			p.block(s.Body, false)
		}
	case *ast.CaseClause:
		if s.List == nil {
			p.mark("default")
		} else {
			p.mark("case ")
			p.exprs(list{exprs: s.List, depth: 1, from: s.Pos(), to: s.Colon})
		}
		p.markAt(s.Colon, ":")
		p.stmts(s.Body, true, closed)
	case *ast.CommClause:
		if s.Comm == nil {
			p.mark("default")
		} else {
			p.mark("case ")
			p.stmt(s.Comm, false)
		}
		p.markAt(s.Colon, ":")
		p.stmts(s.Body, true, closed)
	case *ast.BlockStmt:
		p.block(s, true)
	case *ast.DeclStmt:
		p.decl(s.Decl)
	case *ast.IncDecStmt:
		p.nested(s.X, 2)
		p.markAt(s.TokPos, s.Tok.String())
	case *ast.SendStmt:
		p.expr(s.Chan)
		p.gap(" ")
		p.markAt(s.Arrow, "<- ")
		p.expr(s.Value)
	case *ast.GoStmt:
		p.mark("go ")
		p.expr(s.Call)
	case *ast.DeferStmt:
		p.mark("defer ")
		p.expr(s.Call)
	case *ast.BranchStmt:
		p.mark(s.Tok.String())
		if s.Label != nil {
			p.gap(" ")
			p.expr(s.Label)
		}
	case *ast.LabeledStmt:
		p.labeled(s, closed)
	case *ast.EmptyStmt:
	case *ast.BadStmt:
		p.remark("BadStmt")
	default:
		panic("unreachable")
	}
}

// control prints what is between a keyword and a block: a statement and an expression, which need
// not be.
func (p *printer) control(init ast.Stmt, x ast.Expr) {
	if init != nil {
		p.stmt(init, false)
		p.mark("; ")
	}
	if x != nil {
		p.expr(unenclosed(x))
		p.gap(" ")
	}
}

// loop prints the three parts of a loop.
func (p *printer) loop(s *ast.ForStmt) {
	if s.Init != nil {
		p.stmt(s.Init, false)
	}
	p.mark("; ")
	if s.Cond != nil {
		p.expr(unenclosed(s.Cond))
	}
	p.mark("; ")
	if s.Post != nil {
		p.stmt(s.Post, false)
		p.gap(" ")
	}
}

// unenclosed takes parentheses away before a block. One pair stays if there is a composite literal
// of a named type inside, whose brace would begin the block.
func unenclosed(x ast.Expr) ast.Expr {
	inner := ast.Unparen(x)
	if inner == x {
		return x
	}
	brace := false
	ast.Inspect(inner, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if ok {
			t := lit.Type
			for s, ok := t.(*ast.SelectorExpr); ok; s, ok = t.(*ast.SelectorExpr) {
				t = s.X
			}
			_, named := t.(*ast.Ident)
			brace = brace || named
		}
		_, enclosed := n.(*ast.ParenExpr)
		return !ok && !enclosed
	})
	if !brace {
		return inner
	}
	for {
		outer := x.(*ast.ParenExpr)
		if outer.X == inner {
			return outer
		}
		x = outer.X
	}
}

// otherwise prints what follows `else`.
func (p *printer) otherwise(s ast.Stmt, closed bool) {
	switch s.(type) {
	case *ast.IfStmt, *ast.BlockStmt:
		p.stmt(s, closed)
		return
	}
	// A tree that was made wrong; with braces it is right.
	p.mark("{")
	p.gap(">\f")
	p.stmt(s, true)
	p.gap("<\f")
	p.mark("}")
}

// results prints what is returned. No line end goes before the first of it.
func (p *printer) results(exprs []ast.Expr) {
	l := list{exprs: exprs, depth: 1}
	if !p.areScattered(exprs) {
		p.exprs(l)
		return
	}
	l.flush = true
	p.gap(">")
	p.exprs(l)
	p.gap("<")
}

// areScattered says whether results look better if all their lines are indented: if one begins on
// another line than that where the one before ends, or if several, composite literals apart, are on
// more than one line.
func (p *printer) areScattered(exprs []ast.Expr) bool {
	tall := 0
	for i, x := range exprs {
		first, last := p.lineOf(x.Pos()), p.lineOf(x.End())
		if i > 0 {
			if end := p.lineOf(exprs[i-1].End()); end > 0 && first > end {
				return true
			}
		} else if first == 0 {
			return false
		}
		if last > first && !isLiteral(x) {
			tall++
		}
	}
	return tall > 1
}

// isLiteral says whether x is a composite literal or the address of one.
func isLiteral(x ast.Expr) bool {
	x = ast.Unparen(x)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op.String() == "&" {
		x = ast.Unparen(u.X)
	}
	_, ok := x.(*ast.CompositeLit)
	return ok
}

// labeled prints a statement with its label, which stands one margin to the left.
func (p *printer) labeled(s *ast.LabeledStmt, closed bool) {
	p.gap("<")
	p.expr(s.Label)
	p.markAt(s.Colon, ":")
	p.gap(">")
	switch inner := s.Stmt.(type) {
	case *ast.EmptyStmt:
		if !closed {
			p.gap("\n")
			p.markAt(inner.Pos(), ";")
			return
		}
	default:
		p.turn(p.lineOf(inner.Pos()), 1, "", true)
	}
	p.stmt(s.Stmt, closed)
}

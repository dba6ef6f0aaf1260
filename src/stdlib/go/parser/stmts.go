package parser

import (
	"go/ast"
	"go/token"
)

func (p *parser) stmtList() (list []ast.Stmt) {
	if p.trace {
		defer p.enter("StatementList")()
	}
	for {
		switch p.tok {
		case token.CASE, token.DEFAULT, token.RBRACE, token.EOF:
			return list
		}
		list = append(list, p.stmt())
	}
}

// block takes a block; the trace calls it so.
func (p *parser) block(name string) *ast.BlockStmt {
	if p.trace {
		defer p.enter(name)()
	}
	b := &ast.BlockStmt{Lbrace: p.expect(token.LBRACE)}
	b.List = p.stmtList()
	b.Rbrace = p.expectValid(token.RBRACE)
	return b
}

// where says what a simple statement can be besides.
type where int

const (
	anywhere where = iota
	labels         // a label can stand before it
	ranges         // a range can stand on the right
)

// rangeOver takes `range x`, which stands for the right side of an assignment.
func (p *parser) rangeOver() []ast.Expr {
	pos := p.expect(token.RANGE)
	return []ast.Expr{&ast.UnaryExpr{OpPos: pos, Op: token.RANGE, X: p.rhs()}}
}

// simpleStmt takes a simple statement, and says whether it has a range.
func (p *parser) simpleStmt(at where) (ast.Stmt, bool) {
	if p.trace {
		defer p.enter("SimpleStmt")()
	}
	list := p.exprList(false)
	pos, tok := p.pos, p.tok
	switch tok {
	case token.DEFINE, token.ASSIGN, token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN,
		token.QUO_ASSIGN, token.REM_ASSIGN, token.AND_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN,
		token.SHL_ASSIGN, token.SHR_ASSIGN, token.AND_NOT_ASSIGN:
		p.next()
		s := &ast.AssignStmt{Lhs: list, TokPos: pos, Tok: tok}
		plain := tok == token.DEFINE || tok == token.ASSIGN
		if at == ranges && plain && p.tok == token.RANGE {
			s.Rhs = p.rangeOver()
			return s, true
		}
		s.Rhs = p.exprList(true)
		return s, false
	}
	x := list[0]
	if len(list) > 1 {
		p.expected(x.Pos(), "1 expression")
	}
	switch tok {
	case token.COLON:
		p.next()
		if label, ok := x.(*ast.Ident); ok && at == labels {
			return &ast.LabeledStmt{Label: label, Colon: pos, Stmt: p.stmt()}, false
		}
		p.error(pos, "illegal label declaration")
		return &ast.BadStmt{From: x.Pos(), To: pos + 1}, false
	case token.ARROW:
		p.next()
		return &ast.SendStmt{Chan: x, Arrow: pos, Value: p.rhs()}, false
	case token.INC, token.DEC:
		p.next()
		return &ast.IncDecStmt{X: x, TokPos: pos, Tok: tok}, false
	}
	return &ast.ExprStmt{X: x}, false
}

// callStmt takes what follows go or defer; nil if that is no call.
func (p *parser) callStmt(keyword string) *ast.CallExpr {
	x := p.rhs()
	if bare := ast.Unparen(x); bare != x {
		p.error(x.Pos(), "expression in "+keyword+" must not be parenthesized")
		x = bare
	}
	switch x := x.(type) {
	case *ast.CallExpr:
		return x
	case *ast.BadExpr:
	default:
		p.error(x.End(), "expression in "+keyword+" must be function call")
	}
	return nil
}

func (p *parser) goStmt() ast.Stmt {
	if p.trace {
		defer p.enter("GoStmt")()
	}
	pos := p.expect(token.GO)
	call := p.callStmt("go")
	p.semicolon()
	if call == nil {
		return &ast.BadStmt{From: pos, To: pos + token.Pos(len("go"))}
	}
	return &ast.GoStmt{Go: pos, Call: call}
}

func (p *parser) deferStmt() ast.Stmt {
	if p.trace {
		defer p.enter("DeferStmt")()
	}
	pos := p.expect(token.DEFER)
	call := p.callStmt("defer")
	p.semicolon()
	if call == nil {
		return &ast.BadStmt{From: pos, To: pos + token.Pos(len("defer"))}
	}
	return &ast.DeferStmt{Defer: pos, Call: call}
}

func (p *parser) returnStmt() ast.Stmt {
	if p.trace {
		defer p.enter("ReturnStmt")()
	}
	s := &ast.ReturnStmt{Return: p.expect(token.RETURN)}
	if p.tok != token.SEMICOLON && p.tok != token.RBRACE {
		s.Results = p.exprList(true)
	}
	p.semicolon()
	return s
}

func (p *parser) branchStmt() ast.Stmt {
	if p.trace {
		defer p.enter("BranchStmt")()
	}
	s := &ast.BranchStmt{TokPos: p.pos, Tok: p.tok}
	p.next()
	if s.Tok == token.GOTO || s.Tok != token.FALLTHROUGH && p.tok == token.IDENT {
		s.Label = p.ident()
	}
	p.semicolon()
	return s
}

// only returns the expression of a statement that should be one.
func (p *parser) only(s ast.Stmt, want string) ast.Expr {
	found := "simple statement"
	switch s := s.(type) {
	case nil:
		return nil
	case *ast.ExprStmt:
		return s.X
	case *ast.AssignStmt:
		found = "assignment"
	}
	p.error(s.Pos(), "expected "+want+", found "+found+
		" (missing parentheses around composite literal?)")
	return &ast.BadExpr{From: s.Pos(), To: s.End()}
}

func (p *parser) ifHead() (init ast.Stmt, cond ast.Expr) {
	if p.tok == token.LBRACE {
		p.error(p.pos, "missing condition in if statement")
		return nil, &ast.BadExpr{From: p.pos, To: p.pos}
	}
	level := p.level
	p.level = -1
	if p.tok != token.SEMICOLON {
		if p.tok == token.VAR {
			p.next()
			p.error(p.pos, "var declaration not allowed in if initializer")
		}
		init, _ = p.simpleStmt(anywhere)
	}
	var last ast.Stmt
	semicolon, text := token.NoPos, ""
	if p.tok == token.LBRACE {
		init, last = nil, init
	} else {
		if p.tok == token.SEMICOLON {
			semicolon, text = p.pos, p.lit
		}
		p.expect(token.SEMICOLON)
		if p.tok != token.LBRACE {
			last, _ = p.simpleStmt(anywhere)
		}
	}
	switch {
	case last != nil:
		cond = p.only(last, "boolean expression")
	case semicolon.IsValid() && text == "\n":
		p.error(semicolon, "unexpected newline, expecting { after if clause")
	case semicolon.IsValid():
		p.error(semicolon, "missing condition in if statement")
	}
	if cond == nil {
		cond = &ast.BadExpr{From: p.pos, To: p.pos}
	}
	p.level = level
	return init, cond
}

func (p *parser) ifStmt() *ast.IfStmt {
	p.deeper()
	x := p.ifElse()
	p.depth--
	return x
}

func (p *parser) ifElse() *ast.IfStmt {
	if p.trace {
		defer p.enter("IfStmt")()
	}
	s := &ast.IfStmt{If: p.expect(token.IF)}
	s.Init, s.Cond = p.ifHead()
	s.Body = p.block("BlockStmt")
	if p.tok != token.ELSE {
		p.semicolon()
		return s
	}
	p.next()
	switch p.tok {
	case token.IF:
		s.Else = p.ifStmt()
	case token.LBRACE:
		s.Else = p.block("BlockStmt")
		p.semicolon()
	default:
		p.expected(p.pos, "if statement or block")
		s.Else = &ast.BadStmt{From: p.pos, To: p.pos}
	}
	return s
}

func (p *parser) caseClause() ast.Stmt {
	if p.trace {
		defer p.enter("CaseClause")()
	}
	c := &ast.CaseClause{Case: p.pos}
	if p.tok == token.CASE {
		p.next()
		c.List = p.exprList(true)
	} else {
		p.expect(token.DEFAULT)
	}
	c.Colon = p.expect(token.COLON)
	c.Body = p.stmtList()
	return c
}

// cases takes the braces of a switch or a select, and what is in them.
func (p *parser) cases(clause func() ast.Stmt) *ast.BlockStmt {
	b := &ast.BlockStmt{Lbrace: p.expect(token.LBRACE)}
	for p.tok == token.CASE || p.tok == token.DEFAULT {
		b.List = append(b.List, clause())
	}
	b.Rbrace = p.expect(token.RBRACE)
	p.semicolon()
	return b
}

// guard says whether a switch over s is one over types.
func (p *parser) guard(s ast.Stmt) bool {
	ofType := func(x ast.Expr) bool {
		a, ok := x.(*ast.TypeAssertExpr)
		return ok && a.Type == nil
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		return ofType(s.X)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !ofType(s.Rhs[0]) {
			return false
		}
		if s.Tok == token.ASSIGN {
			p.error(s.TokPos, "expected ':=', found '='")
			return true
		}
		return s.Tok == token.DEFINE
	}
	return false
}

func (p *parser) switchStmt() ast.Stmt {
	if p.trace {
		defer p.enter("SwitchStmt")()
	}
	pos := p.expect(token.SWITCH)
	var init, tag ast.Stmt
	if p.tok != token.LBRACE {
		level := p.level
		p.level = -1
		if p.tok != token.SEMICOLON {
			tag, _ = p.simpleStmt(anywhere)
		}
		if p.tok == token.SEMICOLON {
			p.next()
			init, tag = tag, nil
			if p.tok != token.LBRACE {
				tag, _ = p.simpleStmt(anywhere)
			}
		}
		p.level = level
	}
	overTypes := p.guard(tag)
	body := p.cases(p.caseClause)
	if overTypes {
		return &ast.TypeSwitchStmt{Switch: pos, Init: init, Assign: tag, Body: body}
	}
	x := p.only(tag, "switch expression")
	return &ast.SwitchStmt{Switch: pos, Init: init, Tag: x, Body: body}
}

func (p *parser) commClause() ast.Stmt {
	if p.trace {
		defer p.enter("CommClause")()
	}
	c := &ast.CommClause{Case: p.pos}
	if p.tok == token.CASE {
		p.next()
		c.Comm = p.comm()
	} else {
		p.expect(token.DEFAULT)
	}
	c.Colon = p.expect(token.COLON)
	c.Body = p.stmtList()
	return c
}

// comm takes the send or receive of a select's case.
func (p *parser) comm() ast.Stmt {
	list := p.exprList(false)
	pos, tok := p.pos, p.tok
	if tok == token.ASSIGN || tok == token.DEFINE {
		if len(list) > 2 {
			p.expected(list[0].Pos(), "1 or 2 expressions")
			list = list[:2]
		}
		p.next()
		return &ast.AssignStmt{Lhs: list, TokPos: pos, Tok: tok, Rhs: []ast.Expr{p.rhs()}}
	}
	if len(list) > 1 {
		p.expected(list[0].Pos(), "1 expression")
	}
	if tok == token.ARROW {
		p.next()
		return &ast.SendStmt{Chan: list[0], Arrow: pos, Value: p.rhs()}
	}
	return &ast.ExprStmt{X: list[0]}
}

func (p *parser) selectStmt() ast.Stmt {
	if p.trace {
		defer p.enter("SelectStmt")()
	}
	pos := p.expect(token.SELECT)
	return &ast.SelectStmt{Select: pos, Body: p.cases(p.commClause)}
}

func (p *parser) forStmt() ast.Stmt {
	if p.trace {
		defer p.enter("ForStmt")()
	}
	pos := p.expect(token.FOR)
	var init, cond, post ast.Stmt
	over := false
	if p.tok != token.LBRACE {
		level := p.level
		p.level = -1
		if p.tok == token.RANGE {
			cond, over = &ast.AssignStmt{Rhs: p.rangeOver()}, true
		} else if p.tok != token.SEMICOLON {
			cond, over = p.simpleStmt(ranges)
		}
		if !over && p.tok == token.SEMICOLON {
			p.next()
			init, cond = cond, nil
			if p.tok != token.SEMICOLON {
				cond, _ = p.simpleStmt(anywhere)
			}
			p.semicolon()
			if p.tok != token.LBRACE {
				post, _ = p.simpleStmt(anywhere)
			}
		}
		p.level = level
	}
	body := p.block("BlockStmt")
	p.semicolon()
	if !over {
		x := p.only(cond, "boolean or range expression")
		return &ast.ForStmt{For: pos, Init: init, Cond: x, Post: post, Body: body}
	}
	head := cond.(*ast.AssignStmt)
	r := head.Rhs[0].(*ast.UnaryExpr)
	s := &ast.RangeStmt{
		For: pos, TokPos: head.TokPos, Tok: head.Tok, Range: r.OpPos, X: r.X, Body: body,
	}
	switch n := len(head.Lhs); n {
	case 0:
	case 1:
		s.Key = head.Lhs[0]
	case 2:
		s.Key, s.Value = head.Lhs[0], head.Lhs[1]
	default:
		p.expected(head.Lhs[n-1].Pos(), "at most 2 expressions")
		return &ast.BadStmt{From: pos, To: body.End()}
	}
	return s
}

func (p *parser) stmt() ast.Stmt {
	p.deeper()
	x := p.statement()
	p.depth--
	return x
}

func (p *parser) statement() ast.Stmt {
	if p.trace {
		defer p.enter("Statement")()
	}
	switch p.tok {
	case token.CONST, token.TYPE, token.VAR:
		return &ast.DeclStmt{Decl: p.decl(statements)}
	case token.IDENT, token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.FUNC,
		token.LPAREN, token.LBRACK, token.STRUCT, token.MAP, token.CHAN, token.INTERFACE,
		token.ADD, token.SUB, token.MUL, token.AND, token.XOR, token.ARROW, token.NOT:
		s, _ := p.simpleStmt(labels)
		if _, labeled := s.(*ast.LabeledStmt); !labeled {
			p.semicolon()
		}
		return s
	case token.GO:
		return p.goStmt()
	case token.DEFER:
		return p.deferStmt()
	case token.RETURN:
		return p.returnStmt()
	case token.BREAK, token.CONTINUE, token.GOTO, token.FALLTHROUGH:
		return p.branchStmt()
	case token.LBRACE:
		b := p.block("BlockStmt")
		p.semicolon()
		return b
	case token.IF:
		return p.ifStmt()
	case token.SWITCH:
		return p.switchStmt()
	case token.SELECT:
		return p.selectStmt()
	case token.FOR:
		return p.forStmt()
	case token.SEMICOLON:
		s := &ast.EmptyStmt{Semicolon: p.pos, Implicit: p.lit == "\n"}
		p.next()
		return s
	case token.RBRACE:
		return &ast.EmptyStmt{Semicolon: p.pos, Implicit: true}
	}
	bad := p.bad("statement", statements)
	return &ast.BadStmt{From: bad.From, To: bad.To}
}

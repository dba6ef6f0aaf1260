package parser

import (
	"go/ast"
	"go/token"
)

func (p *parser) stmtList() (list []ast.Stmt) {
	p.begin("StatementList")
	for !p.at(closesList) {
		list = append(list, p.stmt())
	}
	p.end()
	return list
}

// block takes a block; production is what the trace calls it.
func (p *parser) block(production string) *ast.BlockStmt {
	p.begin(production)
	b := &ast.BlockStmt{Lbrace: p.expect(token.LBRACE)}
	b.List = p.stmtList()
	closed := p.tok == token.RBRACE
	if pos := p.expect(token.RBRACE); closed {
		b.Rbrace = pos
	}
	p.end()
	return b
}

// stmt takes a statement with its end.
func (p *parser) stmt() (s ast.Stmt) {
	p.deeper()
	p.begin("Statement")
	switch {
	case p.at(startsSimple):
		s = p.simpleStmt(labels)
		if _, labeled := s.(*ast.LabeledStmt); !labeled {
			p.terminator()
		}
	case p.tok == token.RBRACE:
		s = &ast.EmptyStmt{Semicolon: p.pos, Implicit: true}
	case p.tok == token.SEMICOLON:
		s = &ast.EmptyStmt{Implicit: p.atNewline(), Semicolon: p.pos}
		p.next()
	default:
		s = p.keywordStmt()
	}
	p.end()
	p.depth--
	return s
}

// keywordStmt takes a statement that a keyword or a brace begins.
func (p *parser) keywordStmt() ast.Stmt {
	switch p.tok {
	case token.LBRACE:
		b := p.block("BlockStmt")
		p.terminator()
		return b
	case token.VAR, token.TYPE, token.CONST:
		return &ast.DeclStmt{Decl: p.decl(syncStmt)}
	case token.IF:
		return p.ifStmt()
	case token.FOR:
		return p.forStmt()
	case token.SWITCH:
		return p.switchStmt()
	case token.SELECT:
		p.begin("SelectStmt")
		s := &ast.SelectStmt{Select: p.skip()}
		s.Body = p.clauses(true)
		p.end()
		return s
	case token.GO:
		return p.flowStmt("GoStmt")
	case token.DEFER:
		return p.flowStmt("DeferStmt")
	case token.RETURN:
		return p.flowStmt("ReturnStmt")
	case token.FALLTHROUGH, token.GOTO, token.BREAK, token.CONTINUE:
		return p.flowStmt("BranchStmt")
	}
	return (*ast.BadStmt)(p.bad("statement", syncStmt))
}

// flowStmt takes a statement of a keyword and an operand.
func (p *parser) flowStmt(production string) (s ast.Stmt) {
	p.begin(production)
	keyword := p.tok
	pos := p.skip()
	switch keyword {
	case token.GO, token.DEFER:
		word := keyword.String()
		if call := p.callOf(word); call == nil {
			s = &ast.BadStmt{From: pos, To: pos + token.Pos(len(word))}
		} else if keyword == token.GO {
			s = &ast.GoStmt{Go: pos, Call: call}
		} else {
			s = &ast.DeferStmt{Defer: pos, Call: call}
		}
	case token.RETURN:
		r := &ast.ReturnStmt{Return: pos}
		if p.tok != token.RBRACE && p.tok != token.SEMICOLON {
			r.Results = p.exprs(true)
		}
		s = r
	default:
		b := &ast.BranchStmt{Tok: keyword, TokPos: pos}
		if keyword == token.GOTO || p.tok == token.IDENT && keyword != token.FALLTHROUGH {
			b.Label = p.ident()
		}
		s = b
	}
	p.terminator()
	p.end()
	return s
}

// callOf takes the call that follows go or defer; nil if it is none.
func (p *parser) callOf(keyword string) (call *ast.CallExpr) {
	x := p.rhs()
	complain := func(at token.Pos, must string) {
		p.error(at, "expression in "+keyword+" must "+must)
	}
	bare := ast.Unparen(x)
	if x != bare {
		complain(x.Pos(), "not be parenthesized")
	}
	switch x := bare.(type) {
	case *ast.CallExpr:
		call = x
	case *ast.BadExpr:
	default:
		complain(x.End(), "be function call")
	}
	return call
}

// place says what a simple statement can be besides.
type place int

const (
	anywhere place = iota
	labels         // a label can stand before it
	loops          // a range can stand on the right
	inCase         // it is what a select waits for
)

// simpleStmt takes a simple statement. One with a range becomes an assignment whose right side is
// a unary expression of that keyword.
func (p *parser) simpleStmt(at place) (s ast.Stmt) {
	p.begin("SimpleStmt")
	list := p.exprs(false)
	if p.at(assigns) {
		a := &ast.AssignStmt{Lhs: list, Tok: p.tok, TokPos: p.pos}
		p.next()
		plain := a.Tok == token.ASSIGN || a.Tok == token.DEFINE
		if p.tok == token.RANGE && plain && at == loops {
			a.Rhs = p.rangeOver()
		} else {
			a.Rhs = p.exprs(true)
		}
		s = a
	} else {
		s = p.ofOne(list, at)
	}
	p.end()
	return s
}

// rangeOver takes `range x`, which stands for the right side of an assignment.
func (p *parser) rangeOver() []ast.Expr {
	x := &ast.UnaryExpr{Op: token.RANGE, OpPos: p.skip()}
	x.X = p.rhs()
	return []ast.Expr{x}
}

// ofOne takes the rest of a statement that has one expression on its left, or is one. That
// expression is taken, with others that are too many.
func (p *parser) ofOne(list []ast.Expr, at place) ast.Stmt {
	x := list[0]
	if len(list) > 1 {
		p.expected(x.Pos(), "1 expression")
	}
	switch pos, tok := p.pos, p.tok; tok {
	case token.ARROW:
		p.next()
		return &ast.SendStmt{Chan: x, Arrow: pos, Value: p.rhs()}
	case token.INC, token.DEC:
		if at == inCase {
			break
		}
		p.next()
		return &ast.IncDecStmt{X: x, Tok: tok, TokPos: pos}
	case token.COLON:
		if at == inCase {
			break
		}
		p.next()
		name, ok := x.(*ast.Ident)
		if ok && at == labels {
			return &ast.LabeledStmt{Label: name, Colon: pos, Stmt: p.stmt()}
		}
		p.error(pos, "illegal label declaration")
		return &ast.BadStmt{From: x.Pos(), To: pos + 1}
	}
	return &ast.ExprStmt{X: x}
}

// header is what stands between a keyword and its block.
type header struct {
	init, main, post ast.Stmt
	lacking          token.Pos // where main should follow,
	newline          bool      // and whether a line ends there
}

func (p *parser) header(keyword token.Token) (h header) {
	if p.tok == token.LBRACE {
		h.lacking = p.pos
		return h
	}
	heads := p.heads
	p.heads = -1
	if p.tok == token.RANGE && keyword == token.FOR {
		h.main = &ast.AssignStmt{Rhs: p.rangeOver()}
	} else if p.tok != token.SEMICOLON {
		at := anywhere
		if keyword == token.FOR {
			at = loops
		} else if keyword == token.IF && p.take(token.VAR) {
			p.error(p.pos, "var declaration not allowed in if initializer")
		}
		h.main = p.simpleStmt(at)
	}
	another := p.tok == token.SEMICOLON || keyword == token.IF && p.tok != token.LBRACE
	if _, over := ranging(h.main); another && !over {
		h.init, h.main = h.main, nil
		if p.tok == token.SEMICOLON {
			h.lacking, h.newline = p.pos, p.atNewline()
		}
		p.expect(token.SEMICOLON)
		follows := token.LBRACE
		if keyword == token.FOR {
			follows = token.SEMICOLON
		}
		if p.tok != follows {
			h.main = p.simpleStmt(anywhere)
		}
		if keyword == token.FOR {
			if p.terminator(); p.tok != token.LBRACE {
				h.post = p.simpleStmt(anywhere)
			}
		}
	}
	p.heads = heads
	return h
}

// ranging returns s as an assignment, and says whether it is one with a range.
func ranging(s ast.Stmt) (*ast.AssignStmt, bool) {
	if a, ok := s.(*ast.AssignStmt); ok {
		x, ok := a.Rhs[0].(*ast.UnaryExpr)
		return a, ok && x.Op == token.RANGE
	}
	return nil, false
}

// only returns the expression of a statement that should be one.
func (p *parser) only(s ast.Stmt, want string) ast.Expr {
	found := "simple statement"
	switch s := s.(type) {
	case *ast.ExprStmt:
		return s.X
	case *ast.AssignStmt:
		found = "assignment"
	case nil:
		return nil
	}
	none := &ast.BadExpr{From: s.Pos(), To: s.End()}
	const hint = " (missing parentheses around composite literal?)"
	p.error(none.From, "expected "+want+", found "+found+hint)
	return none
}

func (p *parser) ifStmt() *ast.IfStmt {
	p.deeper()
	p.begin("IfStmt")
	s := &ast.IfStmt{If: p.skip()}
	h := p.header(token.IF)
	s.Init, s.Cond = h.init, p.only(h.main, "boolean expression")
	if s.Cond == nil {
		if h.newline {
			p.error(h.lacking, "unexpected newline, expecting { after if clause")
		} else if h.lacking.IsValid() {
			p.error(h.lacking, "missing condition in if statement")
		}
		s.Cond = &ast.BadExpr{From: p.pos, To: p.pos}
	}
	s.Body = p.block("BlockStmt")
	if !p.take(token.ELSE) {
		p.terminator()
	} else if p.tok == token.IF {
		s.Else = p.ifStmt()
	} else if p.tok == token.LBRACE {
		s.Else = p.block("BlockStmt")
		p.terminator()
	} else {
		s.Else = &ast.BadStmt{From: p.pos, To: p.pos}
		p.expected(p.pos, "if statement or block")
	}
	p.end()
	p.depth--
	return s
}

func (p *parser) forStmt() (s ast.Stmt) {
	p.begin("ForStmt")
	pos := p.skip()
	h := p.header(token.FOR)
	body := p.block("BlockStmt")
	p.terminator()
	if a, over := ranging(h.main); !over {
		cond := p.only(h.main, "boolean or range expression")
		s = &ast.ForStmt{For: pos, Init: h.init, Cond: cond, Post: h.post, Body: body}
	} else if last := len(a.Lhs) - 1; last > 1 {
		p.expected(a.Lhs[last].Pos(), "at most 2 expressions")
		s = &ast.BadStmt{From: pos, To: body.End()}
	} else {
		x := a.Rhs[0].(*ast.UnaryExpr)
		r := &ast.RangeStmt{For: pos, Range: x.OpPos, X: x.X, Body: body}
		r.Tok, r.TokPos = a.Tok, a.TokPos
		if last >= 0 {
			r.Key = a.Lhs[0]
		}
		if last == 1 {
			r.Value = a.Lhs[1]
		}
		s = r
	}
	p.end()
	return s
}

func (p *parser) switchStmt() (s ast.Stmt) {
	p.begin("SwitchStmt")
	pos := p.skip()
	h := p.header(token.SWITCH)
	overTypes := p.guards(h.main)
	body := p.clauses(false)
	if overTypes {
		s = &ast.TypeSwitchStmt{Switch: pos, Init: h.init, Assign: h.main, Body: body}
	} else {
		tag := p.only(h.main, "switch expression")
		s = &ast.SwitchStmt{Switch: pos, Init: h.init, Tag: tag, Body: body}
	}
	p.end()
	return s
}

// guards says whether a switch over s is one over types.
func (p *parser) guards(s ast.Stmt) bool {
	var x ast.Expr
	op := token.DEFINE
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		if op = s.Tok; len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			x = s.Rhs[0]
		}
	}
	t, ok := x.(*ast.TypeAssertExpr)
	if !ok || t.Type != nil {
		return false
	}
	if op == token.ASSIGN {
		p.error(s.(*ast.AssignStmt).TokPos, "expected ':=', found '='")
	}
	return op == token.ASSIGN || op == token.DEFINE
}

// clauses takes the braces of a switch, or of a select, and what is in them.
func (p *parser) clauses(comm bool) *ast.BlockStmt {
	b := &ast.BlockStmt{Lbrace: p.expect(token.LBRACE)}
	for p.tok == token.DEFAULT || p.tok == token.CASE {
		b.List = append(b.List, p.clause(comm))
	}
	b.Rbrace = p.expect(token.RBRACE)
	p.terminator()
	return b
}

func (p *parser) clause(comm bool) (s ast.Stmt) {
	word := p.tok
	if comm {
		p.begin("CommClause")
		c := &ast.CommClause{Case: p.skip()}
		if word == token.CASE {
			c.Comm = p.comm()
		}
		c.Colon, c.Body = p.expect(token.COLON), p.stmtList()
		s = c
	} else {
		p.begin("CaseClause")
		c := &ast.CaseClause{Case: p.skip()}
		if word == token.CASE {
			c.List = p.exprs(true)
		}
		c.Colon, c.Body = p.expect(token.COLON), p.stmtList()
		s = c
	}
	p.end()
	return s
}

// comm takes the send or receive of a select's case.
func (p *parser) comm() ast.Stmt {
	list := p.exprs(false)
	if p.tok != token.ASSIGN && p.tok != token.DEFINE {
		return p.ofOne(list, inCase)
	}
	if len(list) > 2 {
		p.expected(list[0].Pos(), "1 or 2 expressions")
		list = list[:2]
	}
	a := &ast.AssignStmt{Lhs: list, Tok: p.tok, TokPos: p.pos}
	p.next()
	a.Rhs = []ast.Expr{p.rhs()}
	return a
}

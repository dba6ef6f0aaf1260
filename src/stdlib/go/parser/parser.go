// Package parser makes trees of Go's source text.
//
// A method for each production of the grammar takes what begins at the current token; names and
// order of the productions show in traces, and what is expected where shows in errors, so both
// are Go's.
package parser

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/scanner"
	"go/token"
	"strings"
)

// deepest is how deep productions may be nested.
const deepest = 100_000

type parser struct {
	file    *token.File
	errors  scanner.ErrorList
	scanner scanner.Scanner
	mode    Mode
	trace   bool
	indent  int // of the trace

	comments    []*ast.CommentGroup
	leadComment *ast.CommentGroup // the one that ends on the line before the current token
	lineComment *ast.CommentGroup // the one behind the token before, on its line
	top         bool              // before the package clause?
	goVersion   string

	pos token.Pos // of the current token
	tok token.Token
	lit string

	syncPos token.Pos // where the last recovery stopped,
	syncs   int       // and how often in a row

	level   int  // of expressions; negative in the head of a statement with a block
	inRhs   bool // is a `=` a misspelt `==`?
	imports []*ast.ImportSpec
	depth   int // of productions
}

func (p *parser) init(file *token.File, src []byte, mode Mode) {
	p.file, p.mode, p.trace, p.top = file, mode, mode&Trace != 0, true
	p.scanner.Init(file, src, p.errors.Add, scanner.ScanComments)
	p.next()
}

// tell prints a line of the trace.
func (p *parser) tell(what string) {
	pos := p.file.Position(p.pos)
	fmt.Printf("%5d:%3d: %s%s\n", pos.Line, pos.Column, strings.Repeat(". ", p.indent), what)
}

// enter traces that a production begins; what it returns, that it ends.
func (p *parser) enter(name string) func() {
	p.tell(name + " (")
	p.indent++
	return func() {
		p.indent--
		p.tell(")")
	}
}

// deeper counts a production that may contain itself. Its end counts back, without a deferred
// call: a parser that panics goes no further.
func (p *parser) deeper() {
	p.depth++
	if p.depth > deepest {
		p.error(p.pos, "exceeded max nesting depth")
		panic(bailout{})
	}
}

// scan goes to the next token, which can be a comment.
func (p *parser) scan() {
	if p.trace && p.pos.IsValid() {
		switch text := p.tok.String(); {
		case p.tok.IsLiteral():
			p.tell(text + " " + p.lit)
		case p.tok.IsOperator() || p.tok.IsKeyword():
			p.tell(`"` + text + `"`)
		default:
			p.tell(text)
		}
	}
	for {
		p.pos, p.tok, p.lit = p.scanner.Scan()
		if p.tok != token.COMMENT {
			p.top = false
			return
		}
		if p.top && strings.HasPrefix(p.lit, "//go:build") {
			if x, err := constraint.Parse(p.lit); err == nil {
				p.goVersion = constraint.GoVersion(x)
			}
		}
		if p.mode&ParseComments != 0 {
			return
		}
	}
}

func (p *parser) line(pos token.Pos) int { return p.file.PositionFor(pos, false).Line }

// group takes comments with at most that many lines from one to the next, and returns them and
// the line that the last ends on.
func (p *parser) group(lines int) (*ast.CommentGroup, int) {
	g := new(ast.CommentGroup)
	end := p.line(p.pos)
	for p.tok == token.COMMENT && p.line(p.pos) <= end+lines {
		end = p.line(p.pos)
		if p.lit[1] == '*' {
			end += strings.Count(p.lit, "\n")
		}
		g.List = append(g.List, &ast.Comment{Slash: p.pos, Text: p.lit})
		p.scan()
	}
	p.comments = append(p.comments, g)
	return g, end
}

// next goes to the next token that is no comment.
func (p *parser) next() {
	p.leadComment, p.lineComment = nil, nil
	before := p.pos
	p.scan()
	if p.tok != token.COMMENT {
		return
	}
	var g *ast.CommentGroup
	if p.line(p.pos) == p.line(before) {
		var end int
		g, end = p.group(0)
		if p.line(p.pos) != end || p.tok == token.SEMICOLON || p.tok == token.EOF {
			p.lineComment = g
		}
	}
	end := -1
	for p.tok == token.COMMENT {
		g, end = p.group(1)
	}
	if end+1 == p.line(p.pos) {
		p.leadComment = g
	}
}

func (p *parser) error(pos token.Pos, msg string) {
	if p.trace {
		defer p.enter("error: " + msg)()
	}
	place := p.file.Position(pos)
	if p.mode&AllErrors == 0 {
		n := len(p.errors)
		if n > 0 && p.errors[n-1].Pos.Line == place.Line {
			return
		}
		if n > 10 {
			panic(bailout{})
		}
	}
	p.errors.Add(place, msg)
}

func (p *parser) expected(pos token.Pos, what string) {
	msg := "expected " + what
	if pos == p.pos {
		switch {
		case p.tok == token.SEMICOLON && p.lit == "\n":
			msg += ", found newline"
		case p.tok.IsLiteral():
			msg += ", found " + p.lit
		default:
			msg += ", found '" + p.tok.String() + "'"
		}
	}
	p.error(pos, msg)
}

// expect takes a token, which should be tok, and returns its place.
func (p *parser) expect(tok token.Token) token.Pos {
	pos := p.pos
	if p.tok != tok {
		p.expected(pos, "'"+tok.String()+"'")
	}
	p.next()
	return pos
}

// expectValid is expect, but for NoPos if the token is another.
func (p *parser) expectValid(tok token.Token) token.Pos {
	found := p.tok == tok
	if pos := p.expect(tok); found {
		return pos
	}
	return token.NoPos
}

// expectClosing is expect behind a list whose last comma may be missing before a line end.
func (p *parser) expectClosing(tok token.Token, list string) token.Pos {
	if p.tok == token.SEMICOLON && p.lit == "\n" {
		p.error(p.pos, "missing ',' before newline in "+list)
		p.next()
	}
	return p.expect(tok)
}

// semicolon takes the end of a statement, and returns the comment on its line.
func (p *parser) semicolon() *ast.CommentGroup {
	switch p.tok {
	case token.RPAREN, token.RBRACE:
		return nil
	case token.COMMA:
		p.expected(p.pos, "';'")
	case token.SEMICOLON:
	default:
		p.expected(p.pos, "';'")
		p.advance(statements)
		return nil
	}
	comment := p.lineComment
	explicit := p.lit == ";"
	p.next()
	if explicit {
		comment = p.lineComment
	}
	return comment
}

// comma says whether another element may follow: at a comma, or where one is missing.
func (p *parser) comma(list string, closing token.Token) bool {
	if p.tok == token.COMMA || p.tok == closing {
		return p.tok == token.COMMA
	}
	msg := "missing ','"
	if p.tok == token.SEMICOLON && p.lit == "\n" {
		msg += " before newline"
	}
	p.error(p.pos, msg+" in "+list)
	return true
}

// stops says where a recovery may stop.
type stops func(token.Token) bool

func statements(tok token.Token) bool {
	switch tok {
	case token.BREAK, token.CONST, token.CONTINUE, token.DEFER, token.FALLTHROUGH, token.FOR,
		token.GO, token.GOTO, token.IF, token.RETURN, token.SELECT, token.SWITCH, token.TYPE,
		token.VAR:
		return true
	}
	return false
}

func declarations(tok token.Token) bool {
	switch tok {
	case token.IMPORT, token.CONST, token.TYPE, token.VAR:
		return true
	}
	return false
}

func ends(tok token.Token) bool {
	switch tok {
	case token.COMMA, token.COLON, token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE:
		return true
	}
	return false
}

// advance skips to a token where parsing can go on; stopping at the same one again and again
// ends after ten times.
func (p *parser) advance(to stops) {
	for ; p.tok != token.EOF; p.next() {
		if !to(p.tok) {
			continue
		}
		if p.pos == p.syncPos && p.syncs < 10 {
			p.syncs++
			return
		}
		if p.pos > p.syncPos {
			p.syncPos, p.syncs = p.pos, 0
			return
		}
	}
}

func (p *parser) ident() *ast.Ident {
	name := &ast.Ident{NamePos: p.pos, Name: "_"}
	if p.tok == token.IDENT {
		name.Name = p.lit
	}
	p.expect(token.IDENT)
	return name
}

func (p *parser) identList() []*ast.Ident {
	if p.trace {
		defer p.enter("IdentList")()
	}
	list := []*ast.Ident{p.ident()}
	for p.tok == token.COMMA {
		p.next()
		list = append(list, p.ident())
	}
	return list
}

func (p *parser) exprList(inRhs bool) []ast.Expr {
	before := p.inRhs
	p.inRhs = inRhs
	list := p.exprs()
	p.inRhs = before
	return list
}

func (p *parser) exprs() []ast.Expr {
	if p.trace {
		defer p.enter("ExpressionList")()
	}
	list := []ast.Expr{p.expr()}
	for p.tok == token.COMMA {
		p.next()
		list = append(list, p.expr())
	}
	return list
}

// bad skips to where parsing can go on, after an error at pos.
func (p *parser) bad(what string, to stops) *ast.BadExpr {
	pos := p.pos
	p.expected(pos, what)
	p.advance(to)
	return &ast.BadExpr{From: pos, To: p.pos}
}

func assert(cond bool, msg string) {
	if !cond {
		panic("go/parser internal error: " + msg)
	}
}

// indexed returns x[list…].
func indexed(x ast.Expr, lbrack token.Pos, list []ast.Expr, rbrack token.Pos) ast.Expr {
	if len(list) == 1 {
		return &ast.IndexExpr{X: x, Lbrack: lbrack, Index: list[0], Rbrack: rbrack}
	}
	return &ast.IndexListExpr{X: x, Lbrack: lbrack, Indices: list, Rbrack: rbrack}
}

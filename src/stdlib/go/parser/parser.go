// Package parser makes trees of Go's source text.
//
// The parser looks at one token, and takes what begins there: there is a method for a production
// of the grammar, or for a family of productions that differ in little. Which one it is, the
// table of roles in tokens.go says: it has what each token may begin, continue or end. Two
// routines take all lists: commas, where nothing encloses the list, and until, where a closing
// token does.
//
// Names and order of the productions show in traces, and what is expected where shows in errors,
// so both are Go's. A production is put between begin and end; nothing is deferred, since a
// parser that gives up panics, and the driver (interface.go) then writes the ends that are due.
//
// The files: parser.go has tokens, comments and errors; decls.go, types.go, params.go, exprs.go
// and stmts.go the productions; resolver.go gives the names of a finished tree their objects.
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
	scanner scanner.Scanner
	file    *token.File
	mode    Mode
	errors  scanner.ErrorList

	tok token.Token // the current one,
	pos token.Pos   // where it begins,
	lit string      // and its text

	doc      *ast.CommentGroup // the comments that end on the line before the current token
	beside   *ast.CommentGroup // the comments behind the token before, on its line
	comments []*ast.CommentGroup
	version  string // what a //go:build before the package clause asks for
	started  bool   // has a token been seen that is no comment?

	depth     int  // of productions
	heads     int  // nesting of expressions; negative in the head of a statement with a block
	comparing bool // is a `=` a misspelt `==`?
	imports   []*ast.ImportSpec

	lastSync token.Pos // where the last recovery stopped,
	stuck    int       // and how often in a row

	trace  bool
	indent int
}

func (p *parser) init(file *token.File, src []byte, mode Mode) {
	p.file, p.mode, p.trace = file, mode, mode&Trace != 0
	p.scanner.Init(file, src, p.errors.Add, scanner.ScanComments)
	p.next()
}

// tell prints a line of the trace.
func (p *parser) tell(what string) {
	place := p.file.Position(p.pos)
	fmt.Printf("%5d:%3d: %s%s\n", place.Line, place.Column, strings.Repeat(". ", p.indent), what)
}

// begin traces that a production begins, and end that it ends.
func (p *parser) begin(name string) {
	if p.trace {
		p.enter(name)
	}
}

func (p *parser) enter(name string) {
	p.tell(name + " (")
	p.indent++
}

func (p *parser) end() {
	if p.trace {
		p.leave()
	}
}

func (p *parser) leave() {
	p.indent--
	p.tell(")")
}

// deeper counts a production that may contain itself; who calls it counts back.
func (p *parser) deeper() {
	if p.depth++; p.depth > deepest {
		p.tooDeep()
	}
}

func (p *parser) tooDeep() {
	p.error(p.pos, "exceeded max nesting depth")
	panic(bailout{})
}

// advance makes the next token of the scanner the current one, which may be a comment if
// comments are wanted.
func (p *parser) advance() {
	if p.pos != token.NoPos && p.trace {
		p.tell(p.describe())
	}
	for {
		p.pos, p.tok, p.lit = p.scanner.Scan()
		switch {
		case p.tok != token.COMMENT:
			p.started = true
			return
		case !p.started && strings.HasPrefix(p.lit, "//go:build"):
			if x, err := constraint.Parse(p.lit); err == nil {
				p.version = constraint.GoVersion(x)
			}
		}
		if p.mode&ParseComments != 0 {
			return
		}
	}
}

// describe returns the current token's kind, and a literal's text, or else the token in quotes.
func (p *parser) describe() string {
	kind := p.tok.String()
	if p.tok.IsLiteral() {
		return kind + " " + p.lit
	}
	if p.tok.IsOperator() || p.tok.IsKeyword() {
		return `"` + kind + `"`
	}
	return kind
}

func (p *parser) line(pos token.Pos) int { return p.file.PositionFor(pos, false).Line }

// next makes the next token that is no comment the current one. Comments before it make groups:
// one that begins on the line of the token before, and others parted by empty lines.
func (p *parser) next() {
	p.doc, p.beside = nil, nil
	before := p.pos
	p.advance()
	if p.tok == token.COMMENT {
		p.groups(p.line(before))
	}
}

// groups takes comments; before is the line of the token before them.
func (p *parser) groups(before int) {
	gap := 0
	line := p.line(p.pos)
	if line != before {
		gap = 1
	}
	for ; p.tok == token.COMMENT; gap = 1 {
		g := new(ast.CommentGroup)
		last := line
		for p.tok == token.COMMENT && line <= last+gap {
			last = line
			if strings.HasPrefix(p.lit, "/*") {
				last += strings.Count(p.lit, "\n")
			}
			g.List = append(g.List, &ast.Comment{Slash: p.pos, Text: p.lit})
			p.advance()
			line = p.line(p.pos)
		}
		p.comments = append(p.comments, g)
		if gap == 1 && line == last+1 {
			p.doc = g
		}
		if gap == 0 && (line != last || p.tok == token.SEMICOLON || p.tok == token.EOF) {
			p.beside = g
		}
	}
}

// error notes an error. Unless all are wanted, there is one for a line, and the eleventh is the
// last.
func (p *parser) error(pos token.Pos, msg string) {
	p.begin("error: " + msg)
	place := p.file.Position(pos)
	isWanted := true
	if count := len(p.errors); count > 0 && p.mode&AllErrors == 0 {
		isWanted = p.errors[count-1].Pos.Line != place.Line
		if isWanted && count > 10 {
			panic(bailout{})
		}
	}
	if isWanted {
		p.errors.Add(place, msg)
	}
	p.end()
}

// atNewline says whether the current token is a semicolon that a line end stands for.
func (p *parser) atNewline() bool { return p.tok == token.SEMICOLON && p.lit == "\n" }

// expected notes that something else should be at pos.
func (p *parser) expected(pos token.Pos, what string) {
	found := ""
	if pos == p.pos {
		found = ", found '" + p.tok.String() + "'"
		if p.atNewline() {
			found = ", found newline"
		} else if p.tok.IsLiteral() {
			found = ", found " + p.lit
		}
	}
	p.error(pos, "expected "+what+found)
}

// take takes the current token if it is tok, and says whether it was.
func (p *parser) take(tok token.Token) bool {
	if p.tok != tok {
		return false
	}
	p.next()
	return true
}

// skip takes the current token, and returns its place.
func (p *parser) skip() token.Pos {
	pos := p.pos
	p.next()
	return pos
}

// expect is skip for a token that should be tok.
func (p *parser) expect(tok token.Token) token.Pos {
	if p.tok != tok {
		p.expected(p.pos, "'"+tok.String()+"'")
	}
	return p.skip()
}

// terminator takes the end of a statement, and returns the comment on its line.
func (p *parser) terminator() *ast.CommentGroup {
	if p.tok == token.RPAREN || p.tok == token.RBRACE {
		return nil
	}
	if p.tok != token.SEMICOLON {
		p.expected(p.pos, "';'")
		if p.tok != token.COMMA {
			p.recover(syncStmt)
			return nil
		}
	}
	// The comment is before a line end, but behind a written semicolon.
	before, written := p.beside, p.lit == ";"
	p.next()
	if written {
		return p.beside
	}
	return before
}

// comma goes on to the next element of a list, if there may be one: behind a comma, or where one
// is missing.
func (p *parser) comma(list string, closing token.Token) bool {
	switch p.tok {
	case closing:
		return false
	case token.COMMA:
	default:
		place := "in "
		if p.atNewline() {
			place = "before newline in "
		}
		p.error(p.pos, "missing ',' "+place+list)
	}
	p.next()
	return true
}

// expectClosing is expect behind a list whose last comma may be missing before a line end.
func (p *parser) expectClosing(tok token.Token, list string) token.Pos {
	if p.atNewline() {
		p.error(p.pos, "missing ',' before newline in "+list)
		p.next()
	}
	return p.expect(tok)
}

// until takes elements up to the closing token, or to one that says that it is the last.
func (p *parser) until(closing token.Token, list string, element func() (more bool)) {
	for more := true; more && p.tok != closing && p.tok != token.EOF; {
		more = element()
		if !p.comma(list, closing) {
			return
		}
	}
}

// commas takes one element or several, with commas between them.
func commas[T any](p *parser, element func(*parser) T) []T {
	list := []T{element(p)}
	for p.take(token.COMMA) {
		list = append(list, element(p))
	}
	return list
}

// recover skips to a token where parsing can go on. It stops at the same one ten times at most,
// so that a production which does not take it cannot hold up the parser.
func (p *parser) recover(to role) {
	for ; p.tok != token.EOF; p.next() {
		switch {
		case !p.at(to) || p.pos < p.lastSync:
		case p.pos > p.lastSync:
			p.lastSync, p.stuck = p.pos, 0
			return
		case p.stuck < 10:
			p.stuck++
			return
		}
	}
}

// bad notes that something else should be here, and skips to where parsing can go on.
func (p *parser) bad(expected string, to role) *ast.BadExpr {
	x := &ast.BadExpr{From: p.pos}
	p.expected(p.pos, expected)
	p.recover(to)
	x.To = p.pos
	return x
}

func (p *parser) ident() *ast.Ident {
	name := "_"
	if p.tok == token.IDENT {
		name = p.lit
	}
	return &ast.Ident{Name: name, NamePos: p.expect(token.IDENT)}
}

func (p *parser) idents() []*ast.Ident {
	p.begin("IdentList")
	list := commas(p, (*parser).ident)
	p.end()
	return list
}

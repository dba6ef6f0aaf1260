package printer

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

func (p *printer) file(f *ast.File) {
	p.comment(f.Doc)
	p.tokenAt(f.Pos(), token.PACKAGE)
	p.gap(blank)
	p.expr(f.Name)
	p.decls(f.Decls)
	p.gap(newline)
}

// decls prints declarations, with an empty line between those of different keywords, and before
// those with doc comments.
func (p *printer) decls(list []ast.Decl) {
	tok := token.ILLEGAL
	for _, d := range list {
		prev := tok
		tok = token.ILLEGAL
		switch d := d.(type) {
		case *ast.GenDecl:
			tok = d.Tok
		case *ast.FuncDecl:
			tok = token.FUNC
		}
		if len(p.out) > 0 {
			least := 1
			if tok != prev || docOf(d) != nil {
				least = 2
			}
			p.lineBreak(p.lineOf(d.Pos()), least, none, tok == token.FUNC && p.height(d) > 1)
		}
		p.decl(d)
	}
}

func (p *printer) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.GenDecl:
		p.genDecl(d)
	case *ast.FuncDecl:
		p.funcDecl(d)
	case *ast.BadDecl:
		p.moveTo(d.Pos())
		p.note("BadDecl")
	default:
		panic("unreachable")
	}
}

func (p *printer) funcDecl(d *ast.FuncDecl) {
	p.comment(d.Doc)
	p.tokenAt(d.Pos(), token.FUNC)
	p.gap(blank)
	column := p.column - len("func ")
	if d.Recv != nil {
		p.params(d.Recv, ofFunc)
		p.gap(blank)
	}
	p.expr(d.Name)
	p.signature(d.Type)
	p.funcBody(p.come(d.Pos(), column), cell, d.Body)
}

// genDecl prints a declaration; in parentheses if it has them, or does not declare one thing.
func (p *printer) genDecl(d *ast.GenDecl) {
	p.comment(d.Doc)
	p.tokenAt(d.Pos(), d.Tok)
	p.gap(blank)
	n := len(d.Specs)
	if !d.Lparen.IsValid() && n == 1 {
		p.spec(d.Specs[0], 1, true)
		return
	}
	p.tokenAt(d.Lparen, token.LPAREN)
	if n > 0 {
		p.gap(in)
		p.gap(section)
		var typed []bool
		if n > 1 && (d.Tok == token.CONST || d.Tok == token.VAR) {
			typed = typeColumns(d.Specs)
		}
		line := 0
		for i, s := range d.Specs {
			if i > 0 {
				p.lineBreak(p.lineOf(s.Pos()), 1, none, p.line > line)
			}
			p.start = &line
			if typed != nil {
				p.values(s.(*ast.ValueSpec), typed[i])
			} else {
				p.spec(s, n, false)
			}
		}
		p.gap(out)
		p.gap(section)
	}
	p.tokenAt(d.Rparen, token.RPAREN)
}

// spec prints one of n declarations; with indented, names on other lines than the first are.
func (p *printer) spec(s ast.Spec, n int, indented bool) {
	switch s := s.(type) {
	case *ast.ImportSpec:
		p.comment(s.Doc)
		if s.Name != nil {
			p.expr(s.Name)
			p.gap(blank)
		}
		p.expr(quotedPath(s.Path))
		p.comment(s.Comment)
		p.moveTo(s.EndPos)
	case *ast.ValueSpec:
		p.comment(s.Doc)
		p.names(s.Names, indented)
		if s.Type != nil {
			p.gap(blank)
			p.expr(s.Type)
		}
		if s.Values != nil {
			p.gap(blank)
			p.initial(s.Values)
		}
		p.comment(s.Comment)
	case *ast.TypeSpec:
		p.comment(s.Doc)
		p.expr(s.Name)
		if s.TypeParams != nil {
			p.params(s.TypeParams, typesOfTypes)
		}
		if n == 1 {
			p.gap(blank)
		} else {
			p.gap(cell)
		}
		if s.Assign.IsValid() {
			p.token(token.ASSIGN)
			p.gap(blank)
		}
		p.expr(s.Type)
		p.comment(s.Comment)
	default:
		panic("unreachable")
	}
}

func (p *printer) initial(values []ast.Expr) {
	p.token(token.ASSIGN)
	p.gap(blank)
	p.exprs(list{exprs: values, depth: 1})
}

// values prints variables or constants with columns for names, types, values and comments. Without
// typed, values stand in the column of types.
func (p *printer) values(s *ast.ValueSpec, typed bool) {
	p.comment(s.Doc)
	p.names(s.Names, false)
	left := 3 // columns before the comment
	if s.Type != nil || typed {
		p.gap(cell)
		left--
	}
	if s.Type != nil {
		p.expr(s.Type)
	}
	if s.Values != nil {
		p.gap(cell)
		p.initial(s.Values)
		left--
	}
	if s.Comment != nil {
		for range left {
			p.gap(cell)
		}
		p.comment(s.Comment)
	}
}

// typeColumns says for each declaration whether its value stands behind a column of types: those
// are of a run of declarations with values, of which one has a type.
func typeColumns(specs []ast.Spec) []bool {
	typed := make([]bool, len(specs))
	for i := 0; i < len(specs); {
		from, any := i, false
		for ; i < len(specs); i++ {
			s := specs[i].(*ast.ValueSpec)
			if s.Values == nil {
				break
			}
			any = any || s.Type != nil
		}
		for j := from; j < i; j++ {
			typed[j] = any
		}
		if i == from {
			i++
		}
	}
	return typed
}

// quotedPath returns the path of an import in double quotes, if it is a path.
func quotedPath(x *ast.BasicLit) *ast.BasicLit {
	if x.Kind != token.STRING {
		return x
	}
	path, err := strconv.Unquote(x.Value)
	if err != nil || path == "" {
		return x
	}
	for _, c := range path {
		if !unicode.IsGraphic(c) || unicode.IsSpace(c) ||
			strings.ContainsRune("!\"#$%&'()*,:;<=>?[\\]^{|}`\uFFFD", c) {
			return x
		}
	}
	quoted := strconv.Quote(path)
	if quoted == x.Value {
		return x
	}
	return &ast.BasicLit{ValuePos: x.ValuePos, Kind: token.STRING, Value: quoted}
}

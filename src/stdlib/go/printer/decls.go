package printer

// This file prints files and declarations.

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

func (p *printer) file(f *ast.File) {
	p.comment(f.Doc)
	p.markAt(f.Package, "package ")
	p.expr(f.Name)
	p.decls(f.Decls)
	p.gap("\n")
}

// decls prints declarations, with an empty line between those of different keywords, and before
// those with doc comments.
func (p *printer) decls(list []ast.Decl) {
	last := token.ILLEGAL
	for _, d := range list {
		keyword, apart := token.ILLEGAL, false
		if g, ok := d.(*ast.GenDecl); ok {
			keyword = g.Tok
		} else if _, ok := d.(*ast.FuncDecl); ok {
			keyword, apart = token.FUNC, p.height(d) > 1
		}
		lines := 1
		if doc, _ := commentsOf(d); doc != nil || keyword != last {
			lines = 2
		}
		if len(p.out) > 0 {
			p.turn(p.lineOf(d.Pos()), lines, "", apart)
		}
		p.decl(d)
		last = keyword
	}
}

func (p *printer) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		p.comment(d.Doc)
		p.function(d, d.Type, d.Body)
	case *ast.GenDecl:
		p.comment(d.Doc)
		p.moveTo(d.Pos())
		p.mark(d.Tok.String())
		p.gap(" ")
		if d.Lparen.IsValid() || len(d.Specs) != 1 {
			p.specs(d)
		} else {
			p.spec(d.Specs[0], true, true)
		}
	case *ast.BadDecl:
		p.moveTo(d.Pos())
		p.remark("BadDecl")
	default:
		panic("unreachable")
	}
}

// specs prints declarations in parentheses.
func (p *printer) specs(d *ast.GenDecl) {
	p.markAt(d.Lparen, "(")
	if len(d.Specs) > 0 {
		p.gap(">\f")
	}
	single := len(d.Specs) == 1
	columns := !single && (d.Tok == token.VAR || d.Tok == token.CONST)
	r := p.newRows()
	left, typed := 0, false // of a run of values
	for i, s := range d.Specs {
		r.next(s.Pos())
		if !columns {
			p.spec(s, single, false)
			continue
		}
		if left == 0 {
			left, typed = valueRun(d.Specs[i:])
		}
		p.values(s.(*ast.ValueSpec), typed)
		left--
	}
	r.end()
	if len(d.Specs) > 0 {
		p.gap("<\f")
	}
	p.markAt(d.Rparen, ")")
}

// valueRun returns how many declarations with values are in a row from the first on, and whether
// the values stand behind a column of types, as they do if one has a type. A declaration without
// values is alone.
func valueRun(specs []ast.Spec) (n int, typed bool) {
	for n < len(specs) {
		s := specs[n].(*ast.ValueSpec)
		if s.Values == nil {
			break
		}
		typed = typed || s.Type != nil
		n++
	}
	return max(n, 1), typed
}

// spec prints a declaration; single, if there is no column for the types of others. With indented,
// names on other lines than the first are.
func (p *printer) spec(s ast.Spec, single, indented bool) {
	doc, behind := commentsOf(s)
	p.comment(doc)
	end := token.NoPos
	switch s := s.(type) {
	case *ast.TypeSpec:
		p.expr(s.Name)
		p.params(s.TypeParams, typeBrackets(s.TypeParams))
		if single {
			p.gap(" ")
		} else {
			p.gap("\v")
		}
		if s.Assign.IsValid() {
			p.mark("= ")
		}
		p.expr(s.Type)
	case *ast.ImportSpec:
		if s.Name != nil {
			p.expr(s.Name)
			p.gap(" ")
		}
		p.expr(quotedPath(s.Path))
		end = s.EndPos
	case *ast.ValueSpec:
		p.names(s.Names, indented)
		if s.Type != nil {
			p.gap(" ")
			p.expr(s.Type)
		}
		if s.Values != nil {
			p.mark(" = ")
			p.exprs(list{exprs: s.Values, depth: 1})
		}
	default:
		panic("unreachable")
	}
	p.comment(behind)
	p.moveTo(end)
}

// values prints variables or constants with columns for names, types, values and comments. Without
// typed, values stand in the column of types.
func (p *printer) values(s *ast.ValueSpec, typed bool) {
	column := 0
	enter := func(next int) {
		p.gap("\v\v\v"[:next-column])
		column = next
	}
	p.comment(s.Doc)
	p.names(s.Names, false)
	if s.Type != nil {
		enter(1)
		p.expr(s.Type)
	} else if typed {
		enter(1)
	}
	if s.Values != nil {
		enter(column + 1)
		p.mark("= ")
		p.exprs(list{exprs: s.Values, depth: 1})
	}
	if s.Comment != nil {
		enter(3)
		p.comment(s.Comment)
	}
}

// quotedPath returns the path of an import in double quotes, if it is a path.
func quotedPath(x *ast.BasicLit) *ast.BasicLit {
	path, err := strconv.Unquote(x.Value)
	if x.Kind != token.STRING || err != nil || path == "" || strings.ContainsFunc(path, notInPath) {
		return x
	}
	if quoted := strconv.Quote(path); quoted != x.Value {
		return &ast.BasicLit{Kind: x.Kind, Value: quoted, ValuePos: x.ValuePos}
	}
	return x
}

func notInPath(c rune) bool {
	const no = "`!\"#$%&'()*,:;<=>?[]\\^{|}\uFFFD"
	return unicode.IsSpace(c) || !unicode.IsGraphic(c) || strings.IndexRune(no, c) >= 0
}

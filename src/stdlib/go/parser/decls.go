package parser

import (
	"go/ast"
	"go/token"
)

// sourceFile takes a file; nil if that does not begin as one of Go.
func (p *parser) sourceFile() (f *ast.File) {
	p.begin("File")
	if len(p.errors) == 0 {
		f = &ast.File{Doc: p.doc}
		f.Package, f.Name = p.expect(token.PACKAGE), p.ident()
		if p.mode&DeclarationErrors != 0 && f.Name.Name == "_" {
			p.error(p.pos, "invalid package name _")
		}
		p.terminator()
	}
	if len(p.errors) > 0 {
		f = nil
	} else {
		p.fileDecls(f)
		f.Imports, f.Comments, f.GoVersion = p.imports, p.comments, p.version
		if p.mode&SkipObjectResolution == 0 {
			p.resolve(f)
		}
	}
	p.end()
	return f
}

// fileDecls takes as many of a file's declarations as the mode wants.
func (p *parser) fileDecls(f *ast.File) {
	if p.mode&PackageClauseOnly != 0 {
		return
	}
	for p.tok == token.IMPORT {
		f.Decls = append(f.Decls, p.genDecl())
	}
	if p.mode&ImportsOnly != 0 {
		return
	}
	for importing := true; p.tok != token.EOF; {
		if p.tok != token.IMPORT {
			importing = false
		} else if !importing {
			p.error(p.pos, "imports must appear before other declarations")
			importing = true // no second error for a run of imports
		}
		f.Decls = append(f.Decls, p.decl(syncDecl))
	}
}

func (p *parser) decl(sync role) (d ast.Decl) {
	p.begin("Declaration")
	switch {
	case p.at(syncDecl):
		d = p.genDecl()
	case p.tok == token.FUNC:
		d = p.funcDecl()
	default:
		d = (*ast.BadDecl)(p.bad("declaration", sync))
	}
	p.end()
	return d
}

// genDecl takes a declaration with specifications: one, or several in parentheses.
func (p *parser) genDecl() *ast.GenDecl {
	d := &ast.GenDecl{Doc: p.doc, TokPos: p.pos, Tok: p.tok}
	if p.trace {
		p.begin("GenDecl(" + d.Tok.String() + ")")
	}
	if p.next(); p.tok != token.LPAREN {
		d.Specs = []ast.Spec{p.spec(d.Tok, nil)}
	} else {
		d.Lparen = p.skip()
		for p.tok != token.RPAREN && p.tok != token.EOF {
			d.Specs = append(d.Specs, p.spec(d.Tok, p.doc))
		}
		d.Rparen = p.expect(token.RPAREN)
		p.terminator()
	}
	p.end()
	return d
}

// spec takes a specification of a declaration with that keyword.
func (p *parser) spec(keyword token.Token, doc *ast.CommentGroup) (spec ast.Spec) {
	switch keyword {
	case token.IMPORT:
		p.begin("ImportSpec")
		s := &ast.ImportSpec{Doc: doc}
		if p.tok == token.IDENT {
			s.Name = p.ident()
		} else if p.tok == token.PERIOD {
			s.Name = &ast.Ident{Name: ".", NamePos: p.skip()}
		}
		s.Path = p.importPath()
		s.Comment = p.terminator()
		p.imports = append(p.imports, s)
		spec = s
	case token.TYPE:
		p.begin("TypeSpec")
		s := &ast.TypeSpec{Doc: doc, Name: p.ident()}
		if p.tok == token.LBRACK {
			p.typeOrParams(s)
		} else {
			p.typeOf(s)
		}
		s.Comment = p.terminator()
		spec = s
	default:
		if p.trace {
			p.begin(keyword.String() + "Spec")
		}
		s := &ast.ValueSpec{Doc: doc, Names: p.idents()}
		if keyword == token.VAR {
			if p.tok != token.ASSIGN {
				s.Type = p.typ()
			}
		} else {
			switch p.tok {
			case token.SEMICOLON, token.RPAREN, token.EOF:
			default:
				s.Type = p.maybeType()
			}
		}
		if p.take(token.ASSIGN) {
			s.Values = p.exprs(true)
		}
		s.Comment = p.terminator()
		spec = s
	}
	p.end()
	return spec
}

// importPath takes the path of an import, or what stands in its place.
func (p *parser) importPath() *ast.BasicLit {
	if p.tok == token.STRING {
		return p.basicLit()
	}
	none := &ast.BasicLit{ValuePos: p.pos, ValueEnd: p.pos, Kind: token.STRING}
	if p.tok.IsLiteral() {
		p.error(p.pos, "import path must be a string")
		p.next()
	} else {
		p.error(p.pos, "missing import path")
		p.recover(syncList)
	}
	return none
}

// typeOf takes the type that a specification gives to a name, behind the `=` of an alias.
func (p *parser) typeOf(s *ast.TypeSpec) {
	if p.tok == token.ASSIGN {
		s.Assign = p.skip()
	}
	s.Type = p.typ()
}

// typeOrParams takes what follows a type's name at `[`: an array type, or type parameters and a
// type. Both may begin with what looks like an expression.
func (p *parser) typeOrParams(s *ast.TypeSpec) {
	lbrack := p.skip()
	var name *ast.Ident
	var bound, length ast.Expr
	if p.tok == token.IDENT {
		length = p.ident()
		if p.tok != token.LBRACK {
			p.heads++
			length = p.binaryExpr(p.primaryExpr(length), token.LowestPrec+1)
			p.heads--
		}
		name, bound = splitParam(length, p.tok == token.COMMA)
	}
	if name == nil || bound == nil && p.tok == token.RBRACK {
		s.Type = p.arrayType(lbrack, length)
		return
	}
	p.begin("parseGenericType")
	s.TypeParams = &ast.FieldList{Opening: lbrack}
	s.TypeParams.List = p.paramList(name, bound, token.RBRACK, false)
	s.TypeParams.Closing = p.expect(token.RBRACK)
	p.typeOf(s)
	p.end()
}

// splitParam reads an expression such as `P`, `P *C`, `P (C)` or `P *C|D` as a type parameter
// and its bound. It returns no name if this can be an array's length, unless the caller is sure.
func splitParam(x ast.Expr, sure bool) (name *ast.Ident, bound ast.Expr) {
	if name, ok := x.(*ast.Ident); ok {
		return name, nil
	}
	// The parameter is the leftmost term, below the operators of a union.
	var union []*ast.BinaryExpr
	for {
		or, ok := x.(*ast.BinaryExpr)
		if !ok || or.Op != token.OR {
			break
		}
		union = append(union, or)
		sure = sure || onlyType(or.Y)
		x = or.X
	}
	var left, right ast.Expr
	switch x := x.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.MUL {
			left, right = x.X, x.Y
			bound = &ast.StarExpr{Star: x.OpPos, X: right}
		}
	case *ast.CallExpr:
		if len(x.Args) == 1 && x.Ellipsis == token.NoPos {
			left, right = x.Fun, x.Args[0]
			bound = &ast.ParenExpr{Lparen: x.Lparen, X: right, Rparen: x.Rparen}
		}
	}
	name, _ = left.(*ast.Ident)
	if name == nil || !sure && !onlyType(right) {
		return nil, nil
	}
	for len(union) > 0 {
		last := len(union) - 1
		or := *union[last]
		or.X, bound, union = bound, &or, union[:last]
	}
	return name, bound
}

// onlyType says whether x can only be a type or a set of types.
func onlyType(x ast.Expr) bool {
	for todo := []ast.Expr{x}; len(todo) > 0; {
		last := len(todo) - 1
		x, todo = ast.Unparen(todo[last]), todo[:last]
		switch x := x.(type) {
		case *ast.BinaryExpr:
			todo = append(todo, x.X, x.Y)
		case *ast.UnaryExpr:
			if x.Op == token.TILDE {
				return true
			}
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType,
			*ast.InterfaceType:
			return true
		}
	}
	return false
}

func (p *parser) funcDecl() *ast.FuncDecl {
	p.begin("FunctionDecl")
	d := &ast.FuncDecl{Doc: p.doc}
	pos := p.skip()
	if p.tok == token.LPAREN {
		d.Recv = p.params()
	}
	d.Name = p.ident()
	var generic *ast.FieldList
	if p.tok == token.LBRACK {
		generic = p.typeParams()
	}
	d.Type = p.signature(pos)
	d.Type.TypeParams = generic
	ended := p.take(token.SEMICOLON)
	if p.tok == token.LBRACE {
		if ended {
			p.error(p.pos, "unexpected semicolon or newline before {")
		}
		d.Body = p.block("Body")
		ended = false
	}
	if !ended {
		p.terminator()
	}
	p.end()
	return d
}

package parser

import (
	"go/ast"
	"go/token"
)

func (p *parser) importSpec(doc *ast.CommentGroup) ast.Spec {
	if p.trace {
		defer p.enter("ImportSpec")()
	}
	s := &ast.ImportSpec{Doc: doc}
	switch p.tok {
	case token.IDENT:
		s.Name = p.ident()
	case token.PERIOD:
		s.Name = &ast.Ident{NamePos: p.pos, Name: "."}
		p.next()
	}
	s.Path = &ast.BasicLit{ValuePos: p.pos, ValueEnd: p.pos, Kind: token.STRING}
	switch {
	case p.tok == token.STRING:
		s.Path = p.basicLit()
	case p.tok.IsLiteral():
		p.error(p.pos, "import path must be a string")
		p.next()
	default:
		p.error(p.pos, "missing import path")
		p.advance(ends)
	}
	s.Comment = p.semicolon()
	p.imports = append(p.imports, s)
	return s
}

func (p *parser) valueSpec(doc *ast.CommentGroup, keyword token.Token) ast.Spec {
	if p.trace {
		defer p.enter(keyword.String() + "Spec")()
	}
	s := &ast.ValueSpec{Doc: doc, Names: p.identList()}
	empty := p.tok == token.EOF || p.tok == token.SEMICOLON || p.tok == token.RPAREN
	switch {
	case keyword == token.CONST && !empty:
		s.Type = p.maybeType()
	case keyword == token.VAR && p.tok != token.ASSIGN:
		s.Type = p.typ()
	}
	if p.tok == token.ASSIGN {
		p.next()
		s.Values = p.exprList(true)
	}
	s.Comment = p.semicolon()
	return s
}

// genericType takes the type parameters of a declaration from the first on, whose name and
// perhaps type are taken already, and the type.
func (p *parser) genericType(s *ast.TypeSpec, lbrack token.Pos, name *ast.Ident, typ ast.Expr) {
	if p.trace {
		defer p.enter("parseGenericType")()
	}
	list := p.paramList(name, typ, token.RBRACK, false)
	s.TypeParams = &ast.FieldList{Opening: lbrack, List: list, Closing: p.expect(token.RBRACK)}
	p.alias(s)
	s.Type = p.typ()
}

// alias takes the `=` of an alias, if there is one.
func (p *parser) alias(s *ast.TypeSpec) {
	if p.tok == token.ASSIGN {
		s.Assign = p.pos
		p.next()
	}
}

func (p *parser) typeSpec(doc *ast.CommentGroup) ast.Spec {
	if p.trace {
		defer p.enter("TypeSpec")()
	}
	s := &ast.TypeSpec{Doc: doc, Name: p.ident()}
	if p.tok == token.LBRACK {
		p.afterBracket(s)
	} else {
		p.alias(s)
		s.Type = p.typ()
	}
	s.Comment = p.semicolon()
	return s
}

// afterBracket takes what can be an array type, or type parameters: both begin with what looks
// like an expression.
func (p *parser) afterBracket(s *ast.TypeSpec) {
	lbrack := p.pos
	p.next()
	if p.tok != token.IDENT {
		s.Type = p.arrayType(lbrack, nil)
		return
	}
	var x ast.Expr = p.ident()
	if p.tok != token.LBRACK {
		p.level++
		x = p.binaryExpr(p.primaryExpr(x), token.LowestPrec+1)
		p.level--
	}
	name, typ := splitName(x, p.tok == token.COMMA)
	if name != nil && (typ != nil || p.tok != token.RBRACK) {
		p.genericType(s, lbrack, name, typ)
	} else {
		s.Type = p.arrayType(lbrack, x)
	}
}

// splitName takes `P *C`, `P (C)` or `P *C|D` apart, if the rest must be a type, or sure says so.
func splitName(x ast.Expr, sure bool) (*ast.Ident, ast.Expr) {
	switch x := x.(type) {
	case *ast.Ident:
		return x, nil
	case *ast.BinaryExpr:
		if x.Op == token.MUL {
			if name, ok := x.X.(*ast.Ident); ok && (sure || isElem(x.Y)) {
				return name, &ast.StarExpr{Star: x.OpPos, X: x.Y}
			}
		} else if x.Op == token.OR {
			if name, left := splitName(x.X, sure || isElem(x.Y)); name != nil && left != nil {
				union := *x
				union.X = left
				return name, &union
			}
		}
	case *ast.CallExpr:
		name, ok := x.Fun.(*ast.Ident)
		if ok && len(x.Args) == 1 && !x.Ellipsis.IsValid() && (sure || isElem(x.Args[0])) {
			return name, &ast.ParenExpr{Lparen: x.Lparen, X: x.Args[0], Rparen: x.Rparen}
		}
	}
	return nil, x
}

// isElem says whether x can only be a type or a set of types.
func isElem(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType,
		*ast.ChanType:
		return true
	case *ast.BinaryExpr:
		return isElem(x.X) || isElem(x.Y)
	case *ast.UnaryExpr:
		return x.Op == token.TILDE
	case *ast.ParenExpr:
		return isElem(x.X)
	}
	return false
}

func (p *parser) genDecl() *ast.GenDecl {
	keyword := p.tok
	if p.trace {
		defer p.enter("GenDecl(" + keyword.String() + ")")()
	}
	spec := func(doc *ast.CommentGroup) ast.Spec {
		switch keyword {
		case token.IMPORT:
			return p.importSpec(doc)
		case token.TYPE:
			return p.typeSpec(doc)
		default:
			return p.valueSpec(doc, keyword)
		}
	}
	d := &ast.GenDecl{Doc: p.leadComment, TokPos: p.pos, Tok: keyword}
	p.next()
	if p.tok != token.LPAREN {
		d.Specs = []ast.Spec{spec(nil)}
		return d
	}
	d.Lparen = p.expect(token.LPAREN)
	for p.tok != token.RPAREN && p.tok != token.EOF {
		d.Specs = append(d.Specs, spec(p.leadComment))
	}
	d.Rparen = p.expect(token.RPAREN)
	p.semicolon()
	return d
}

func (p *parser) funcDecl() *ast.FuncDecl {
	if p.trace {
		defer p.enter("FunctionDecl")()
	}
	d := &ast.FuncDecl{Doc: p.leadComment}
	pos := p.expect(token.FUNC)
	if p.tok == token.LPAREN {
		d.Recv = p.params(false)
	}
	d.Name = p.ident()
	var generic *ast.FieldList
	if p.tok == token.LBRACK {
		generic = p.typeParams()
	}
	d.Type = p.signature(pos)
	d.Type.TypeParams = generic
	if p.tok == token.SEMICOLON {
		p.next()
		if p.tok != token.LBRACE {
			return d
		}
		p.error(p.pos, "unexpected semicolon or newline before {")
	}
	if p.tok == token.LBRACE {
		d.Body = p.block("Body")
	}
	p.semicolon()
	return d
}

func (p *parser) decl(sync stops) ast.Decl {
	if p.trace {
		defer p.enter("Declaration")()
	}
	switch p.tok {
	case token.IMPORT, token.CONST, token.VAR, token.TYPE:
		return p.genDecl()
	case token.FUNC:
		return p.funcDecl()
	}
	bad := p.bad("declaration", sync)
	return &ast.BadDecl{From: bad.From, To: bad.To}
}

func (p *parser) parseFile() *ast.File {
	if p.trace {
		defer p.enter("File")()
	}
	if len(p.errors) > 0 {
		return nil // most likely no Go at all
	}
	f := &ast.File{Doc: p.leadComment}
	f.Package = p.expect(token.PACKAGE)
	f.Name = p.ident()
	if f.Name.Name == "_" && p.mode&DeclarationErrors != 0 {
		p.error(p.pos, "invalid package name _")
	}
	p.semicolon()
	if len(p.errors) > 0 {
		return nil
	}
	if p.mode&PackageClauseOnly == 0 {
		for p.tok == token.IMPORT {
			f.Decls = append(f.Decls, p.genDecl())
		}
		before := token.IMPORT
		for p.mode&ImportsOnly == 0 && p.tok != token.EOF {
			if p.tok == token.IMPORT && before != token.IMPORT {
				p.error(p.pos, "imports must appear before other declarations")
			}
			before = p.tok
			f.Decls = append(f.Decls, p.decl(declarations))
		}
	}
	f.Imports, f.Comments, f.GoVersion = p.imports, p.comments, p.goVersion
	if p.mode&SkipObjectResolution == 0 {
		p.resolve(f)
	}
	return f
}

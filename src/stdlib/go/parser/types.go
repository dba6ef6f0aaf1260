package parser

import (
	"go/ast"
	"go/token"
)

// typ takes a type, which must be here.
func (p *parser) typ() ast.Expr {
	p.begin("Type")
	t := p.maybeType()
	if t == nil {
		t = p.bad("type", syncList)
	}
	p.end()
	return t
}

// maybeType takes a type, and returns nil if there is none.
func (p *parser) maybeType() (t ast.Expr) {
	p.deeper()
	if p.at(startsType) {
		t = p.typeHere()
	}
	p.depth--
	return t
}

// typeHere takes the type that begins at the current token, which is one that begins a type.
func (p *parser) typeHere() (t ast.Expr) {
	switch p.tok {
	case token.IDENT:
		return p.typeArgs(p.typeName(nil))
	case token.LPAREN:
		// The parentheses have no production of their own.
		lparen, inner := p.skip(), p.typ()
		return &ast.ParenExpr{Lparen: lparen, X: inner, Rparen: p.expect(token.RPAREN)}
	case token.FUNC:
		return p.funcType()
	case token.LBRACK:
		return p.arrayType(p.skip(), nil)
	case token.MUL:
		p.begin("PointerType")
		star := p.skip()
		t = &ast.StarExpr{Star: star, X: p.typ()}
	case token.MAP:
		p.begin("MapType")
		m := &ast.MapType{Map: p.skip()}
		p.expect(token.LBRACK)
		m.Key = p.typ()
		p.expect(token.RBRACK)
		m.Value, t = p.typ(), m
	case token.STRUCT:
		p.begin("StructType")
		keyword := p.skip()
		t = &ast.StructType{Struct: keyword, Fields: p.members(p.field)}
	case token.INTERFACE:
		p.begin("InterfaceType")
		keyword := p.skip()
		t = &ast.InterfaceType{Interface: keyword, Methods: p.members(p.method)}
	default:
		p.begin("ChanType")
		t = p.chanType()
	}
	p.end()
	return t
}

// chanType takes a channel's type, from its arrow or keyword on.
func (p *parser) chanType() *ast.ChanType {
	c := &ast.ChanType{Begin: p.pos, Dir: ast.RECV}
	if p.tok == token.ARROW {
		c.Arrow = p.skip()
		p.expect(token.CHAN)
	} else if p.next(); p.tok == token.ARROW {
		c.Arrow, c.Dir = p.skip(), ast.SEND
	} else {
		c.Dir |= ast.SEND
	}
	c.Value = p.typ()
	return c
}

// typeName takes a name, perhaps of another package's type. Its first part may be taken already.
func (p *parser) typeName(name *ast.Ident) (t ast.Expr) {
	p.begin("TypeName")
	if name == nil {
		name = p.ident()
	}
	t = name
	if p.take(token.PERIOD) {
		t = &ast.SelectorExpr{X: name, Sel: p.ident()}
	}
	p.end()
	return t
}

// typeArgs takes the type arguments of t, if it has any.
func (p *parser) typeArgs(t ast.Expr) ast.Expr {
	if p.tok != token.LBRACK {
		return t
	}
	const what = "type argument list"
	p.begin("TypeInstance")
	lbrack := p.skip()
	args := p.restOfTypes(nil)
	rbrack := p.expectClosing(token.RBRACK, what)
	if len(args) == 0 {
		p.expected(rbrack, what)
		args = []ast.Expr{&ast.BadExpr{From: lbrack + 1, To: rbrack}}
	}
	p.end()
	return indexed(t, lbrack, args, rbrack)
}

// restOfTypes appends types up to a bracket to list.
func (p *parser) restOfTypes(list []ast.Expr) []ast.Expr {
	p.heads++
	p.until(token.RBRACK, "type argument list", func() bool {
		list = append(list, p.typ())
		return true
	})
	p.heads--
	return list
}

// qualified takes a type's name with its type arguments. The first part may be taken already.
func (p *parser) qualified(name *ast.Ident) ast.Expr {
	p.begin("QualifiedIdent")
	t := p.typeArgs(p.typeName(name))
	p.end()
	return t
}

// arrayType takes what follows `[`, or the length behind it.
func (p *parser) arrayType(lbrack token.Pos, length ast.Expr) ast.Expr {
	p.begin("ArrayType")
	switch {
	case length != nil || p.tok == token.RBRACK:
	case p.tok == token.ELLIPSIS:
		length = &ast.Ellipsis{Ellipsis: p.skip()}
	default:
		length = p.within((*parser).rhs)
	}
	if p.tok == token.COMMA {
		p.stray(p.pos)
		p.next()
	}
	p.expect(token.RBRACK)
	t := &ast.ArrayType{Lbrack: lbrack, Len: length, Elt: p.typ()}
	p.end()
	return t
}

// stray notes a comma behind an array's length.
func (p *parser) stray(comma token.Pos) { p.error(comma, "unexpected comma; expecting ]") }

// arrayOrArgs takes what follows a name at `[`. That is the array type of a field or parameter
// of that name; or else they are type arguments, when it returns no name.
func (p *parser) arrayOrArgs(name *ast.Ident) (*ast.Ident, ast.Expr) {
	p.begin("ArrayFieldOrTypeInstance")
	array := &ast.ArrayType{Lbrack: p.skip()}
	var list []ast.Expr
	comma := token.NoPos // one behind the last element
	p.heads++
	for p.tok != token.RBRACK {
		list, comma = append(list, p.rhs()), token.NoPos
		if p.tok != token.COMMA {
			break
		}
		comma = p.skip()
	}
	p.heads--
	rbrack := p.expect(token.RBRACK)
	switch len(list) {
	case 0:
		array.Elt = p.typ()
	case 1:
		array.Len, array.Elt = list[0], p.maybeType()
		if array.Elt != nil && comma.IsValid() {
			p.stray(comma)
		}
	}
	p.end()
	if array.Elt == nil {
		return nil, indexed(name, array.Lbrack, list, rbrack)
	}
	return name, array
}

// members takes the braces of a struct or an interface, and what is in them, until member
// returns nil.
func (p *parser) members(member func() *ast.Field) *ast.FieldList {
	list := &ast.FieldList{Opening: p.expect(token.LBRACE)}
	for f := member(); f != nil; f = member() {
		list.List = append(list.List, f)
	}
	list.Closing = p.expect(token.RBRACE)
	return list
}

// field takes a struct's field, or several of one type.
func (p *parser) field() *ast.Field {
	if p.tok != token.IDENT && p.tok != token.MUL && p.tok != token.LPAREN {
		return nil
	}
	p.begin("FieldDecl")
	f := &ast.Field{Doc: p.doc}
	if p.tok == token.IDENT {
		p.namedField(f)
	} else {
		f.Type = p.embeddedField()
	}
	if p.tok == token.STRING {
		f.Tag = p.basicLit()
	}
	f.Comment = p.terminator()
	p.end()
	return f
}

// namedField takes names and a type, or a type that begins with a name and is embedded.
func (p *parser) namedField(f *ast.Field) {
	first := p.ident()
	switch p.tok {
	case token.PERIOD:
		f.Type = p.qualified(first)
	case token.SEMICOLON, token.RBRACE, token.STRING:
		f.Type = first
	case token.LBRACK:
		if first, f.Type = p.arrayOrArgs(first); first != nil {
			f.Names = []*ast.Ident{first}
		}
	default:
		f.Names = []*ast.Ident{first}
		for p.take(token.COMMA) {
			f.Names = append(f.Names, p.ident())
		}
		f.Type = p.typ()
	}
}

// embeddedField takes an embedded type behind a star; parentheses are an error.
func (p *parser) embeddedField() ast.Expr {
	star, parens := token.NoPos, false
	for {
		if p.tok == token.MUL && star == token.NoPos {
			star = p.skip()
		} else if p.tok == token.LPAREN && !parens {
			p.error(p.pos, "cannot parenthesize embedded type")
			parens = true
			p.next()
		} else {
			break
		}
	}
	t := p.qualified(nil)
	if parens {
		p.take(token.RPAREN)
	}
	if star != token.NoPos {
		t = &ast.StarExpr{Star: star, X: t}
	}
	return t
}

// method takes a member of an interface: a method, or what is embedded.
func (p *parser) method() (f *ast.Field) {
	switch p.tok {
	case token.IDENT:
		f = p.namedMethod()
		if f.Names == nil {
			f.Type = p.union(f.Type)
		}
	case token.TILDE:
		f = &ast.Field{Type: p.union(nil)}
	default:
		t := p.maybeType()
		if t == nil {
			return nil
		}
		f = &ast.Field{Type: p.union(t)}
	}
	f.Comment = p.terminator()
	return f
}

// namedMethod takes a method, or the name of an embedded type.
func (p *parser) namedMethod() *ast.Field {
	p.begin("MethodSpec")
	f := &ast.Field{Doc: p.doc}
	f.Type = p.typeName(nil)
	name, plain := f.Type.(*ast.Ident)
	generic := false
	if !plain {
		f.Type = p.typeArgs(f.Type)
	} else if p.tok == token.LBRACK {
		f.Type, generic = p.methodBrackets(name)
	}
	if generic || plain && f.Type == ast.Expr(name) && p.tok == token.LPAREN {
		f.Names, f.Type = []*ast.Ident{name}, p.signature(token.NoPos)
	}
	p.end()
	return f
}

// methodBrackets takes the type arguments of an embedded type; or type parameters of a method,
// which it may not have.
func (p *parser) methodBrackets(name *ast.Ident) (t ast.Expr, generic bool) {
	lbrack := p.skip()
	x := p.within((*parser).expr)
	param, single := x.(*ast.Ident)
	if single && p.tok != token.RBRACK && p.tok != token.COMMA {
		p.paramList(param, nil, token.RBRACK, false)
		p.expect(token.RBRACK)
		p.error(lbrack, "interface method must have no type parameters")
		return nil, true
	}
	args := []ast.Expr{x}
	if p.comma("type argument list", token.RBRACK) {
		args = p.restOfTypes(args)
	}
	rbrack := p.expectClosing(token.RBRACK, "type argument list")
	return indexed(name, lbrack, args, rbrack), false
}

// union takes terms between `|`; the first may be taken already.
func (p *parser) union(x ast.Expr) ast.Expr {
	p.begin("EmbeddedElem")
	if x == nil {
		x = p.unionTerm()
	}
	for p.tok == token.OR {
		pos := p.skip()
		x = &ast.BinaryExpr{X: x, OpPos: pos, Op: token.OR, Y: p.unionTerm()}
	}
	p.end()
	return x
}

func (p *parser) unionTerm() (x ast.Expr) {
	p.begin("EmbeddedTerm")
	if p.tok == token.TILDE {
		tilde := p.skip()
		x = &ast.UnaryExpr{Op: token.TILDE, OpPos: tilde, X: p.typ()}
	} else if x = p.maybeType(); x == nil {
		x = p.bad("~ term or type", syncList)
	}
	p.end()
	return x
}

func (p *parser) funcType() *ast.FuncType {
	p.begin("FuncType")
	pos := p.skip()
	if p.tok == token.LBRACK {
		p.refuse(p.typeParams(), "function type")
	}
	t := p.signature(pos)
	p.end()
	return t
}

// refuse notes that what has been declared can have no type parameters.
func (p *parser) refuse(params *ast.FieldList, declared string) {
	if params != nil {
		p.error(params.Opening, declared+" must have no type parameters")
	}
}

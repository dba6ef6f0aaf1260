package parser

import (
	"go/ast"
	"go/token"
)

func (p *parser) typ() ast.Expr {
	if p.trace {
		defer p.enter("Type")()
	}
	if t := p.maybeType(); t != nil {
		return t
	}
	return p.bad("type", ends)
}

func (p *parser) qualifiedIdent(name *ast.Ident) ast.Expr {
	if p.trace {
		defer p.enter("QualifiedIdent")()
	}
	t := p.typeName(name)
	if p.tok == token.LBRACK {
		t = p.typeInstance(t)
	}
	return t
}

// typeName takes a name, perhaps of a package's type; its first part may be taken already.
func (p *parser) typeName(name *ast.Ident) ast.Expr {
	if p.trace {
		defer p.enter("TypeName")()
	}
	if name == nil {
		name = p.ident()
	}
	if p.tok != token.PERIOD {
		return name
	}
	p.next()
	return &ast.SelectorExpr{X: name, Sel: p.ident()}
}

// arrayType takes what follows `[`, or the length behind it.
func (p *parser) arrayType(lbrack token.Pos, length ast.Expr) *ast.ArrayType {
	if p.trace {
		defer p.enter("ArrayType")()
	}
	if length == nil {
		p.level++
		if p.tok == token.ELLIPSIS {
			length = &ast.Ellipsis{Ellipsis: p.pos}
			p.next()
		} else if p.tok != token.RBRACK {
			length = p.rhs()
		}
		p.level--
	}
	if p.tok == token.COMMA {
		p.error(p.pos, "unexpected comma; expecting ]")
		p.next()
	}
	p.expect(token.RBRACK)
	return &ast.ArrayType{Lbrack: lbrack, Len: length, Elt: p.typ()}
}

// arrayOrInstance takes what follows a name before `[`: the array type of a field or parameter
// of that name, or else type arguments, when it returns no name.
func (p *parser) arrayOrInstance(name *ast.Ident) (*ast.Ident, ast.Expr) {
	if p.trace {
		defer p.enter("ArrayFieldOrTypeInstance")()
	}
	lbrack := p.expect(token.LBRACK)
	last := token.NoPos // a comma before the bracket
	var args []ast.Expr
	if p.tok != token.RBRACK {
		p.level++
		args = append(args, p.rhs())
		for p.tok == token.COMMA {
			comma := p.pos
			p.next()
			if p.tok == token.RBRACK {
				last = comma
				break
			}
			args = append(args, p.rhs())
		}
		p.level--
	}
	rbrack := p.expect(token.RBRACK)
	if len(args) == 0 {
		return name, &ast.ArrayType{Lbrack: lbrack, Elt: p.typ()}
	}
	if len(args) == 1 {
		if elt := p.maybeType(); elt != nil {
			if last.IsValid() {
				p.error(last, "unexpected comma; expecting ]")
			}
			return name, &ast.ArrayType{Lbrack: lbrack, Len: args[0], Elt: elt}
		}
	}
	return nil, indexed(name, lbrack, args, rbrack)
}

func (p *parser) structType() *ast.StructType {
	if p.trace {
		defer p.enter("StructType")()
	}
	t := &ast.StructType{Struct: p.expect(token.STRUCT), Fields: new(ast.FieldList)}
	t.Fields.Opening = p.expect(token.LBRACE)
	for p.tok == token.IDENT || p.tok == token.MUL || p.tok == token.LPAREN {
		t.Fields.List = append(t.Fields.List, p.fieldDecl())
	}
	t.Fields.Closing = p.expect(token.RBRACE)
	return t
}

func (p *parser) fieldDecl() *ast.Field {
	if p.trace {
		defer p.enter("FieldDecl")()
	}
	f := &ast.Field{Doc: p.leadComment}
	switch p.tok {
	case token.IDENT:
		name := p.ident()
		switch p.tok {
		case token.PERIOD:
			f.Type = p.qualifiedIdent(name)
		case token.STRING, token.SEMICOLON, token.RBRACE:
			f.Type = name
		default:
			f.Names = []*ast.Ident{name}
			for p.tok == token.COMMA {
				p.next()
				f.Names = append(f.Names, p.ident())
			}
			if len(f.Names) == 1 && p.tok == token.LBRACK {
				if name, f.Type = p.arrayOrInstance(name); name == nil {
					f.Names = nil
				}
			} else {
				f.Type = p.typ()
			}
		}
	case token.MUL, token.LPAREN:
		f.Type = p.embeddedField()
	default:
		f.Type = p.bad("field name or embedded type", ends)
	}
	if p.tok == token.STRING {
		f.Tag = p.basicLit()
	}
	f.Comment = p.semicolon()
	return f
}

// embeddedField takes a star or a parenthesis, which is an error, and what follows.
func (p *parser) embeddedField() ast.Expr {
	star := token.NoPos
	if p.tok == token.MUL {
		star = p.pos
		p.next()
	}
	paren := p.tok == token.LPAREN
	if paren {
		p.error(p.pos, "cannot parenthesize embedded type")
		p.next()
		if p.tok == token.MUL && !star.IsValid() {
			star = p.pos
			p.next()
		}
	}
	t := p.qualifiedIdent(nil)
	if paren && p.tok == token.RPAREN {
		p.next()
	}
	if star.IsValid() {
		return &ast.StarExpr{Star: star, X: t}
	}
	return t
}

func (p *parser) pointerType() *ast.StarExpr {
	if p.trace {
		defer p.enter("PointerType")()
	}
	star := p.expect(token.MUL)
	return &ast.StarExpr{Star: star, X: p.typ()}
}

func (p *parser) dotsType() *ast.Ellipsis {
	if p.trace {
		defer p.enter("DotsType")()
	}
	dots := p.expect(token.ELLIPSIS)
	return &ast.Ellipsis{Ellipsis: dots, Elt: p.typ()}
}

// param is a parameter as it is written: a name, a type, or both. A lone name may be a type.
type param struct {
	name *ast.Ident
	typ  ast.Expr
}

// paramDecl takes a parameter, whose name may be taken already. sets says whether sets of types
// may stand for its type.
func (p *parser) paramDecl(name *ast.Ident, sets bool) (f param) {
	if p.trace {
		defer p.enter("ParamDecl")()
	}
	switch {
	case name != nil || p.tok == token.IDENT:
		if name == nil {
			name = p.ident()
		}
		f.name = name
		switch p.tok {
		case token.IDENT, token.MUL, token.ARROW, token.FUNC, token.CHAN, token.MAP,
			token.STRUCT, token.INTERFACE, token.LPAREN:
			f.typ = p.typ()
		case token.LBRACK:
			f.name, f.typ = p.arrayOrInstance(name)
		case token.ELLIPSIS:
			f.typ = p.dotsType()
			return f
		case token.PERIOD:
			f.name, f.typ = nil, p.qualifiedIdent(name)
		case token.TILDE:
			if sets {
				f.typ = p.embeddedElem(nil)
				return f
			}
		case token.OR:
			if sets {
				return param{nil, p.embeddedElem(name)}
			}
		}
	case p.tok == token.TILDE && sets:
		return param{nil, p.embeddedElem(nil)}
	case p.tok == token.ELLIPSIS:
		return param{nil, p.dotsType()}
	default:
		switch p.tok {
		case token.MUL, token.ARROW, token.FUNC, token.LBRACK, token.CHAN, token.MAP,
			token.STRUCT, token.INTERFACE, token.LPAREN:
			f.typ = p.typ()
		default:
			p.expected(p.pos, "')'")
			p.advance(ends)
		}
	}
	if sets && p.tok == token.OR && f.typ != nil {
		f.typ = p.embeddedElem(f.typ)
	}
	return f
}

// paramList takes parameters up to closing; name and type of the first may be taken already.
// dots says whether the last may be variadic.
func (p *parser) paramList(
	name *ast.Ident, typ ast.Expr, closing token.Token, dots bool,
) []*ast.Field {
	if p.trace {
		defer p.enter("ParameterList")()
	}
	start := p.pos
	if name != nil {
		start = name.Pos()
	} else if typ != nil {
		start = typ.Pos()
	}
	ofTypes := closing == token.RBRACK
	var list []param
	named, typed := 0, 0 // how many have name and type, or a type
	for name != nil || p.tok != closing && p.tok != token.EOF {
		var f param
		if typ != nil {
			if ofTypes {
				typ = p.embeddedElem(typ)
			}
			f = param{name, typ}
		} else {
			f = p.paramDecl(name, ofTypes)
		}
		name, typ = nil, nil
		if f.typ != nil {
			typed++
			if f.name != nil {
				named++
			}
		}
		if f != (param{}) {
			list = append(list, f)
		}
		if !p.comma("parameter list", closing) {
			break
		}
		p.next()
	}
	if len(list) == 0 {
		return nil
	}
	noName := "missing parameter name"
	noType := "missing parameter type"
	if ofTypes {
		noName, noType = "missing type parameter name", "missing type constraint"
		if len(list) == 1 {
			noName += " or invalid array length"
		}
	}
	if named == 0 {
		// The names are types.
		for i := range list {
			if f := &list[i]; f.name != nil {
				f.name, f.typ = nil, f.name
			}
		}
		if ofTypes && typed == 0 {
			p.error(p.pos, noType)
		} else if ofTypes {
			p.error(start, noName)
		}
	} else if named != len(list) {
		p.completeParams(list, named == typed, noName, noType)
	}
	p.misplacedDots(list, dots)
	if named == 0 {
		var fields []*ast.Field
		for _, f := range list {
			assert(f.typ != nil, "nil type in unnamed parameter list")
			fields = append(fields, &ast.Field{Type: f.typ})
		}
		return fields
	}
	var fields []*ast.Field
	for _, f := range list {
		n := len(fields)
		if n == 0 || fields[n-1].Type != f.typ {
			assert(f.typ != nil, "nil type in named parameter list")
			fields = append(fields, &ast.Field{Type: f.typ})
			n++
		}
		fields[n-1].Names = append(fields[n-1].Names, f.name)
	}
	return fields
}

// completeParams gives names the type that follows them, and reports what is missing.
func (p *parser) completeParams(list []param, allNamed bool, noName, noType string) {
	wrong := token.NoPos // the leftmost
	var typ ast.Expr
	for i := len(list) - 1; i >= 0; i-- {
		f := &list[i]
		switch {
		case f.typ != nil:
			typ = f.typ
			if f.name == nil {
				wrong = typ.Pos()
				f.name = &ast.Ident{NamePos: wrong, Name: "_"}
			}
		case typ != nil:
			f.typ = typ
		default:
			wrong = f.name.Pos()
			f.typ = &ast.BadExpr{From: wrong, To: p.pos}
		}
	}
	if !wrong.IsValid() {
		return
	}
	if allNamed {
		p.error(p.pos, noType)
	} else {
		p.error(wrong, noName)
	}
}

// misplacedDots replaces variadic parameters but for the last of a list that may have one.
func (p *parser) misplacedDots(list []param, allowed bool) {
	told := false
	for i := range list {
		t, ok := list[i].typ.(*ast.Ellipsis)
		if !ok || allowed && i == len(list)-1 {
			continue
		}
		if !told && allowed {
			p.error(t.Ellipsis, "can only use ... with final parameter")
		} else if !told {
			p.error(t.Ellipsis, "invalid use of ...")
		}
		told = true
		list[i].typ = &ast.BadExpr{From: t.Pos(), To: t.End()}
	}
}

func (p *parser) typeParams() *ast.FieldList {
	if p.trace {
		defer p.enter("TypeParameters")()
	}
	list := &ast.FieldList{Opening: p.expect(token.LBRACK)}
	if p.tok != token.RBRACK {
		list.List = p.paramList(nil, nil, token.RBRACK, false)
	}
	list.Closing = p.expect(token.RBRACK)
	if len(list.List) == 0 {
		p.error(list.Closing, "empty type parameter list")
		return nil
	}
	return list
}

// params takes parameters or results; the latter may be absent, or a type alone.
func (p *parser) params(results bool) *ast.FieldList {
	if p.trace {
		defer p.enter("Parameters")()
	}
	if !results || p.tok == token.LPAREN {
		list := &ast.FieldList{Opening: p.expect(token.LPAREN)}
		if p.tok != token.RPAREN {
			list.List = p.paramList(nil, nil, token.RPAREN, !results)
		}
		list.Closing = p.expect(token.RPAREN)
		return list
	}
	if t := p.maybeType(); t != nil {
		return &ast.FieldList{List: []*ast.Field{{Type: t}}}
	}
	return nil
}

// signature takes parameters and results.
func (p *parser) signature(pos token.Pos) *ast.FuncType {
	t := &ast.FuncType{Func: pos}
	t.Params = p.params(false)
	t.Results = p.params(true)
	return t
}

func (p *parser) funcType() *ast.FuncType {
	if p.trace {
		defer p.enter("FuncType")()
	}
	pos := p.expect(token.FUNC)
	if p.tok == token.LBRACK {
		if list := p.typeParams(); list != nil {
			p.error(list.Opening, "function type must have no type parameters")
		}
	}
	return p.signature(pos)
}

// methodSpec takes a method of an interface, or a name that it embeds.
func (p *parser) methodSpec() *ast.Field {
	if p.trace {
		defer p.enter("MethodSpec")()
	}
	f := &ast.Field{Doc: p.leadComment}
	f.Type = p.typeName(nil)
	name, single := f.Type.(*ast.Ident)
	switch {
	case !single && p.tok == token.LBRACK:
		f.Type = p.typeInstance(f.Type)
	case single && p.tok == token.LPAREN:
		f.Names, f.Type = []*ast.Ident{name}, p.signature(token.NoPos)
	case single && p.tok == token.LBRACK:
		lbrack := p.pos
		p.next()
		p.level++
		x := p.expr()
		p.level--
		first, lone := x.(*ast.Ident)
		if lone && p.tok != token.COMMA && p.tok != token.RBRACK {
			// A generic method, which there are none of.
			p.paramList(first, nil, token.RBRACK, false)
			p.expect(token.RBRACK)
			p.error(lbrack, "interface method must have no type parameters")
			f.Names, f.Type = []*ast.Ident{name}, p.signature(token.NoPos)
			break
		}
		list := []ast.Expr{x}
		if p.comma("type argument list", token.RBRACK) {
			p.level++
			p.next()
			list = p.typeArgs(list)
			p.level--
		}
		rbrack := p.expectClosing(token.RBRACK, "type argument list")
		f.Type = indexed(name, lbrack, list, rbrack)
	}
	return f
}

// embeddedElem takes a union, whose first term may be taken already.
func (p *parser) embeddedElem(x ast.Expr) ast.Expr {
	if p.trace {
		defer p.enter("EmbeddedElem")()
	}
	if x == nil {
		x = p.embeddedTerm()
	}
	for p.tok == token.OR {
		pos := p.pos
		p.next()
		x = &ast.BinaryExpr{X: x, OpPos: pos, Op: token.OR, Y: p.embeddedTerm()}
	}
	return x
}

func (p *parser) embeddedTerm() ast.Expr {
	if p.trace {
		defer p.enter("EmbeddedTerm")()
	}
	if p.tok == token.TILDE {
		pos := p.pos
		p.next()
		return &ast.UnaryExpr{OpPos: pos, Op: token.TILDE, X: p.typ()}
	}
	if t := p.maybeType(); t != nil {
		return t
	}
	return p.bad("~ term or type", ends)
}

func (p *parser) interfaceType() *ast.InterfaceType {
	if p.trace {
		defer p.enter("InterfaceType")()
	}
	t := &ast.InterfaceType{Interface: p.expect(token.INTERFACE), Methods: new(ast.FieldList)}
	t.Methods.Opening = p.expect(token.LBRACE)
	for {
		var f *ast.Field
		if p.tok == token.IDENT {
			f = p.methodSpec()
			if f.Names == nil {
				f.Type = p.embeddedElem(f.Type)
			}
		} else if p.tok == token.TILDE {
			f = &ast.Field{Type: p.embeddedElem(nil)}
		} else if x := p.maybeType(); x != nil {
			f = &ast.Field{Type: p.embeddedElem(x)}
		} else {
			break
		}
		f.Comment = p.semicolon()
		t.Methods.List = append(t.Methods.List, f)
	}
	t.Methods.Closing = p.expect(token.RBRACE)
	return t
}

func (p *parser) mapType() *ast.MapType {
	if p.trace {
		defer p.enter("MapType")()
	}
	t := &ast.MapType{Map: p.expect(token.MAP)}
	p.expect(token.LBRACK)
	t.Key = p.typ()
	p.expect(token.RBRACK)
	t.Value = p.typ()
	return t
}

func (p *parser) chanType() *ast.ChanType {
	if p.trace {
		defer p.enter("ChanType")()
	}
	t := &ast.ChanType{Begin: p.pos, Dir: ast.SEND | ast.RECV}
	if p.tok == token.CHAN {
		p.next()
		if p.tok == token.ARROW {
			t.Arrow, t.Dir = p.pos, ast.SEND
			p.next()
		}
	} else {
		t.Arrow, t.Dir = p.expect(token.ARROW), ast.RECV
		p.expect(token.CHAN)
	}
	t.Value = p.typ()
	return t
}

// typeArgs takes types up to `]`, and appends them.
func (p *parser) typeArgs(list []ast.Expr) []ast.Expr {
	for p.tok != token.RBRACK && p.tok != token.EOF {
		list = append(list, p.typ())
		if !p.comma("type argument list", token.RBRACK) {
			break
		}
		p.next()
	}
	return list
}

func (p *parser) typeInstance(t ast.Expr) ast.Expr {
	if p.trace {
		defer p.enter("TypeInstance")()
	}
	lbrack := p.expect(token.LBRACK)
	p.level++
	list := p.typeArgs(nil)
	p.level--
	rbrack := p.expectClosing(token.RBRACK, "type argument list")
	if len(list) == 0 {
		p.expected(rbrack, "type argument list")
		list = []ast.Expr{&ast.BadExpr{From: lbrack + 1, To: rbrack}}
	}
	return indexed(t, lbrack, list, rbrack)
}

// maybeType takes a type, and returns nil if there is none.
func (p *parser) maybeType() ast.Expr {
	p.deeper()
	x := p.identOrType()
	p.depth--
	return x
}

func (p *parser) identOrType() ast.Expr {
	switch p.tok {
	case token.IDENT:
		t := p.typeName(nil)
		if p.tok == token.LBRACK {
			t = p.typeInstance(t)
		}
		return t
	case token.LBRACK:
		return p.arrayType(p.expect(token.LBRACK), nil)
	case token.STRUCT:
		return p.structType()
	case token.MUL:
		return p.pointerType()
	case token.FUNC:
		return p.funcType()
	case token.INTERFACE:
		return p.interfaceType()
	case token.MAP:
		return p.mapType()
	case token.CHAN, token.ARROW:
		return p.chanType()
	case token.LPAREN:
		x := &ast.ParenExpr{Lparen: p.expect(token.LPAREN)}
		x.X = p.typ()
		x.Rparen = p.expect(token.RPAREN)
		return x
	}
	return nil
}

package parser

import (
	"go/ast"
	"go/token"
)

// A list of parameters is taken in three steps: each entry as it is written, a name, a type or
// both; then, when all are known, names without a type turn out to be types, or get the type
// that follows them; and what is of one type is put together.

// param is an entry of a list.
type param struct {
	name *ast.Ident
	typ  ast.Expr
}

// signature takes parameters and results.
func (p *parser) signature(pos token.Pos) *ast.FuncType {
	t := &ast.FuncType{Func: pos, Params: p.params()}
	p.begin("Parameters")
	if p.tok == token.LPAREN {
		t.Results = p.enclosed(token.RPAREN, false)
	} else if result := p.maybeType(); result != nil {
		t.Results = &ast.FieldList{List: []*ast.Field{{Type: result}}}
	}
	p.end()
	return t
}

func (p *parser) params() *ast.FieldList {
	p.begin("Parameters")
	list := p.enclosed(token.RPAREN, true)
	p.end()
	return list
}

// typeParams takes type parameters; nil if there are brackets but none in them.
func (p *parser) typeParams() *ast.FieldList {
	p.begin("TypeParameters")
	list := p.enclosed(token.RBRACK, false)
	if len(list.List) == 0 {
		p.error(list.Closing, "empty type parameter list")
		list = nil
	}
	p.end()
	return list
}

// enclosed takes a list with what encloses it. variadic says whether its last parameter may be.
func (p *parser) enclosed(closing token.Token, variadic bool) *ast.FieldList {
	opening := token.LPAREN
	if closing == token.RBRACK {
		opening = token.LBRACK
	}
	list := &ast.FieldList{Opening: p.expect(opening)}
	if p.tok != closing {
		list.List = p.paramList(nil, nil, closing, variadic)
	}
	list.Closing = p.expect(closing)
	return list
}

// paramList takes parameters up to closing, which tells whether they are of types. The name and
// the type of the first may be taken already.
func (p *parser) paramList(
	name *ast.Ident, typ ast.Expr, closing token.Token, variadic bool,
) (fields []*ast.Field) {
	p.begin("ParameterList")
	start := p.pos
	generic := closing == token.RBRACK
	var list []param
	add := func(e param) bool {
		if e != (param{}) {
			list = append(list, e)
		}
		return true
	}
	more := true
	if name != nil {
		start = name.NamePos
		first := param{name, typ}
		if typ == nil {
			first = p.param(name, generic)
		} else if generic {
			first.typ = p.union(typ)
		}
		add(first)
		more = p.comma("parameter list", closing)
	}
	if more {
		p.until(closing, "parameter list", func() bool { return add(p.param(nil, generic)) })
	}
	if len(list) > 0 {
		p.settle(list, start, generic)
		p.checkDots(list, variadic)
		fields = grouped(list)
	}
	p.end()
	return fields
}

// param takes an entry, whose name may be taken already. Sets of types may stand for the type of
// a generic one.
func (p *parser) param(name *ast.Ident, generic bool) (e param) {
	p.begin("ParamDecl")
	if name == nil && p.tok == token.IDENT {
		name = p.ident()
	}
	e.name = name
	if name != nil {
		switch {
		case p.tok == token.LBRACK:
			e.name, e.typ = p.arrayOrArgs(name)
		case p.tok == token.PERIOD:
			e.name, e.typ = nil, p.qualified(name)
		case p.tok == token.OR && generic:
			e.name, e.typ = nil, name
		}
	}
	dots := false
	switch {
	case e.typ != nil:
	case p.tok == token.ELLIPSIS:
		dots = true
		p.begin("DotsType")
		pos := p.skip()
		e.typ = &ast.Ellipsis{Ellipsis: pos, Elt: p.typ()}
		p.end()
	case p.tok == token.TILDE && generic:
		e.typ = p.union(nil)
	case p.at(startsType):
		e.typ = p.typ()
	case name == nil:
		p.expected(p.pos, "')'")
		p.recover(syncList)
	}
	if generic && p.tok == token.OR && e.typ != nil && !dots {
		e.typ = p.union(e.typ)
	}
	p.end()
	return e
}

// settle gives all entries a type, and all or none of them a name.
func (p *parser) settle(list []param, start token.Pos, generic bool) {
	complete, typed := 0, 0
	for _, e := range list {
		if e.typ != nil {
			typed++
			if e.name != nil {
				complete++
			}
		}
	}
	noName, noType := "missing parameter name", "missing parameter type"
	if generic {
		noName, noType = "missing type parameter name", "missing type constraint"
		if len(list) == 1 {
			noName += " or invalid array length"
		}
	}
	if complete == 0 {
		for i, e := range list {
			if e.typ == nil {
				list[i] = param{typ: e.name}
			}
		}
		if generic && typed > 0 {
			p.error(start, noName)
		} else if generic {
			p.error(p.pos, noType)
		}
		return
	}
	lacking := token.NoPos // the leftmost place where something is missing
	var follows ast.Expr   // the type to the right
	for i := len(list) - 1; i >= 0; i-- {
		e := &list[i]
		if e.typ == nil && follows == nil {
			lacking = e.name.NamePos
			e.typ = &ast.BadExpr{From: lacking, To: p.pos}
			continue
		}
		if e.typ == nil {
			e.typ = follows
		}
		follows = e.typ
		if e.name == nil {
			lacking = e.typ.Pos()
			e.name = &ast.Ident{NamePos: lacking, Name: "_"}
		}
	}
	if lacking != token.NoPos {
		if complete == typed {
			p.error(p.pos, noType)
		} else {
			p.error(lacking, noName)
		}
	}
}

// checkDots replaces the types of variadic parameters that may not be, and notes the first.
func (p *parser) checkDots(list []param, variadic bool) {
	msg := "invalid use of ..."
	if variadic {
		msg = "can only use ... with final parameter"
	}
	for i := range list {
		dots, ok := list[i].typ.(*ast.Ellipsis)
		if !ok || variadic && i+1 == len(list) {
			continue
		}
		if msg != "" {
			p.error(dots.Ellipsis, msg)
			msg = ""
		}
		list[i].typ = &ast.BadExpr{From: dots.Pos(), To: dots.End()}
	}
}

// grouped returns fields for a list: one for each type, with the names in a row that have it.
func grouped(list []param) (fields []*ast.Field) {
	var last *ast.Field
	for _, e := range list {
		if last == nil || e.name == nil || last.Type != e.typ {
			last = &ast.Field{Type: e.typ}
			fields = append(fields, last)
		}
		if e.name != nil {
			last.Names = append(last.Names, e.name)
		}
	}
	return fields
}

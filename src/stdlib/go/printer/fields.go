package printer

// This file prints what has names and types: parameters, and fields of structs and interfaces.

import "go/ast"

func (p *printer) signature(x *ast.FuncType) {
	p.params(x.TypeParams, "[]")
	if x.Params != nil {
		p.params(x.Params, "()")
	} else {
		p.mark("()")
	}
	if n := x.Results.NumFields(); n > 0 {
		p.gap(" ")
		p.returned(x.Results, n)
	}
}

// returned prints n results, a single one without a name as its type alone.
func (p *printer) returned(l *ast.FieldList, n int) {
	switch first := l.List[0]; {
	case n > 1 || first.Names != nil:
		p.params(l, "()")
	default:
		p.expr(ast.Unparen(first.Type))
	}
}

// named prints names, if there are any, and the type of what they are.
func (p *printer) named(names []*ast.Ident, indented bool, typ ast.Expr) {
	if len(names) > 0 {
		p.names(names, indented)
		p.gap(" ")
	}
	p.expr(typ)
}

// params prints parameters in brackets. If these have a comma between them, it goes behind the last
// parameter in any case. There need not be a list.
func (p *printer) params(l *ast.FieldList, brackets string) {
	if l == nil {
		return
	}
	p.markAt(l.Opening, brackets[:1])
	s := series{p: p, line: p.lineOf(l.Opening)}
	for _, field := range l.List {
		s.next(field.Pos(), true)
		p.named(field.Names, !s.hung, ast.Unparen(field.Type))
		s.line = p.lineOf(field.End())
	}
	end := p.lineOf(l.Closing)
	turns := s.n > 0 && 0 < s.line && s.line < end
	if turns || len(brackets) > 2 {
		p.mark(",")
	}
	if turns {
		p.turn(end, 0, "", true)
	}
	s.end()
	p.markAt(l.Closing, brackets[len(brackets)-1:])
}

// typeBrackets returns the brackets for the parameters of a type: `[P *T]` would be read as an
// array's length, `[P *T,]` is not.
func typeBrackets(l *ast.FieldList) string {
	if l.NumFields() == 1 && isProduct(ast.Unparen(l.List[0].Type)) {
		return "[,]"
	}
	return "[]"
}

// isProduct says whether a name and x behind it can be read as an expression: if the first of x's
// operands begins with a star or parenthesis, and nothing in x must be a type.
func isProduct(x ast.Expr) bool {
	for {
		switch y := x.(type) {
		case *ast.BinaryExpr:
			if hasType(y.Y) {
				return false
			}
			x = y.X
		case *ast.ParenExpr:
			return !hasType(y.X)
		case *ast.StarExpr:
			return !hasType(y.X)
		default:
			return false
		}
	}
}

// hasType says whether an operand of x can only be a type, or a constraint.
func hasType(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr, *ast.ParenExpr:
			return true
		case *ast.UnaryExpr:
			found = found || n.Op.String() == "~"
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType,
			*ast.InterfaceType:
			found = true
		}
		return false
	})
	return found
}

// fields prints the fields of a struct, or what an interface has; cut, if some were taken out.
func (p *printer) fields(l *ast.FieldList, ofStruct, cut bool) {
	n := len(l.List)
	bare := !cut && !p.isDue(p.place(l.Closing))
	known := l.Opening.IsValid() && l.Closing.IsValid()
	if bare && known && p.lineOf(l.Opening) == p.lineOf(l.Closing) {
		if n == 0 {
			p.markAt(l.Opening, "{")
			p.markAt(l.Closing, "}")
			return
		}
		if p.isShort(l.List) {
			p.markAt(l.Opening, "{ ")
			if field := l.List[0]; ofStruct {
				p.named(field.Names, false, field.Type)
			} else {
				p.method(field)
			}
			p.gap(" ")
			p.markAt(l.Closing, "}")
			return
		}
	}
	p.gap(" ")
	p.markAt(l.Opening, "{")
	p.gap(">")
	if n > 0 || !bare {
		p.gap("\f")
	}
	r := p.newRows()
	for _, field := range l.List {
		r.next(field.Pos())
		p.comment(field.Doc)
		if ofStruct {
			p.field(field, n > 1)
		} else {
			p.method(field)
			p.comment(field.Comment)
		}
	}
	r.end()
	if cut {
		if n > 0 {
			p.gap("\f")
		}
		p.flush(p.place(l.Closing), '}')
		missing := "// " + filtered
		if !ofStruct {
			missing = "// contains filtered or unexported methods"
		}
		p.comment(&ast.CommentGroup{List: []*ast.Comment{{Text: missing}}})
	}
	p.gap("<\f")
	p.markAt(l.Closing, "}")
}

// isShort says whether there is one field, without tag and comment, that fits between braces.
func (p *printer) isShort(list []*ast.Field) bool {
	room := 30
	field := list[0]
	if len(list) > 1 || field.Tag != nil || field.Comment != nil {
		return false
	}
	// Names count as one blank, however long they are.
	if names := field.Names; len(names) > 0 && !(len(names) == 1 && names[0].Name == "") {
		return 1+p.size(field.Type, room) <= room
	}
	return p.size(field.Type, room) <= room
}

// method prints a method, or what is embedded in an interface.
func (p *printer) method(field *ast.Field) {
	if len(field.Names) > 0 {
		p.expr(field.Names[0])
		p.signature(field.Type.(*ast.FuncType))
		return
	}
	p.expr(field.Type)
}

// field prints a field of a struct in the columns of names, types, tags and comments, if there are
// any. An embedded field takes the first two for its type.
func (p *printer) field(field *ast.Field, columns bool) {
	seps := "\v\v\v"
	if !columns {
		seps = "   "
	}
	toTag, toComment := seps[:1], seps[:2]
	if len(field.Names) > 0 {
		p.names(field.Names, false)
		p.gap(seps[:1])
		toComment = seps[:1]
		if columns {
			toTag = seps[:2]
		}
	}
	p.expr(field.Type)
	if field.Tag != nil {
		p.gap(toTag)
		p.expr(field.Tag)
		toComment = ""
	}
	if field.Comment != nil {
		p.gap(toComment)
		p.comment(field.Comment)
	}
}

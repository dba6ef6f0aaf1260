package doc

// This file takes out of trees what is not exported.

import (
	"go/ast"
	"go/token"
)

// isShown takes out of a declaration what is not exported, and says whether something is left.
func (r *reader) isShown(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return true
	case *ast.FuncDecl:
		return isExported(n.Name)
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			inheritTypes(n.Specs)
		}
		n.Specs = keep(n.Specs, func(s ast.Spec) bool { return r.isShown(s) })
		return len(n.Specs) > 0
	case *ast.ValueSpec:
		n.Values = exportedKeys(n.Values)
		if len(n.Values) == 0 && n.Type != nil {
			n.Names = keep(n.Names, isExported)
		} else if !blankOut(n.Names) {
			return false
		}
		if len(n.Names) > 0 {
			r.exportedType(nil, n.Type)
			return true
		}
	case *ast.TypeSpec:
		if isExported(n.Name) {
			r.exportedType(r.typ(n.Name.Name), n.Type)
			return true
		}
		if name := n.Name.Name; IsPredeclared(name) {
			r.shadowed[name] = true
		}
	}
	return false
}

func isExported(x *ast.Ident) bool { return x.IsExported() }

// blankOut replaces names that are not exported, and says whether others are left. Names stay where
// those behind them belong to values or to what iota is.
func blankOut(names []*ast.Ident) (left bool) {
	for i, x := range names {
		if x.IsExported() {
			left = true
			continue
		}
		names[i] = unnamed
	}
	return left
}

var unnamed = &ast.Ident{Name: "_"}

// inheritTypes gives constants without type and value the type of the constant before, if that
// will be taken out.
func inheritTypes(specs []ast.Spec) {
	var hidden ast.Expr // the type of the constant before, if that is hidden
	for _, s := range specs {
		c := s.(*ast.ValueSpec)
		if hidden != nil && c.Type == nil && len(c.Values) == 0 {
			c.Type = typeAt(hidden, c.Pos())
		}
		if hidden = c.Type; Filter(token.IsExported).names(c.Names) {
			hidden = nil
		}
	}
}

// typeAt returns a copy of a type's name at a position, or nil if it is no name.
func typeAt(x ast.Expr, pos token.Pos) ast.Expr {
	name, pkg := x, ast.Expr(nil)
	sel, qualified := x.(*ast.SelectorExpr)
	if qualified {
		name, pkg = sel.Sel, typeAt(sel.X, pos)
	}
	id, ok := name.(*ast.Ident)
	if !ok {
		return nil
	}
	if !qualified {
		return &ast.Ident{NamePos: pos, Name: id.Name}
	}
	if _, ok := pkg.(*ast.Ident); !ok {
		return nil
	}
	return &ast.SelectorExpr{X: pkg, Sel: &ast.Ident{Name: id.Name}}
}

// exportedKeys takes out of composite literals what has a key that is not exported.
func exportedKeys(list []ast.Expr) []ast.Expr {
	inside := func(x ast.Expr) {
		if x, ok := x.(*ast.CompositeLit); ok {
			n := len(x.Elts)
			x.Elts = exportedKeys(x.Elts)
			x.Incomplete = x.Incomplete || len(x.Elts) < n
		}
	}
	return keep(list, func(x ast.Expr) bool {
		inside(x)
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && !isExported(key) {
				return false
			}
			inside(pair.Value)
		}
		return true
	})
}

// exportedType takes fields and methods that are not exported out of all structs and interfaces in
// a type; of is the type that it is declared as, if it is.
func (r *reader) exportedType(of *typeInfo, x ast.Expr) {
	if x == nil {
		return
	}
	ast.Inspect(x, func(n ast.Node) bool {
		owner := of
		if n != x {
			owner = nil
		}
		switch n := n.(type) {
		case *ast.StructType:
			n.Incomplete = r.exportedFields(owner, n.Fields, nil) || n.Incomplete
		case *ast.InterfaceType:
			n.Incomplete = r.exportedFields(owner, n.Methods, n) || n.Incomplete
		case *ast.FuncType, *ast.FieldList, *ast.Field, *ast.MapType, *ast.ChanType,
			*ast.ArrayType, *ast.StarExpr, *ast.ParenExpr, *ast.UnaryExpr, *ast.BinaryExpr:
			return true
		}
		return false
	})
}

// exportedFields takes fields out, and says whether there were any to take. In an interface (in)
// what is embedded stays if it has no name, or that of a predeclared type.
func (r *reader) exportedFields(of *typeInfo, l *ast.FieldList, in *ast.InterfaceType) (cut bool) {
	if l == nil {
		return false
	}
	n := len(l.List)
	l.List = keep(l.List, func(field *ast.Field) bool {
		if names := len(field.Names); names > 0 {
			field.Names = keep(field.Names, isExported)
			cut = cut || len(field.Names) < names
			if len(field.Names) == 0 {
				return false
			}
		} else {
			r.embed(of, field)
			name, _ := typeName(field.Type)
			switch {
			case token.IsExported(name):
			case in == nil:
				return false
			case name == "":
			case predeclaredTypes[name]:
				r.doubtful[name] = append(r.doubtful[name], in)
			default:
				return false
			}
		}
		r.exportedType(nil, field.Type)
		return true
	})
	return cut || len(l.List) < n
}

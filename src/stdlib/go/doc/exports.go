package doc

import (
	"go/ast"
	"go/token"
)

// exportedDecl takes out of a declaration what is not exported, and says whether something is left.
func (r *reader) exportedDecl(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.GenDecl:
		if d.Tok == token.CONST {
			typeConstants(d.Specs)
		}
		d.Specs = keep(d.Specs, r.exportedSpec)
		return len(d.Specs) > 0
	case *ast.FuncDecl:
		return token.IsExported(d.Name.Name)
	}
	return false
}

// typeConstants gives constants without type and value the type of the constant before, if that
// will be taken out.
func typeConstants(specs []ast.Spec) {
	var last ast.Expr
	for _, s := range specs {
		s := s.(*ast.ValueSpec)
		if s.Type == nil && len(s.Values) == 0 && last != nil {
			s.Type = typeAt(last, s.Pos())
		}
		last = s.Type
		if Filter(token.IsExported).names(s.Names) {
			last = nil
		}
	}
}

// typeAt returns a copy of a type's name at a position, or nil if it is no name.
func typeAt(x ast.Expr, pos token.Pos) ast.Expr {
	switch x := x.(type) {
	case *ast.Ident:
		return &ast.Ident{Name: x.Name, NamePos: pos}
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			return &ast.SelectorExpr{
				X:   &ast.Ident{Name: pkg.Name, NamePos: pos},
				Sel: ast.NewIdent(x.Sel.Name),
			}
		}
	}
	return nil
}

func isExported(x *ast.Ident) bool { return token.IsExported(x.Name) }

func (r *reader) exportedSpec(s ast.Spec) bool {
	switch s := s.(type) {
	case *ast.ImportSpec:
		return true
	case *ast.ValueSpec:
		s.Values = exportedKeys(s.Values)
		if s.Type != nil && len(s.Values) == 0 {
			s.Names = keep(s.Names, isExported)
		} else {
			// Names stay, for those behind them belong to values or to what iota is.
			exported := false
			for i, name := range s.Names {
				if isExported(name) {
					exported = true
				} else {
					s.Names[i] = unnamed
				}
			}
			if !exported {
				return false
			}
		}
		if len(s.Names) == 0 {
			return false
		}
		r.exportedType(nil, s.Type)
		return true
	case *ast.TypeSpec:
		name := s.Name.Name
		if token.IsExported(name) {
			r.exportedType(r.typ(name), s.Type)
			return true
		}
		if IsPredeclared(name) {
			r.shadowed[name] = true
		}
	}
	return false
}

var unnamed = ast.NewIdent("_")

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

// exportedType takes fields and methods that are not exported out of a type; of is the type that it
// is declared as, if it is.
func (r *reader) exportedType(of *typeInfo, x ast.Expr) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		r.exportedType(nil, x.X)
	case *ast.StarExpr:
		r.exportedType(nil, x.X)
	case *ast.UnaryExpr:
		if x.Op == token.TILDE {
			r.exportedType(nil, x.X)
		}
	case *ast.BinaryExpr:
		if x.Op == token.OR {
			r.exportedType(nil, x.X)
			r.exportedType(nil, x.Y)
		}
	case *ast.ArrayType:
		r.exportedType(nil, x.Elt)
	case *ast.MapType:
		r.exportedType(nil, x.Key)
		r.exportedType(nil, x.Value)
	case *ast.ChanType:
		r.exportedType(nil, x.Value)
	case *ast.FuncType:
		for _, list := range []*ast.FieldList{x.TypeParams, x.Params, x.Results} {
			if list != nil {
				for _, field := range list.List {
					r.exportedType(nil, field.Type)
				}
			}
		}
	case *ast.StructType:
		if r.exportedFields(of, x.Fields, nil) {
			x.Incomplete = true
		}
	case *ast.InterfaceType:
		if r.exportedFields(of, x.Methods, x) {
			x.Incomplete = true
		}
	}
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
			name := r.embed(of, field.Type)
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

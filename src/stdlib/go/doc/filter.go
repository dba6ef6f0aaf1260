package doc

import "go/ast"

// Filter says whether a name is of interest.
type Filter func(string) bool

// Filter takes out what has no name that f is true for, and the package's own text. A type stays
// with all that belongs to it if its name, or that of a field or method in its declaration does;
// otherwise with what of that does.
func (p *Package) Filter(f Filter) {
	p.Doc = ""
	p.Consts = keep(p.Consts, f.value)
	p.Vars = keep(p.Vars, f.value)
	p.Funcs = keep(p.Funcs, f.function)
	p.Types = keep(p.Types, func(t *Type) bool {
		if f.decl(t.Decl) {
			return true
		}
		t.Consts = keep(t.Consts, f.value)
		t.Vars = keep(t.Vars, f.value)
		t.Funcs = keep(t.Funcs, f.function)
		t.Methods = keep(t.Methods, f.function)
		return len(t.Consts)+len(t.Vars)+len(t.Funcs)+len(t.Methods) > 0
	})
}

// keep takes out of a list, in place, what ok is false for.
func keep[T any](list []T, ok func(T) bool) []T {
	n := 0
	for _, x := range list {
		if ok(x) {
			list[n] = x
			n++
		}
	}
	return list[:n]
}

func (f Filter) value(v *Value) bool   { return f.decl(v.Decl) }
func (f Filter) function(x *Func) bool { return f(x.Name) }

func (f Filter) names(list []*ast.Ident) bool {
	for _, x := range list {
		if f(x.Name) {
			return true
		}
	}
	return false
}

func (f Filter) decl(d *ast.GenDecl) bool {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ValueSpec:
			if f.names(s.Names) {
				return true
			}
		case *ast.TypeSpec:
			if f(s.Name.Name) {
				return true
			}
			for _, field := range fieldsOf(s.Type) {
				if f.names(field.Names) {
					return true
				}
			}
		}
	}
	return false
}

package doc

// This file takes out of the documentation what is of no interest.

import (
	"go/ast"
	"slices"
)

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

func (f Filter) field(x *ast.Field) bool { return f.names(x.Names) }

func (f Filter) names(list []*ast.Ident) bool {
	return slices.ContainsFunc(list, func(x *ast.Ident) bool { return f(x.Name) })
}

// decl says whether one of the names in a declaration is of interest.
func (f Filter) decl(d *ast.GenDecl) bool {
	return slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
		if v, ok := s.(*ast.ValueSpec); ok {
			return f.names(v.Names)
		}
		t, ok := s.(*ast.TypeSpec)
		return ok && (f(t.Name.Name) || slices.ContainsFunc(fieldsOf(t.Type), f.field))
	})
}

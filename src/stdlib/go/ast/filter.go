package ast

import (
	"go/token"
	"maps"
	"slices"
)

// Filter says whether to keep what has that name.
type Filter func(string) bool

// keeper keeps of a tree what its filter wants. With whole, types of what stays are filtered
// too, as for exports; without, a type stays if something in it does.
type keeper struct {
	wants Filter
	whole bool
}

// FileExports leaves what is exported in a file; false if that is nothing.
func FileExports(src *File) bool { return keeper{IsExported, true}.file(src) }

// PackageExports leaves what is exported in a package; false if that is nothing.
func PackageExports(pkg *Package) bool { return keeper{IsExported, true}.pkg(pkg) }

// FilterDecl leaves what f wants of a declaration; false if that is nothing.
func FilterDecl(decl Decl, f Filter) bool { return keeper{f, false}.decl(decl) }

// FilterFile leaves what f wants of a file; false if that is nothing.
func FilterFile(src *File, f Filter) bool { return keeper{f, false}.file(src) }

// FilterPackage leaves what f wants of a package; false if that is nothing.
func FilterPackage(pkg *Package, f Filter) bool { return keeper{f, false}.pkg(pkg) }

// keep leaves those of list that wanted wants, in the same array.
func keep[T any](list []T, wanted func(T) bool) []T {
	n := 0
	for _, x := range list {
		if wanted(x) {
			list[n] = x
			n++
		}
	}
	return list[:n]
}

func (k keeper) pkg(pkg *Package) bool {
	any := false
	for _, file := range pkg.Files {
		if k.file(file) {
			any = true
		}
	}
	return any
}

func (k keeper) file(f *File) bool {
	f.Decls = keep(f.Decls, k.decl)
	return len(f.Decls) > 0
}

func (k keeper) decl(decl Decl) bool {
	switch d := decl.(type) {
	case *GenDecl:
		d.Specs = keep(d.Specs, k.spec)
		return len(d.Specs) > 0
	case *FuncDecl:
		return k.wants(d.Name.Name)
	}
	return false
}

func (k keeper) spec(spec Spec) bool {
	switch s := spec.(type) {
	case *ValueSpec:
		s.Names = k.names(s.Names)
		s.Values = k.exprs(s.Values)
		if len(s.Names) > 0 && k.whole {
			k.typ(s.Type)
		}
		return len(s.Names) > 0
	case *TypeSpec:
		wanted := k.wants(s.Name.Name)
		if wanted && k.whole {
			k.typ(s.Type)
		}
		return wanted || !k.whole && k.typ(s.Type)
	}
	return false
}

func (k keeper) names(list []*Ident) []*Ident {
	return keep(list, func(name *Ident) bool { return k.wants(name.Name) })
}

// exprs filters the elements of a literal, and those of literals among them.
func (k keeper) exprs(list []Expr) []Expr {
	return keep(list, func(x Expr) bool {
		pair, ok := x.(*KeyValueExpr)
		if !ok {
			k.literal(x)
			return true
		}
		key, named := pair.Key.(*Ident)
		stays := !named || k.wants(key.Name)
		if stays {
			k.literal(pair.Value)
		}
		return stays
	})
}

// literal filters x if it is a composite literal.
func (k keeper) literal(x Expr) {
	if lit, ok := x.(*CompositeLit); ok {
		before := len(lit.Elts)
		lit.Elts = k.exprs(lit.Elts)
		lit.Incomplete = lit.Incomplete || len(lit.Elts) < before
	}
}

// embedded returns the name of a field whose type is t.
func embedded(t Expr) *Ident {
	star, ok := t.(*StarExpr)
	for ok {
		t = star.X
		star, ok = t.(*StarExpr)
	}
	if sel, ok := t.(*SelectorExpr); ok {
		if t = sel.Sel; !isIdent(sel.X) {
			return nil
		}
	}
	name, _ := t.(*Ident)
	return name
}

func isIdent(x Expr) bool {
	_, ok := x.(*Ident)
	return ok
}

// fields filters fields or methods, and says whether some are gone.
func (k keeper) fields(list *FieldList) bool {
	if list == nil {
		return false
	}
	before := list.NumFields()
	list.List = keep(list.List, func(f *Field) bool {
		if len(f.Names) > 0 {
			f.Names = k.names(f.Names)
			if len(f.Names) == 0 {
				return false
			}
		} else if name := embedded(f.Type); name == nil || !k.wants(name.Name) {
			return false
		}
		if k.whole {
			k.typ(f.Type)
		}
		return true
	})
	return list.NumFields() < before
}

func (k keeper) params(list *FieldList) bool {
	any := false
	if list != nil {
		for _, f := range list.List {
			if k.typ(f.Type) {
				any = true
			}
		}
	}
	return any
}

// typ filters a type, and says whether something of it stays.
func (k keeper) typ(t Expr) bool {
	switch t := t.(type) {
	case *Ident:
		return k.wants(t.Name)
	case *ParenExpr:
		return k.typ(t.X)
	case *ArrayType:
		return k.typ(t.Elt)
	case *ChanType:
		return k.typ(t.Value)
	case *MapType:
		key, value := k.typ(t.Key), k.typ(t.Value)
		return key || value
	case *FuncType:
		params, results := k.params(t.Params), k.params(t.Results)
		return params || results
	case *StructType:
		if k.fields(t.Fields) {
			t.Incomplete = true
		}
		return len(t.Fields.List) > 0
	case *InterfaceType:
		if k.fields(t.Methods) {
			t.Incomplete = true
		}
		return len(t.Methods.List) > 0
	}
	return false
}

// MergeMode is a set of the bits below.
type MergeMode uint

const (
	FilterFuncDuplicates       MergeMode = 1 << iota // a function of several files once
	FilterUnassociatedComments                       // no comments but those of nodes
	FilterImportDuplicates                           // an import of several files once
)

var between = &Comment{Text: "//"}

// funcKey tells functions and methods apart.
type funcKey struct {
	recv, name string
}

func keyOf(f *FuncDecl) (key funcKey) {
	key.name = f.Name.Name
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return key
	}
	switch t := f.Recv.List[0].Type.(type) {
	case *Ident:
		key.recv = t.Name
	case *StarExpr:
		if base, ok := t.X.(*Ident); ok {
			key.recv = base.Name
		}
	}
	return key
}

// MergePackageFiles makes one file of a package's, in the order of their names.
//
// Deprecated: its places make no sense to go/printer.
func MergePackageFiles(pkg *Package, mode MergeMode) *File {
	merged := &File{Name: NewIdent(pkg.Name), Scope: pkg.Scope}
	funcs := map[funcKey]int{} // where they are in Decls
	imports := map[string]bool{}
	for i, name := range slices.Sorted(maps.Keys(pkg.Files)) {
		f := pkg.Files[name]
		if i == 0 || f.FileStart < merged.FileStart {
			merged.FileStart = f.FileStart
		}
		merged.FileEnd = max(merged.FileEnd, f.FileEnd)
		if f.Doc != nil {
			if merged.Doc == nil {
				merged.Doc = new(CommentGroup)
			} else {
				merged.Doc.List = append(merged.Doc.List, between)
			}
			merged.Doc.List = append(merged.Doc.List, f.Doc.List...)
			merged.Package = max(merged.Package, f.Package)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*FuncDecl); ok && mode&FilterFuncDuplicates != 0 {
				key := keyOf(fn)
				if j, seen := funcs[key]; !seen {
					funcs[key] = len(merged.Decls)
				} else if old := merged.Decls[j]; old != nil && old.(*FuncDecl).Doc == nil {
					merged.Decls[j] = nil // the one with a comment is better
				} else {
					d = nil
				}
			}
			merged.Decls = append(merged.Decls, d)
		}
		for _, spec := range f.Imports {
			if mode&FilterImportDuplicates == 0 || !imports[spec.Path.Value] {
				merged.Imports = append(merged.Imports, spec)
				imports[spec.Path.Value] = true
			}
		}
		if mode&FilterUnassociatedComments == 0 {
			merged.Comments = append(merged.Comments, f.Comments...)
		}
	}
	merged.Decls = keep(merged.Decls, func(d Decl) bool { return d != nil })
	return merged
}

// lineAt returns the line of a place, whatever `//line` comments say.
func lineAt(fset *token.FileSet, pos token.Pos) int {
	return fset.PositionFor(pos, false).Line
}

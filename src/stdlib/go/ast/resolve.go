package ast

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strconv"
)

// Importer returns the object of a package, whose Data is its scope, from imports or anew.
type Importer func(imports map[string]*Object, path string) (pkg *Object, err error)

type resolver struct {
	fset   *token.FileSet
	errors scanner.ErrorList
}

func (r *resolver) errorf(pos token.Pos, format string, args ...any) {
	r.errors.Add(r.fset.Position(pos), fmt.Sprintf(format, args...))
}

// declare puts obj in scope, unless its name is taken there or in the scope beside it.
func (r *resolver) declare(scope, beside *Scope, obj *Object) {
	taken := scope.Insert(obj)
	if beside != nil && taken == nil {
		taken = beside.Lookup(obj.Name)
	}
	if taken != nil {
		r.errorf(obj.Pos(), "%s redeclared in this block%s", obj.Name, r.declared(taken))
	}
}

// declared tells where obj is declared, for the end of a message, if that is known.
func (r *resolver) declared(obj *Object) string {
	at := obj.Pos()
	if !at.IsValid() {
		return ""
	}
	return "\n\tprevious declaration at " + r.fset.Position(at).String()
}

// load has the importer look for what spec names.
func (r *resolver) load(
	spec *ImportSpec, known map[string]*Object, importer Importer,
) (pkg *Object, found bool) {
	if importer == nil {
		return nil, false
	}
	path, _ := strconv.Unquote(spec.Path.Value)
	pkg, err := importer(known, path)
	if err != nil {
		r.errorf(spec.Path.Pos(), "could not import %s (%s)", path, err)
	}
	return pkg, err == nil
}

// imports declares what a file imports, and says whether all of it was found.
func (r *resolver) imports(
	file *File, scope *Scope, known map[string]*Object, importer Importer,
) bool {
	complete := true
	for _, spec := range file.Imports {
		pkg, found := r.load(spec, known, importer)
		if !found {
			complete = false
			continue
		}
		var name string
		if spec.Name == nil {
			name = pkg.Name
		} else {
			name = spec.Name.Name
		}
		switch name {
		case "_":
		case ".":
			for _, obj := range pkg.Data.(*Scope).Objects {
				r.declare(scope, scope.Outer, obj)
			}
		default:
			obj := &Object{Kind: Pkg, Name: name, Decl: spec, Data: pkg.Data}
			r.declare(scope, scope.Outer, obj)
		}
	}
	return complete
}

// NewPackage makes a package of files, and finds what their unresolved names stand for.
//
// Deprecated: go/types does it right.
func NewPackage(
	fset *token.FileSet, files map[string]*File, importer Importer, universe *Scope,
) (*Package, error) {
	r := resolver{fset: fset}
	pkg := &Package{Scope: NewScope(universe), Imports: map[string]*Object{}, Files: files}
	for _, file := range files {
		name := file.Name.Name
		if pkg.Name == "" {
			pkg.Name = name
		}
		if name != pkg.Name {
			r.errorf(file.Package, "package %s; expected %s", name, pkg.Name)
			continue
		}
		for _, obj := range file.Scope.Objects {
			r.declare(pkg.Scope, nil, obj)
		}
	}
	for _, file := range files {
		if file.Name.Name != pkg.Name {
			continue
		}
		scope := NewScope(pkg.Scope)
		if !r.imports(file, scope, pkg.Imports, importer) {
			pkg.Scope.Outer = nil // a dot import that failed may hide what is in the universe
		}
		left := file.Unresolved[:0]
		for _, name := range file.Unresolved {
			for s := scope; s != nil && name.Obj == nil; s = s.Outer {
				name.Obj = s.Lookup(name.Name)
			}
			if name.Obj == nil {
				r.errorf(name.Pos(), "undeclared name: %s", name.Name)
				left = append(left, name)
			}
		}
		file.Unresolved = left
		pkg.Scope.Outer = universe
	}
	r.errors.Sort()
	return pkg, r.errors.Err()
}

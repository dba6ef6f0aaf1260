package doc

// This file finds names in trees, and knows those of the language.

import (
	"go/ast"
	"path"
	"strconv"
	"strings"
	"unicode"
)

var predeclaredTypes = set("any bool byte comparable complex64 complex128 error float32 float64" +
	" int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr")

var predeclaredOthers = set("append cap clear close complex copy delete imag len make max min new" +
	" panic print println real recover false iota nil true")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// IsPredeclared says whether the language declares a name.
func IsPredeclared(s string) bool { return predeclaredTypes[s] || predeclaredOthers[s] }

// typeName returns the name of a type without stars, parentheses and type arguments, empty if it
// has none; and whether it is another package's.
func typeName(x ast.Expr) (name string, imported bool) {
	for inner := x; inner != nil; inner = wrapped(inner) {
		x = inner
	}
	if sel, ok := x.(*ast.SelectorExpr); ok {
		x, imported = sel.Sel, true
		if _, ok := sel.X.(*ast.Ident); !ok {
			return "", false
		}
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name, imported
	}
	return "", false
}

// wrapped returns what a star, parentheses or type arguments are put to, or nil.
func wrapped(x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.IndexExpr:
		return x.X
	case *ast.IndexListExpr:
		return x.X
	case *ast.ParenExpr:
		return x.X
	case *ast.StarExpr:
		return x.X
	}
	return nil
}

// receiver returns a receiver's type as text.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return "*" + receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X) + "[" + parameter(x.Index) + "]"
	case *ast.IndexListExpr:
		var names []string
		for _, y := range x.Indices {
			names = append(names, parameter(y))
		}
		if len(names) > 0 {
			return receiver(x.X) + "[" + strings.Join(names, ", ") + "]"
		}
	}
	return "BADRECV"
}

func parameter(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return "BADPARAM"
}

// fieldsOf returns the fields of a struct, or what an interface has.
func fieldsOf(x ast.Expr) []*ast.Field {
	var list *ast.FieldList
	switch x := x.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	}
	if list == nil {
		return nil
	}
	return list.List
}

// nameOfPath returns the name that a package with a path most likely has.
func nameOfPath(importPath string) string {
	name := path.Base(importPath)
	if version, ok := strings.CutPrefix(name, "v"); ok {
		if _, err := strconv.Atoi(version); err == nil {
			if dir := path.Dir(importPath); dir != "." {
				name = path.Base(dir)
			}
		}
	}
	name = strings.TrimPrefix(name, "go-")
	end := strings.IndexFunc(name, func(c rune) bool {
		return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if end >= 0 {
		name = name[:end]
	}
	return name
}

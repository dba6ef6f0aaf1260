// Prints what packages of the standard library export: a line with the path, then indented lines with names and, of types, Type.Field
// and Type.Method. The result for all of Go's packages is src/stdlib/exports.txt:
//
//	CGO_ENABLED=0 go run tests/exports.go $(grep -v '^ ' src/stdlib/exports.txt) >exports.new
package main

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"sort"
)

func main() {
	packages := importer.ForCompiler(token.NewFileSet(), "source", nil)
	paths := os.Args[1:]
	sort.Strings(paths)
	for _, path := range paths {
		pkg, err := packages.Import(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(path)
		line := ""
		for _, name := range exports(pkg) {
			if len(line)+len(name) > 120 {
				fmt.Println(line)
				line = ""
			}
			line += " " + name
		}
		if line != "" {
			fmt.Println(line)
		}
	}
}

func exports(pkg *types.Package) []string {
	var names []string
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		names = append(names, name)
		if _, ok := object.(*types.TypeName); ok {
			for _, member := range members(object.Type()) {
				names = append(names, name+"."+member)
			}
		}
	}
	sort.Strings(names)
	return names
}

// Exported fields and methods, promoted ones left out.
func members(t types.Type) []string {
	var names []string
	add := func(object types.Object) {
		if object.Exported() {
			names = append(names, object.Name())
		}
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		for m := range named.Methods() {
			add(m)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			add(f)
		}
	case *types.Interface:
		for m := range u.Methods() {
			add(m)
		}
	}
	return names
}

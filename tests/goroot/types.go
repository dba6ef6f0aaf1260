// Checks package net/http and all that it imports from their source, and prints what it exports:
// go/types and go/importer are themselves compiled from a Go source tree.
package main

import (
	"crypto/sha256"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"sort"
	"strings"
)

func main() {
	path := "net/http"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	from := importer.ForCompiler(token.NewFileSet(), "source", nil).(types.ImporterFrom)
	pkg, err := from.ImportFrom(path, ".", 0)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(pkg, pkg.Complete(), len(pkg.Imports()))
	all := map[*types.Package]bool{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if !all[p] {
			all[p] = true
			for _, imported := range p.Imports() {
				visit(imported)
			}
		}
	}
	visit(pkg)
	var lines []string
	for p := range all {
		var text strings.Builder
		for _, name := range p.Scope().Names() {
			object := p.Scope().Lookup(name)
			text.WriteString(types.ObjectString(object, nil) + "\n")
			if named, ok := object.Type().(*types.Named); ok {
				for method := range named.Methods() {
					text.WriteString("\t" + method.FullName() + " " + method.Type().String() + "\n")
				}
			}
		}
		sum := sha256.Sum256([]byte(text.String()))
		names := len(p.Scope().Names())
		lines = append(lines, fmt.Sprintf("%-48s%6d names  %x", p.Path(), names, sum[:8]))
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
	for _, name := range []string{"Server", "Get", "MethodPost", "ErrNoCookie", "HandlerFunc"} {
		fmt.Println(pkg.Scope().Lookup(name))
	}
}

// run
package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"strconv"
)

// The program renames variables and functions where they are meant, wraps returned errors, and adds
// the import that it needs then.

const source = `package main

import (
	"os" // files
)

// open opens a file.
func open(name string) (f *os.File, err error) {
	f, err = os.Open(name)
	if err != nil {
		return nil, err // as it is
	}
	{
		name := name + "x" // another one
		_ = name
	}
	return f, nil
}

type T struct {
	name string // a field
	open bool
}

func main() {
	name := "a"
	t := T{name: name, open: true}
	func() {
		if _, err := open(t.name); err != nil { panic(err) }
	}()
	for name := range map[string]int{"x":1,
		"yyyy": 2} { open(name) }
	switch name { case "b": open( name )
	default:
	}
	println(name, /* why */ t.open)
}
`

// rename renames what an object is declared as, and all that refers to it.
func rename(file *ast.File, from, to string, ok func(*ast.Object) bool) int {
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		if id, is := node.(*ast.Ident); is && id.Obj != nil && id.Name == from && ok(id.Obj) {
			id.Name = to
			n++
		}
		return true
	})
	return n
}

func wrap(file *ast.File) (n int) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			r, ok := node.(*ast.ReturnStmt)
			if !ok || len(r.Results) == 0 {
				return true
			}
			last := &r.Results[len(r.Results)-1]
			if id, ok := (*last).(*ast.Ident); ok && id.Name == "err" {
				n++
				*last = &ast.CallExpr{
					Fun: &ast.SelectorExpr{X: ast.NewIdent("fmt"), Sel: ast.NewIdent("Errorf")},
					Args: []ast.Expr{&ast.BasicLit{
						Kind: token.STRING, Value: strconv.Quote(f.Name.Name + ": %w"),
					}, id},
				}
			}
			return true
		})
	}
	return n
}

func main() {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "main.go", source, parser.ParseComments)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rename(file, "open", "openNamedFile", func(o *ast.Object) bool { return o.Kind == ast.Fun }))
	fmt.Println(rename(file, "name", "path", func(o *ast.Object) bool {
		_, param := o.Decl.(*ast.Field)
		return param
	}))
	fmt.Println(rename(file, "name", "aMuchLongerName", func(o *ast.Object) bool {
		a, ok := o.Decl.(*ast.AssignStmt)
		return ok && len(a.Lhs) == 1
	}))
	if wrap(file) > 0 {
		imports := file.Decls[0].(*ast.GenDecl)
		imports.Specs = append(imports.Specs, &ast.ImportSpec{
			Path: &ast.BasicLit{Kind: token.STRING, Value: `"fmt"`},
		})
	}
	if err := format.Node(os.Stdout, fset, file); err != nil {
		fmt.Println(err)
	}

	// A declaration goes, with its comments.
	comments := ast.NewCommentMap(fset, file, file.Comments)
	file.Decls = append(file.Decls[:2], file.Decls[3:]...)
	file.Comments = comments.Filter(file).Comments()
	if err := format.Node(os.Stdout, fset, file); err != nil {
		fmt.Println(err)
	}
}

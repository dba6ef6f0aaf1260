// run
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
)

const src = `package p

// Doc of f.
func f(x, yy int) (r string) { // head
	/* in */ switch {
	case x > 1, // more
		yy == 2:
		return "a" +
			"b"
	}
	return ` + "`raw\n\ttext`" + ` // tail
}

type T struct {
	A   int    // one
	bcd string // two

	I interface{ m(); N() }
}

var v = map[string]T{"k": {A: 1}, "l": {bcd: "x"},
	"m": {A: 0b101, bcd: "y"}, }
`

func id(name string) *ast.Ident { return ast.NewIdent(name) }

func call(f string, args ...ast.Expr) ast.Expr { return &ast.CallExpr{Fun: id(f), Args: args} }

func binary(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	return &ast.BinaryExpr{X: x, Op: op, Y: y}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func main() {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "f.go", src, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	f := file.Decls[0].(*ast.FuncDecl)
	for _, node := range []any{
		file, f, f.Body, f.Body.List, f.Type, file.Decls, file.Decls[1].(*ast.GenDecl).Specs[0],
		&printer.CommentedNode{Node: f, Comments: file.Comments},
		&printer.CommentedNode{Node: file.Decls[1], Comments: file.Comments},
		&printer.CommentedNode{Node: f, Comments: []*ast.CommentGroup{}},
		&printer.CommentedNode{Node: 1, Comments: file.Comments},
		f.Type.Params, nil, 3, []ast.Expr{},
	} {
		for _, cfg := range []printer.Config{
			{Tabwidth: 8}, {Mode: printer.RawFormat}, {Mode: printer.TabIndent, Tabwidth: 4, Indent: 1},
			{Mode: printer.UseSpaces, Tabwidth: 2},
			{Mode: printer.UseSpaces | printer.TabIndent | printer.SourcePos, Tabwidth: 8},
		} {
			var b bytes.Buffer
			err := cfg.Fprint(&b, fset, node)
			fmt.Printf("%T %v: %v\n%s\n", node, cfg, err, &b)
		}
	}
	fmt.Println(printer.Fprint(failing{}, fset, file))

	// What a program has made has no positions.
	x, y := id("x"), id("y")
	sum := binary(x, token.ADD, y)
	stmts := []ast.Stmt{
		&ast.ExprStmt{X: binary(sum, token.MUL, binary(x, token.SUB, sum))},
		&ast.ExprStmt{X: &ast.UnaryExpr{Op: token.SUB, X: &ast.UnaryExpr{Op: token.SUB, X: sum}}},
		&ast.ExprStmt{X: &ast.StarExpr{X: &ast.StarExpr{X: call("f", sum, &ast.BasicLit{Kind: token.INT, Value: "1"})}}},
		&ast.ExprStmt{X: &ast.SelectorExpr{X: &ast.BasicLit{Kind: token.INT, Value: "1"}, Sel: x}},
		&ast.LabeledStmt{Label: id("L"), Stmt: &ast.EmptyStmt{}},
		&ast.IfStmt{Cond: &ast.ParenExpr{X: x}, Body: &ast.BlockStmt{}, Else: &ast.ReturnStmt{Results: []ast.Expr{x, y}}},
		&ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{
			&ast.ValueSpec{Names: []*ast.Ident{x, y}, Type: &ast.ChanType{Dir: ast.RECV, Value: id("int")}},
			&ast.ValueSpec{Names: []*ast.Ident{id("longer")}, Values: []ast.Expr{sum}},
		}}},
		&ast.AssignStmt{Lhs: []ast.Expr{x, y}, Tok: token.DEFINE, Rhs: []ast.Expr{sum, &ast.CompositeLit{
			Type: id("T"), Elts: []ast.Expr{&ast.KeyValueExpr{Key: x, Value: y}, x}, Incomplete: true,
		}}},
		&ast.BadStmt{}, &ast.SelectStmt{Body: &ast.BlockStmt{}},
	}
	made := &ast.File{Name: id("made"), Decls: []ast.Decl{
		&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{
			&ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: "`a/b`"}},
		}},
		&ast.FuncDecl{
			Doc:  &ast.CommentGroup{List: []*ast.Comment{{Text: "// g is made."}, {Text: "//go:x"}}},
			Name: id("g"), Type: &ast.FuncType{Params: &ast.FieldList{}},
			Body: &ast.BlockStmt{List: stmts},
		},
		&ast.GenDecl{Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{
			Name: id("S"),
			TypeParams: &ast.FieldList{List: []*ast.Field{
				{Names: []*ast.Ident{id("P")}, Type: &ast.StarExpr{X: id("C")}},
			}},
			Type: &ast.StructType{Incomplete: true, Fields: &ast.FieldList{List: []*ast.Field{
				{Names: []*ast.Ident{x}, Type: id("int"), Tag: &ast.BasicLit{Kind: token.STRING, Value: "`t`"}},
				{Type: id("Embedded"), Comment: &ast.CommentGroup{List: []*ast.Comment{{Text: "// e"}}}},
			}}},
		}}},
		&ast.BadDecl{},
	}}
	if err := format.Node(os.Stdout, token.NewFileSet(), made); err != nil {
		fmt.Println(err)
	}
	ast.FileExports(file)
	format.Node(os.Stdout, fset, file)
	file.Comments = nil
	format.Node(os.Stdout, fset, file)
}

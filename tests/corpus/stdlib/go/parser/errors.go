// run gcstress=20000
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func show(src string, mode parser.Mode) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "f.go", src, mode)
	fmt.Printf("--- %q\n", src)
	if list, ok := err.(scanner.ErrorList); ok {
		for _, e := range list {
			fmt.Println(e)
		}
	} else {
		fmt.Println(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if n != nil {
			fmt.Printf("%T@%d-%d ", n, n.Pos(), max(n.End(), -1))
		}
		return true
	})
	fmt.Println(f.Unresolved, len(f.Imports), f.GoVersion, f.FileStart, f.FileEnd)
}

func main() {
	for _, body := range []string{
		"", "func", "var x", "var x = ", "x := 1", "import 5", "import x", "const c int", "type", "type T",
		"type T struct { (A); *(B); C, D; E string `tag` `more` }", "type T struct { 5 }",
		"type T interface { m[P any](); int | ~string; m(); A[int]; p.B[c, d] }", "type T[P any] struct{}",
		"type T[P *C] int; type U[P *C,] int; type V[P (C)] int; type W[n * m] int; type X[] int",
		"type T[P *struct{}] int; type U[P *C|Q] int; type V[P interface{}, Q ~int|~string] []P",
		"func f[]() {}", "func f[P]() {}", "func f[P any, Q]() {}", "func (r *T[P, _]) m(a, b int, c ...string) (x, y error) {}",
		"func f(a int, string) {}", "func f(a, b) {}", "func f(a ...int, b int) {}", "func f() (a ...int) {}",
		"func f(x.y, z) {}", "func f()\n{\n}", "func f() { if x { } else x }", "func f() { if { } }",
		"func f() { if x := 1 { } }", "func f() { if x; { } }", "func f() { if x\n{ } }", "func f() { if var x = 1; x { } }",
		"func f() { for x := range y { }; for range y {}; for a, b, c = range d {}; for ;; {} ; for i := 0; i < 3 {} }",
		"func f() { switch x := y.(type) { case int, string: default: }; switch y.(type) {}; switch x = y.(type) {} }",
		"func f() { switch a := 1; a { case 1: fallthrough; case 2, 3: } ; switch T{} {} }",
		"func f() { select { case x <- y: case a, b = <-c: case a, b, c := <-d: case <-e: case f, g: default: } }",
		"func f() { go f; defer (g()); go func() {}(); defer }", "func f() { L: for { break L; continue M; goto L }; x: }",
		"func f() { a, b := 1, 2; a, b := 3, 4; a++; b--; c <- 1; 5: }", "func f() { x = y == z = w }",
		"func f() { return 1, 2 \n }; func g() { return }", "func f() { x[]; x[1:2:3]; x[::]; x[1::3]; x[a, b]; x[:] }",
		"func f() { g(1, 2...); g(a b); g(a,\n b\n); h(\n}", "func f() { _ = T{1, a: 2, {3}, }; _ = (T){}; _ = []int{1\n} }",
		"func f() { x.; y.5; z.(int); z.(type) }", "func f() { var f = func(x int) int { return x }; _ = <-chan int(nil); _ = <-chan<- int(x); <-(<-chan int)(y) }",
		"var a, b = 1, 2; var c int = 3; const ( d = iota; e; f int = 5 ); type ( A = B; C[P any] = D )",
		"}", "func f() { ))) }", "func f() { case }", "var x [...]int; var y [2,]int; var z map[int; var w chan",
		"//line g.go:100\nvar x = 08\nvar y = 'ab'\nvar z = \"open", "/* open", "import \"a\"; import ( . \"b\"; _ `c`; d \"e\" ); var x = a.X; import \"late\"",
		"var x int; var x string; func x() {}; func init() {}; func init() {}; type y struct { a int; a string }",
		strings.Repeat("func (\n", 15), "var x = " + strings.Repeat("(", 30), "func f() { { { if x { }", "func f() { /* c */ } // d\n// e\n\nvar g int // h",
	} {
		src := "package p; " + body
		show(src, parser.AllErrors|parser.ParseComments)
		if len(body)%3 == 0 {
			show(src, parser.DeclarationErrors)
			show(src, parser.SkipObjectResolution)
		}
		if len(body)%4 == 0 {
			show(src, parser.ImportsOnly)
			show(src, parser.PackageClauseOnly)
		}
	}
	for _, src := range []string{"", "\n", "pack", "package", "package _", "package 5", "package p q", "\x00package p", "//go:build go1.5\n\npackage p", "// doc\npackage p // x"} {
		show(src, parser.DeclarationErrors|parser.ParseComments)
	}
	for _, x := range []string{"1+2*3", "f(x", "", "a b", "[]int", "func() {}", "a;", "a\n", "-x.y[1](2).(T)", "*p", "struct{}", "x = y"} {
		e, err := parser.ParseExpr(x)
		fmt.Printf("%q %T %v\n", x, e, err)
	}
	deep := strings.Repeat("(", 100_100)
	_, err := parser.ParseExpr(deep)
	fmt.Println(err)
	_, err = parser.ParseFile(token.NewFileSet(), "s", "package p; func f() "+strings.Repeat("{", 1100)+strings.Repeat("}", 1100), 0)
	fmt.Println(err)
	_, err = parser.ParseExprFrom(token.NewFileSet(), "t", strings.NewReader("a + b + 2"), parser.Trace)
	fmt.Println(err)
	_, err = parser.ParseFile(token.NewFileSet(), "t", []byte("package p; import \"a\"; func f[T any](x, y int) { if x := g(); x { return 1 }; var z = []T{1: 2}; h( }"), parser.Trace)
	fmt.Println(err)
	_, err = parser.ParseFile(token.NewFileSet(), "t", 5, 0)
	fmt.Println(err)
	_, err = parser.ParseFile(token.NewFileSet(), "t", (*bytes.Buffer)(nil), 0)
	fmt.Println(err)
	_, err = parser.ParseFile(token.NewFileSet(), "none/such", nil, 0)
	fmt.Println(err)

	dir, _ := os.MkdirTemp("", "parser")
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"a.go": "package a", "b.go": "package a; var x", "c.go": "package c", "d.txt": "no", "e_test.go": "package a"} {
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)
	}
	pkgs, err := parser.ParseDir(token.NewFileSet(), dir, func(info fs.FileInfo) bool { return !strings.Contains(info.Name(), "_test") }, 0)
	fmt.Println(len(pkgs), len(pkgs["a"].Files), pkgs["c"].Name, strings.ReplaceAll(err.Error(), dir, "DIR"))
}

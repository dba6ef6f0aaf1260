// run
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
)

const source = `// Package shape knows shapes. See [Shape.Area], [math.Pi] and [Unit].
//
// BUG(gopher): circles   have
//	corners.
package shape

import (
	m "math"
	"example.com/go-units/v2"
)

// TODO(someone): nothing

// Kinds of shapes.
const (
	Round Kind = iota // round
	Square
	hidden
	Last
)

// Unit is one.
const Unit = 1.0

// All of them.
var A, b, C = 1, 2, 3

var def = &Circle{}

// Default is used.
var Default Shape

// A Kind is a kind.
type Kind int

// String names it.
func (k Kind) String() string { return "" }

type (
	// A Shape has an area.
	Shape interface {
		Area() float64 // in units
		private()
	}

	base struct{ x, Y int }
)

// Move moves.
func (b *base) Move(dx int) { b.x += dx }

func (b base) unexported() {}

// A Circle is round.
type Circle struct {
	base
	*Kind
	Radius float64
	cache  map[string]int
}

// NewCircle makes one.
func NewCircle(r float64) (*Circle, error) { return nil, nil }

// Circles are many.
func Circles() []Circle { return nil }

// Area is Pi r².
func (c *Circle) Area() float64 { return m.Pi }

// A List is generic.
type List[T any] struct{ items []T }

// Add adds.
func (l *List[T]) Add(x T) {}

// Sum is a function.
func Sum(shapes ...Shape) float64 { return 0 }

func helper() Kind { return 0 }

var _ = units.X
`

const tests = `package shape_test

import (
	"fmt"
	"os"

	"example.com/shape"
)

type point struct{ x, y int }

func (p point) show() { fmt.Println(p.x, p.y) }

const (
	one = iota
	two
)

var unused, used = 1, 2

// It shows a circle.
func ExampleCircle() {
	c, _ := shape.NewCircle(1)
	point{1, 2}.show() // shown
	fmt.Println(c, used, two)
	// Output:
	// x
	//  y
}

func ExampleCircle_Area() {
	fmt.Println(missing)
	// Unordered output: 1
}

func ExampleCircle_area()    {}
func ExampleSum_two()        { os.Exit(1) }
func Example()               { /* Output: */ }
func Example_suffix()        {}
func ExampleList_Add()       {}
func ExampleNone()           {}
func ExampleSum(x int)       {}
func TestX(t *testing.T)     {}
func Examples()              {}
`

func main() {
	for _, mode := range []doc.Mode{0, doc.AllDecls | doc.PreserveAST, doc.AllMethods} {
		fset := token.NewFileSet()
		var files []*ast.File
		for _, f := range [][2]string{{"shape.go", source}, {"shape_test.go", tests}} {
			file, err := parser.ParseFile(fset, f[0], f[1], parser.ParseComments)
			if err != nil {
				fmt.Println(err)
			}
			files = append(files, file)
		}
		p, err := doc.NewFromFiles(fset, files, "example.com/shape", mode)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("mode", mode)
		show(fset, p)
		p.Filter(func(name string) bool { return name == "Area" || name == "C" })
		show(fset, p)
	}
	_, err := doc.NewFromFiles(token.NewFileSet(), []*ast.File{{Name: ast.NewIdent("x")}}, "x")
	fmt.Println(err)
	func() {
		defer func() { fmt.Println(recover()) }()
		doc.NewFromFiles(token.NewFileSet(), nil, "x", 1)
	}()
	for _, text := range []string{
		"One. Two.", "By J. Doe. More", "In NATO. More", "Copyright x.", "\tcode", "a\nb  c.\nd", "",
		"See [fmt.Println].", "中文。x",
	} {
		fmt.Printf("%q ", doc.Synopsis(text))
	}
	fmt.Println(doc.IsPredeclared("iota"), doc.IsPredeclared("max"), doc.IsPredeclared("x"))
	doc.ToHTML(os.Stdout, "x & [y] os\n\n  code\n", map[string]string{"os": "u"})
	doc.ToText(os.Stdout, "some words that are filled\n\n  code\n", "> ", ">> ", 12)
}

func show(fset *token.FileSet, p *doc.Package) {
	fmt.Printf("%q %s %s %q %q\n", p.Doc, p.Name, p.ImportPath, p.Imports, p.Filenames)
	fmt.Printf("%s%q\n%s\n", p.HTML(p.Doc), p.Synopsis(p.Doc), p.Markdown(p.Doc))
	for _, n := range append(p.Notes["BUG"], p.Notes["TODO"]...) {
		fmt.Println(n.UID, n.Body, fset.Position(n.Pos), fset.Position(n.End))
	}
	values(fset, p.Consts)
	values(fset, p.Vars)
	funcs(fset, p.Funcs)
	for _, t := range p.Types {
		fmt.Printf("type %s: %q\n%s\n", t.Name, t.Doc, text(fset, t.Decl))
		values(fset, t.Consts)
		values(fset, t.Vars)
		funcs(fset, t.Funcs)
		funcs(fset, t.Methods)
		examples(fset, t.Examples)
	}
	examples(fset, p.Examples)
}

func text(fset *token.FileSet, node any) string {
	var b bytes.Buffer
	if err := format.Node(&b, fset, node); err != nil {
		return err.Error()
	}
	return b.String()
}

func values(fset *token.FileSet, list []*doc.Value) {
	for _, v := range list {
		fmt.Printf("%q: %q\n%s\n", v.Names, v.Doc, text(fset, v.Decl))
	}
}

func funcs(fset *token.FileSet, list []*doc.Func) {
	for _, f := range list {
		fmt.Printf("%s %q %q %d: %q\n%s\n", f.Name, f.Recv, f.Orig, f.Level, f.Doc, text(fset, f.Decl))
		examples(fset, f.Examples)
	}
}

func examples(fset *token.FileSet, list []*doc.Example) {
	for _, x := range list {
		fmt.Printf("example %q %q %q %q %v %v %d\n", x.Name, x.Suffix, x.Doc, x.Output, x.Unordered,
			x.EmptyOutput, x.Order)
		if x.Play != nil {
			fmt.Println(text(fset, x.Play))
		}
	}
}

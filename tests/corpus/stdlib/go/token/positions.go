// run
package main

import (
	"encoding/json"
	"fmt"
	"go/token"
)

func try(f func()) {
	defer func() { fmt.Println("panic:", recover()) }()
	f()
}

func main() {
	for tok := token.ILLEGAL - 1; tok <= token.TILDE+1; tok++ {
		fmt.Print(tok, " ", tok.Precedence(), tok.IsLiteral(), tok.IsOperator(), tok.IsKeyword(), "; ")
	}
	fmt.Println()
	for _, s := range []string{"", "if", "iff", "_", "a1", "1a", "é", "func", "Func", "~", "a b"} {
		fmt.Print(s, token.Lookup(s), token.IsKeyword(s), token.IsIdentifier(s), token.IsExported(s), " ")
	}
	fmt.Println()

	set := token.NewFileSet()
	fmt.Println(set.Base(), set.File(1), set.Position(7), set.Position(token.NoPos))
	src := []byte("one\ntwo\n\nfour")
	f := set.AddFile("f.go", -1, len(src))
	f.SetLinesForContent(src)
	g := set.AddFile("g.go", set.Base()+10, 20)
	fmt.Println(f, g, set.Base(), f.Lines(), f.LineCount(), f.End(), g.LineCount())
	for _, offset := range []int{-1, 0, 3, 4, 8, 9, 12, 13, 99} {
		p := f.Pos(offset)
		fmt.Print(p, " ", f.Offset(p), " ", f.Line(p), " ", set.Position(p), "; ")
	}
	fmt.Println(f.SetLines([]int{0, 5, 5}), f.SetLines([]int{0, 13}), f.SetLines([]int{0, 4, 8, 9}))
	f.AddLine(2)
	f.AddLineInfo(4, "other.go", 100)
	f.AddLineColumnInfo(9, "third.go", 7, 0)
	f.AddLineColumnInfo(8, "never.go", 7, 0)
	for _, offset := range []int{0, 4, 6, 8, 9, 11} {
		p := f.Pos(offset)
		fmt.Print(set.Position(p), " ", set.PositionFor(p, false), "; ")
	}
	fmt.Println(f.LineStart(2), g.LineStart(1))
	f.MergeLine(1)
	fmt.Println(f.Lines())
	try(func() { f.MergeLine(3) })
	try(func() { f.MergeLine(0) })
	try(func() { f.LineStart(9) })
	try(func() { set.AddFile("x", 3, 4) })
	try(func() { set.AddFile("x", -1, -4) })

	other := token.NewFileSet()
	other.AddExistingFiles(g, f)
	try(func() {
		third := token.NewFileSet()
		other.AddExistingFiles(third.AddFile("late", 5, 3))
	})
	other.Iterate(func(f *token.File) bool {
		fmt.Println("has", f)
		other.RemoveFile(f)
		return true
	})
	fmt.Println(other.File(3), other.Base())

	var kept []byte
	fmt.Println(set.Write(func(x any) (err error) {
		kept, err = json.Marshal(x)
		return err
	}))
	fmt.Println(string(kept))
	again := token.NewFileSet()
	fmt.Println(again.Read(func(x any) error { return json.Unmarshal(kept, x) }))
	fmt.Println(again.Base(), again.Position(f.Pos(9)), again.Position(g.Pos(9)))
	for _, pos := range []token.Position{{}, {Filename: "a"}, {Line: 3}, {Filename: "a", Line: 3, Column: 4}} {
		fmt.Println(pos, pos.IsValid())
	}
}

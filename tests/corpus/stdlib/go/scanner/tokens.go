// run
package main

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
)

func scan(name, src string, mode scanner.Mode) {
	set := token.NewFileSet()
	file := set.AddFile(name, -1, len(src))
	var list scanner.ErrorList
	var s scanner.Scanner
	s.Init(file, []byte(src), list.Add, mode)
	for {
		pos, tok, lit := s.Scan()
		fmt.Printf(" %v/%d:%v%q", set.Position(pos), int(s.End()-pos), tok, lit)
		if tok == token.EOF {
			break
		}
	}
	fmt.Printf("\n%d errors, %d lines\n", s.ErrorCount, file.LineCount())
	scanner.PrintError(os.Stdout, list)
	list.RemoveMultiples()
	fmt.Println(list.Err(), list.Len())
}

func main() {
	for i, src := range []string{
		"package p\nfunc f(x int) { return x+1 } // end\nvar é = `raw\r\nstring`\n",
		"x<=-1 -=- +=+ |=| &=& <<=< >>=> &^=^ ===",
		"+ - * / % & | ^ << >> &^ += -= *= /= %= &= |= ^= <<= >>= &^= && || <- ++ -- == < > = ! != <= >= := ... ( [ { , . ) ] } ; : ~ ..",
		"0 07 08 0x 0xG 0b12 0o8 0_1 1__0 _1 1_ 0x_1 0b_ 1e 1e+ 0x1p 0x1.8 1.5i 0x1p-2 08.5 089 1p3 0b1e2 0b1.0 .5 5. 0xe+1",
		`'a' '\n' '\x' '\xFF' '\400' '\u12' '\ud800' '\U00110000' '' 'ab' '\q' 'x`,
		`"a\nb" "\q" "\x4" "\"" "open`,
		"\"line\nbreak\" `raw",
		"/* one */ a /* two\nlines */ b // three\n c /* open",
		"a /* x */ /* y\n */ /* z */\nb\n",
		"//line foo.go:10\na\n//line bar.go:20:5\nb /*line :7:3*/ c\n//line x:0\n//line y:1:0\n//line z:a\n//line /abs//p.go:3\nd\n//line w\n",
		"\uFEFFa \uFEFF b \x00 \x80 # $ ? @ “x” \\ é́",
		"\xff\xfea\x00", "return\nbreak\nif\n)\n}\n]\nx++\n'a'\n\"s\"\n1\n", "a\r\nb // c\r\n/* d\r\n*\r/ \r*/\n", "",
	} {
		scan(fmt.Sprintf("dir/f%d.go", i), src, scanner.ScanComments)
		if i > 5 {
			scan("g.go", src, 0)
		}
	}
	var empty scanner.ErrorList
	fmt.Println(empty, empty.Err())
	scanner.PrintError(os.Stdout, errors.New("plain"))
	scanner.PrintError(os.Stdout, nil)
	fmt.Println(scanner.Error{Msg: "nowhere"})
	func() {
		defer func() { fmt.Println(recover()) }()
		new(scanner.Scanner).Init(token.NewFileSet().AddFile("x", -1, 3), nil, nil, 0)
	}()
}

// run

// text/scanner: tokens, modes, positions and errors.
package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing/iotest"
	"text/scanner"
	"unicode"
)

func scan(r io.Reader, set func(*scanner.Scanner)) {
	var s scanner.Scanner
	s.Init(r)
	s.Filename = "f"
	s.Error = func(s *scanner.Scanner, msg string) {
		fmt.Printf("  error %s at %v, %v, %q\n", msg, s.Pos(), s.Position, s.TokenText())
	}
	if set != nil {
		set(&s)
	}
	for {
		t := s.Scan()
		fmt.Printf("  %s %q %v %v\n", scanner.TokenString(t), s.TokenText(), s.Position, s.Pos())
		if t == scanner.EOF {
			fmt.Println(" ", s.ErrorCount)
			return
		}
	}
}

func main() {
	text := "\ufefffunc é1(_x int) {\n\treturn 'a' + '\\n' + \"s\\u00e9\" + `r\nw` // c\n/* d\n*/}\n"
	scan(strings.NewReader(text), nil)
	scan(iotest.OneByteReader(strings.NewReader(text)), func(s *scanner.Scanner) {
		s.Mode &^= scanner.SkipComments
	})
	scan(strings.NewReader("0 017 08 0o17 0o18 0b102 0x1F 0xg 1_000 1__0 1_ 0_7 .5 1. 1e3 1e 1p2 "+
		"0x1p-2 0x1.8 0x.p1 0b1.0 0x_1 5..6 1.e+2"), nil)
	scan(strings.NewReader("'' 'ab' '\\q' '\\400' '\\x1' \"a\nb\" 'x"), nil)
	scan(strings.NewReader("`open"), nil)
	scan(strings.NewReader("/* open"), nil)
	scan(strings.NewReader("a\x00b \xff c\xe4"), nil)
	scan(strings.NewReader("a-b 12.5 %x 'y' \"z\""), func(s *scanner.Scanner) { s.Mode = 0 })
	scan(strings.NewReader("%var1 var2% 'time'@"), func(s *scanner.Scanner) {
		s.IsIdentRune = func(ch rune, i int) bool {
			return ch == '%' && i == 0 || unicode.IsLetter(ch) || unicode.IsDigit(ch) && i > 0
		}
		s.Mode = scanner.ScanIdents
	})
	scan(strings.NewReader("a\n\tb\n"), func(s *scanner.Scanner) { s.Whitespace ^= 1<<'\t' | 1<<'\n' })
	scan(iotest.ErrReader(errors.New("broken")), nil)
	long := strings.Repeat("abcdefghi_", 300)
	var s scanner.Scanner
	s.Init(strings.NewReader(long + " " + long))
	for t := s.Scan(); t != scanner.EOF; t = s.Scan() {
		fmt.Println(scanner.TokenString(t), s.TokenText() == long, s.Position)
	}
	s.Init(strings.NewReader("aé\n"))
	fmt.Println(s.Position, s.Peek(), s.Next(), s.Next(), s.Pos(), s.Next(), s.Next(), s.Peek())
	fmt.Println(scanner.TokenString('x'), scanner.TokenString(scanner.Comment))
	fmt.Println(scanner.Position{}, scanner.Position{"f", 1, 2, 3})
}

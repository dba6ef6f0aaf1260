// run

// Trees and programs of expressions, and what is wrong with others.
package main

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

func dump(re *syntax.Regexp) string {
	s := fmt.Sprintf("%v{%d %q %d,%d %d%s", re.Op, re.Flags, re.Rune, re.Min, re.Max, re.Cap,
		re.Name)
	for _, sub := range re.Sub {
		s += " " + dump(sub)
	}
	return s + "}"
}

var exprs = []string{
	``, `a`, `abc`, `a.b`, `(?s)a.b`, `a|b`, `ab|ac|ad`, `abc|abd|b|c|`, `a*?b+c??`, `x{2}`,
	`x{2,}`, `x{0}`, `x{2,4}?`, `(a)(?P<n>b)(?<m>c)`,
	`(?:a)`, `[a-z]`, `[^a-z]`, `[[:word:]]`, `[[:^digit:]x]`, `\d\D\w\W\s\S`, `(?i)aK[s]`,
	`(?i)\w`, `\pN`, `\p{Greek}`, `\P{^Greek}`, `\p{Any}`,
	`(?i)\p{Lu}`, `^$`, `(?m)^$`, `\A\z\b\B`, `\Qa.b\E*`, `[Aa]`, `\x41\x{263a}\101\n\a`,
	`(?U)a+`, `(?i:a)b`, `(?-s:.)`, `a(?i)b(?-i)c`, `(|a)*`,
	`[^\n]`, `[\x00-\x{10FFFF}]`, `[^\x00-\x{10FFFF}]`, `x{3}y|x{3}z`, `.|\n`, `((a{2}){3}){4}`,
	`a{,2}`, `{`, `a{1`, `\_\-`, `é☺`, `-[-a][a-]`,

	`*`, `a**`, `a+*?`, `(a`, `a)`, `[a`, `[z-a]`, `[[:foo:]]`, `a\`, `\8`, `\C`, `\p{Foo}`,
	`\p`, `\pX`, `\x{110000}`, `\xg`, `(?P<n`, `(?P<>a)`, `(?P<a-b>c)`,
	`(?z)`, `(?i`, `(?i-)`, `(?P=n)`, `(?=a)`, `x{1001}`, `x{2,1}`, `((x{100}){100}){2}`, "\xff",
	"[\xff]", "(?\xff", `|*`, `(*)`, `[a-\d]`, `\pL{1000}{2}`,
}

func main() {
	for _, flags := range []syntax.Flags{syntax.Perl, syntax.POSIX,
		syntax.Perl | syntax.FoldCase, syntax.Literal} {
		for _, e := range exprs {
			re, err := syntax.Parse(e, flags)
			if err != nil {
				fmt.Printf("%q %v\n", e, err)
				continue
			}
			fmt.Printf("%q %s %s\n", e, re, dump(re))
			simple := re.Simplify()
			fmt.Println(simple, re.Equal(re), re.Equal(simple), re.MaxCap(), re.CapNames())
			prog, err := syntax.Compile(simple)
			if err != nil {
				fmt.Println(err)
				continue
			}
			prefix, complete := prog.Prefix()
			fmt.Printf("%q %v %d\n", prefix, complete, prog.StartCond())
			if flags == syntax.Perl && len(prog.Inst) < 20 {
				fmt.Print(prog)
			}
		}
	}
	for _, n := range []int{500, 999, 1001} {
		for _, e := range []string{
			strings.Repeat("(", n) + strings.Repeat(")", n), strings.Repeat("(xx?)", n),
			strings.Repeat("a|", n) + "bc",
			strings.Repeat("((((a{10}){10}){10}))", n),
			"((((x{10}){10}){10})" + strings.Repeat("(a{1000})", n) + ")",
		} {
			_, err := syntax.Parse(e, syntax.Perl)
			text := fmt.Sprint(err)
			fmt.Println(n, text[:min(70, len(text))])
		}
	}
	for op := syntax.Op(0); op < 22; op++ {
		fmt.Print(op, " ", syntax.InstOp(op), " ")
	}
	fmt.Println(syntax.Op(128), syntax.Op(129))
	for _, r := range []rune{-1, 'a', '\n', ' ', 'é'} {
		fmt.Print(syntax.EmptyOpContext(r, 'b'), syntax.EmptyOpContext('b', r),
			syntax.EmptyOpContext(r, -1), syntax.IsWordChar(r), " ")
		for op := syntax.EmptyOp(1); op <= syntax.EmptyNoWordBoundary; op *= 2 {
			i := syntax.Inst{Op: syntax.InstEmptyWidth, Arg: uint32(op)}
			fmt.Print(i.MatchEmptyWidth(r, '\n'), i.MatchEmptyWidth('x', r), " ")
		}
	}
	fmt.Println()
}

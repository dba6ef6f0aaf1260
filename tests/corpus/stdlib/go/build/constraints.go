// run
package main

import (
	"fmt"
	"go/build/constraint"
	"strings"
)

func main() {
	long := strings.Repeat("a || ", 1000) + "a"
	for _, line := range []string{
		"//go:build linux", "//go:build linux && (amd64 || !cgo)\n", "//go:build !(a && b) || c",
		"//go:build a || b && c || d", "//go:build (a || b) && (c || d)", "//go:build", "//go:build ",
		"//go:buildx", "// go:build x", "//go:build a b", "//go:build (a", "//go:build a)", "//go:build !!a",
		"//go:build !(!a)", "//go:build a & b", "//go:build a | b", "//go:build a-b", "//go:build (a && ",
		"//go:build go1.18 && (go1.20 || !go1.22) && !go1.25", "//go:build !go1.5 || go1.7", "//go:build go1",
		"//go:build go1.x || go1.3.4", "//go:build é1_.x", "//go:build a\n\n", "//go:build " + long,
		"// +build linux,amd64 darwin", "//+build !a", "// +build !!a b ! c-d !,", "// +build", "// +buildx",
		"//  +build  go1.7,!go1.9 go1.8 ", "/* +build a */", "", "// +build " + strings.Repeat("a ", 102),
	} {
		x, err := constraint.Parse(line)
		if len(line) > 90 {
			line = line[:90]
		}
		fmt.Printf("%q %v %v ", line, constraint.IsGoBuild(line), constraint.IsPlusBuild(line))
		if err != nil {
			fmt.Println(err)
			if e, ok := err.(*constraint.SyntaxError); ok {
				fmt.Println("  at", e.Offset)
			}
			continue
		}
		if text := x.String(); len(text) < 200 {
			fmt.Println(text)
		}
		lines, err := constraint.PlusBuildLines(x)
		fmt.Printf("  %q %v %q", lines, err, constraint.GoVersion(x))
		asked := ""
		fmt.Println(x.Eval(func(tag string) bool {
			if len(asked) < 50 {
				asked += tag + " "
			}
			return tag == "a" || tag == "linux"
		}), asked)
	}
}

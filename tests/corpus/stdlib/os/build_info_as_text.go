// run

// Texts of debug.BuildInfo, read and written.
package main

import (
	"fmt"
	"runtime/debug"
)

func main() {
	show := func(b debug.BuildInfo) { fmt.Printf("%q\n", b.String()) }
	show(debug.BuildInfo{})
	show(debug.BuildInfo{GoVersion: "g", Path: "p"})
	show(debug.BuildInfo{Main: debug.Module{Path: "m"}})
	show(debug.BuildInfo{Main: debug.Module{Version: "v"}})
	r := &debug.Module{Path: "r", Version: "v2", Sum: "s2"}
	show(debug.BuildInfo{Main: debug.Module{Path: "m", Version: "v", Sum: "s", Replace: r}})
	show(debug.BuildInfo{Deps: []*debug.Module{{Path: "m", Version: "v", Sum: "s", Replace: r}, {Path: "k"}, {}}})
	r2 := &debug.Module{Path: "rr", Version: "v2", Sum: "s2", Replace: r}
	show(debug.BuildInfo{Deps: []*debug.Module{{Path: "m", Version: "v", Sum: "s", Replace: r2}}})
	for _, s := range []string{"", "a", "a b", "a\tb", "a\nb", "a=b", "a`b", "a\"b", "a'b", "a\\b", "é", "\r", "\x00", "a\u00a0b", "\xff"} {
		show(debug.BuildInfo{Settings: []debug.BuildSetting{{s, "v"}, {"k", s}}})
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		show(debug.BuildInfo{Deps: []*debug.Module{nil}})
	}()
	for _, s := range []string{"", "go\tx\n", "go\tx", "go x\n", "path\tp\n", "path\tp", "mod\ta\n", "mod\ta\tb\n", "mod\ta\tb\tc\n", "mod\ta\tb\tc\td\n", "mod\n", "mod\t\n", "dep\ta\n", "dep\ta\tb\n", "dep\ta\tb\tc\n", "dep\ta\tb\tc\td\n", "=>\ta\tb\tc\n", "dep\ta\tb\n=>\tx\ty\n", "dep\ta\tb\n=>\tx\ty\tz\n", "dep\ta\tb\n=>\tx\n","mod\ta\tb\n=>\tx\ty\tz\ndep\ta\tb\n=>\tx\ty\tz\n=>\tx\ty\tz\n", "build\tx\n", "build\tx=\n", "build\t=x\n", "build\tx=y=z\n", "build\t\"a b\"=\"c d\"\n", "build\t`a`=`b`\n", "build\t\"a=\n", "build\ta=\"b\n", "build\ta=\"b\"c\n", "build\t\"a\"b=c\n", "build\ta b=c\n", "build\ta=b c\n", "build\n", "nonsense\n\npath\tq\n", "path\tp\r\n", "path\tp\n\ngo\tz\npath\tq\n", "build\ta=b\nbuild\ta=c\n", "build\ta=\"\\x\"\n"} {
		b, err := debug.ParseBuildInfo(s)
		fmt.Printf("%q: ", s)
		if b != nil {
			fmt.Printf("%q\n", b.String())
		}
		fmt.Println(b == nil, err)
	}
	b, err := debug.ParseBuildInfo("dep\ta\tb\nzz\nbuild\tx\n")
	fmt.Println(b, err)
}

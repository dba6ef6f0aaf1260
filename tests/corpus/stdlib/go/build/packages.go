// run
package main

import (
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
	"testing/fstest"
)

var files = map[string]string{
	"/go/src/fmt/print.go":         "// Package fmt prints. More.\npackage fmt\n\nimport (\n\t\"os\"\n\t\"io\"\n)\n",
	"/go/src/p/a.go":               "//go:debug x=1\n\n/* c */ package p // import \"other/p\"\nimport \"embed\"; import _ \"fmt\"\n\n//go:embed a* \"b c\" `d`\nvar x embed.FS\n//go:embed \"bad\n",
	"/go/src/p/b.go":               "/*\n//go:build never\n*/\n//go:build linux || cgo\n\n// Package p is one! Yes\npackage p\n",
	"/go/src/p/b_windows.go":       "package p\n",
	"/go/src/p/linux.go":           "package p\n",
	"/go/src/p/x_linux_arm64.go":   "package p\n",
	"/go/src/p/x_arm64_test.go":    "package p\n",
	"/go/src/p/old.go":             "// +build gc,!plan9 extra\n// +build go1.5\n\npackage p\n",
	"/go/src/p/no.go":              "// +build extra,never\n\npackage p\n",
	"/go/src/p/late.go":            "package p\n// +build never\n\n",
	"/go/src/p/twice.go":           "//go:build a\n//go:build b\n\npackage p\n",
	"/go/src/p/wrong.go":           "//go:build a &&\n\npackage p\n",
	"/go/src/p/syntax.go":          "package p\nimport fmt\n",
	"/go/src/p/path.go":            "package p\nimport \"a b\"\n",
	"/go/src/p/nul.go":             "package p\nimport \"a\x00\"\n",
	"/go/src/p/other.go":           "package q\n",
	"/go/src/p/doc.go":             "package documentation\n",
	"/go/src/p/comment.go":         "package p // import \"yet/another\"\n",
	"/go/src/p/comment2.go":        "package p /* import x */\n",
	"/go/src/p/_ignored.go":        "package z\n",
	"/go/src/p/.ignored.go":        "package z\n",
	"/go/src/p/in_test.go":         "//go:x y\n\npackage p\nimport \"testing\"\n",
	"/go/src/p/out_test.go":        "package p_test\nimport (\"testing\"; . \"p\")\n",
	"/go/src/p/c_test.go":          "package p\nimport \"C\"\n",
	"/go/src/p/c.go":               "package p\n// #cgo CFLAGS: -Iinc -I /abs -DX='a b' ${SRCDIR}/x\n// #cgo linux LDFLAGS: -L \"lib\" -lm\n// #cgo windows,!cgo darwin LDFLAGS: -lw\n// #cgo !windows&&(cgo) pkg-config: a b\n// #cgo noescape f\nimport \"C\"\n",
	"/go/src/p/cbad.go":            "package p\n// #cgo CFLAGS: `x`\nimport \"C\"\n",
	"/go/src/p/cbad2.go":           "package p\n// #cgo XFLAGS: x\nimport \"C\"\n",
	"/go/src/p/cbad3.go":           "package p\n// #cgo CFLAGS: \"x\nimport \"C\"\n",
	"/go/src/p/f.c":                "// +build never\n\nint x;\n",
	"/go/src/p/g.c":                "/* */ int x;\n",
	"/go/src/p/h.hpp":              "",
	"/go/src/p/s.s":                "//go:build amd64\n\nTEXT",
	"/go/src/p/S.S":                "TEXT",
	"/go/src/p/bad.s":              "/ bad",
	"/go/src/p/z.syso":             "\x00",
	"/go/src/p/README":             "x",
	"/go/src/none/x_windows.go":    "package none\n",
	"/go/src/bin/x.go":             "//go:binary-only-package\n\npackage bin\n",
	"/gp/src/u/v/v.go":             "package v\nimport \"dep\"\n",
	"/gp/src/u/vendor/dep/d.go":    "\xef\xbb\xbfpackage dep\n",
	"/gp/src/fmt/own.go":           "package own\n",
	"/gp/src/two/a.go":             "package a\n",
	"/gp/src/two/b.go":             "package b\n",
	"/gp/src/x/testdata/t/t.go":    "package main\n",
	"/gp2/src/far/f.go":            "package far\n",
	"/gp2/pkg/linux_amd64_s/lib.a": "",
}

func context() build.Context {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name[1:]] = &fstest.MapFile{Data: []byte(text)}
	}
	inTree := func(p string) string {
		if p = strings.Trim(path.Clean(p), "/"); p == "" {
			return "."
		}
		return p
	}
	return build.Context{
		GOARCH: "amd64", GOOS: "linux", GOROOT: "/go", GOPATH: "/gp:~/x::/go:/gp2", CgoEnabled: true,
		Compiler: "gc", BuildTags: []string{"extra"}, ReleaseTags: []string{"go1.5"}, InstallSuffix: "s",
		JoinPath:      path.Join,
		SplitPathList: func(s string) []string { return strings.Split(s, ":") },
		IsAbsPath:     path.IsAbs,
		IsDir: func(p string) bool {
			info, err := fs.Stat(tree, inTree(p))
			return err == nil && info.IsDir()
		},
		HasSubdir: func(root, dir string) (string, bool) {
			return strings.CutPrefix(path.Clean(dir), path.Clean(root)+"/")
		},
		ReadDir: func(dir string) ([]fs.FileInfo, error) {
			entries, err := fs.ReadDir(tree, inTree(dir))
			var infos []fs.FileInfo
			for _, e := range entries {
				info, _ := e.Info()
				infos = append(infos, info)
			}
			return infos, err
		},
		OpenFile: func(p string) (io.ReadCloser, error) {
			f, err := tree.Open(inTree(p))
			if err != nil {
				return nil, err
			}
			return f, nil
		},
	}
}

func show(c *build.Context, path, dir string, mode build.ImportMode) {
	p, err := c.Import(path, dir, mode)
	fmt.Printf("%q %q %d:\n%+v\n%v\n", path, dir, mode, *p, err)
	var none *build.NoGoError
	var several *build.MultiplePackageError
	fmt.Println(errors.As(err, &none), errors.As(err, &several), p.IsCommand())
}

func main() {
	c := context()
	show(&c, "p", "", build.ImportComment)
	show(&c, "./p", "/go/src", 0)
	names := []string{"noext", "x.txt", "missing.go"}
	for name := range files {
		names = append(names, path.Base(name))
	}
	sort.Strings(names)
	for _, name := range names {
		ok, err := c.MatchFile("/go/src/p", name)
		fmt.Println(name, ok, err)
	}
	for _, mode := range []build.ImportMode{0, build.FindOnly, build.IgnoreVendor, build.AllowBinary} {
		for _, p := range []string{
			"fmt", "dep", "two", "none", "bin", "lib", "u/v", "vendor/x", "", "/abs", ".", "../fmt", "./no",
			"far", "x/testdata/t",
		} {
			show(&c, p, "/gp/src/u", mode)
		}
	}
	show(&c, ".", "", 0)
	show(&c, ".", "/gp/src/x/testdata/t", 0)
	show(&c, "../fmt", "/gp/src/u", build.FindOnly)
	c.CgoEnabled, c.GOOS, c.Compiler = false, "android", "other"
	show(&c, "p", "", 0)
	c.UseAllFiles, c.GOROOT, c.GOPATH = true, "", ""
	show(&c, "p", "", 0)
	show(&c, ".", "/go/src/p", 0)
	fmt.Println(c.SrcDirs())
	d := context()
	fmt.Println(d.SrcDirs())
	tags := build.Default.ReleaseTags
	fmt.Println(len(tags), tags[len(tags)-1], build.Default.Compiler, build.Default.BuildTags)
}

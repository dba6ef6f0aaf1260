// run

// Packages path and path/filepath: cleaning, joining, matching, walking, relative names.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func main() {
	for _, s := range []string{"", ".", "/", "//", "a", "a/", "a/b", "/a/b/", "a//b", "a/./b", "a/../b", "../a", "a/../..", "/..", "/../a", "a/b/../../c", "./a", "a/b.c", ".x", "a.b/c",
		"x.tar.gz", "/.", "..."} {
		d, f := path.Split(s)
		fmt.Printf("%q: %q %q %q %q %q %q %v\n", s, path.Clean(s), path.Base(s), path.Dir(s), path.Ext(s), d, f, path.IsAbs(s))
		fmt.Println(filepath.IsLocal(s), fs.ValidPath(s))
	}
	fmt.Println(path.Join(), path.Join(""), path.Join("a", "", "b"), path.Join("", "/a", "../b"), path.Join("a/", "/b"))
	for _, c := range [][2]string{{"abc", "abc"}, {"*", "abc"}, {"*c", "abc"}, {"a*", "a"}, {"a*", "ab/c"}, {"a*/b", "abc/b"}, {"a*/b", "a/c/b"}, {"a*b*c*d*e*/f", "axbxcxdxe/f"},
		{"a*b*c*d*e*/f", "axbxcxdxexxx/fff"}, {"a*b?c*x", "abxbbxdbxebxczzx"}, {"ab[c]", "abc"}, {"ab[b-d]", "abc"}, {"ab[e-g]", "abc"}, {"ab[^c]", "abc"}, {"ab[^e-g]", "abc"},
		{"a\\*b", "a*b"}, {"a?b", "a☺b"}, {"a[^a]b", "a☺b"}, {"a???b", "a☺b"}, {"[a-ζ]*", "α"}, {"*[a-ζ]", "A"}, {"a?b", "a/b"}, {"a*b", "a/b"}, {"[\\]a]", "]"}, {"[\\-]", "-"},
		{"[x\\-]", "x"}, {"[]a]", "]"}, {"[-]", "-"}, {"[x-]", "x"}, {"[-x]", "x"}, {"\\", "a"}, {"[a-b-c]", "a"}, {"[", "a"}, {"[^", "a"}, {"[^bc", "a"}, {"a[", "a"}, {"a[", "ab"}, {"a[", "x"},
		{"a/b[", "x"}, {"*x", "xxx"}, {"", ""}, {"", "x"}, {"**", "abc"}, {"[a-a]?", "aé"}} {
		ok, err := path.Match(c[0], c[1])
		ok2, err2 := filepath.Match(c[0], c[1])
		fmt.Println(c, ok, err, ok == ok2, err == err2)
	}
	for _, c := range [][2]string{{"a/b", "a/b"}, {"a/b", "a/b/c"}, {"a/b/c", "a"}, {"a/b", "a/c"}, {"/a", "/b/c"}, {"/", "/a"}, {".", "a"}, {"a", "."}, {"..", "a"}, {"a", "/b"}, {"/a", "b"},
		{"../a", "../b"}, {"a/../b", "b/c"}, {"../../a", "b"}, {"a", "../b"}} {
		r, err := filepath.Rel(c[0], c[1])
		fmt.Println(c, r, err)
	}
	fmt.Println(filepath.SplitList("a:b::c"), len(filepath.SplitList("")), filepath.ToSlash("a/b"), filepath.FromSlash("a/b"), filepath.VolumeName("/a") == "")

	dir, _ := os.MkdirTemp("", "gopath")
	defer os.RemoveAll(dir)
	dir, _ = filepath.EvalSymlinks(dir)
	os.MkdirAll(filepath.Join(dir, "a/b/c"), 0755)
	os.MkdirAll(filepath.Join(dir, "z"), 0755)
	for _, n := range []string{"a/1.txt", "a/2.go", "a/b/3.txt", "a/b/c/4.txt", "5.txt"} {
		os.WriteFile(filepath.Join(dir, n), []byte(n), 0644)
	}
	os.Symlink("a", filepath.Join(dir, "link"))
	os.Symlink("../a/b", filepath.Join(dir, "z/up"))
	os.Symlink("loop", filepath.Join(dir, "loop"))
	hide := func(s any) string { return strings.ReplaceAll(fmt.Sprint(s), dir, "DIR") }
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		fmt.Println(hide(p), d.IsDir(), d.Type(), err)
		if d.Name() == "c" {
			return filepath.SkipDir
		}
		return nil
	})
	fmt.Println(err)
	err = filepath.Walk(dir, func(p string, info fs.FileInfo, err error) error {
		fmt.Println(hide(p), info.Mode().Perm()&0700, err)
		if info.Name() == "2.go" {
			return filepath.SkipAll
		}
		return nil
	})
	fmt.Println(err)
	stop := errors.New("stop")
	fmt.Println(filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error { return stop }) == stop)
	fmt.Println(hide(filepath.WalkDir(dir+"/none", func(p string, d fs.DirEntry, err error) error {
		fmt.Println(d == nil)
		return err
	})))
	for _, pattern := range []string{"*.txt", "a/*", "*/*.txt", "a/*/*", "none*", "a/[", "[", "link/*.go", "5.txt", "6.txt"} {
		m, err := filepath.Glob(filepath.Join(dir, pattern))
		fmt.Println(pattern, hide(m), err)
	}
	for _, n := range []string{"link/1.txt", "z/up/c", "none", "loop", "5.txt/x", "z/../link"} {
		r, err := filepath.EvalSymlinks(dir + "/" + n)
		fmt.Println(n, hide(r), hide(err))
	}
	os.Chdir(dir)
	abs, err := filepath.Abs("a/../z")
	fmt.Println(hide(abs), err)
}

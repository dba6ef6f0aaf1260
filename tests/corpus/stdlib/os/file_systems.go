// run

// File systems: os.DirFS and what io/fs does with it and with a tree of our own, os.CopyFS.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// tree is a file system of names and texts, folders ending in /.
type tree map[string]string

type node struct {
	name, text string
	dir        bool
	list       []fs.DirEntry
	at         int
}

func (n *node) Name() string               { return n.name }
func (n *node) Size() int64                { return int64(len(n.text)) }
func (n *node) ModTime() time.Time         { return time.Time{} }
func (n *node) IsDir() bool                { return n.dir }
func (n *node) Sys() any                   { return nil }
func (n *node) Stat() (fs.FileInfo, error) { return n, nil }
func (n *node) Close() error               { return nil }
func (n *node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0755
	}
	return 0644
}

func (n *node) Read(b []byte) (int, error) {
	if n.at == len(n.text) {
		return 0, io.EOF
	}
	k := copy(b, n.text[n.at:])
	n.at += k
	return k, nil
}

func (n *node) ReadDir(int) ([]fs.DirEntry, error) { return n.list, nil }

func (t tree) Open(name string) (fs.File, error) {
	if text, ok := t[name]; ok {
		return &node{name: name[strings.LastIndex(name, "/")+1:], text: text}, nil
	}
	if _, ok := t[name+"/"]; ok || name == "." {
		n := &node{name: name[strings.LastIndex(name, "/")+1:], dir: true}
		prefix := name + "/"
		if name == "." {
			prefix = ""
		}
		for other, text := range t {
			if rest, ok := strings.CutPrefix(other, prefix); ok && rest != "" {
				if dir, ok := strings.CutSuffix(rest, "/"); ok && !strings.Contains(dir, "/") {
					n.list = append(n.list, fs.FileInfoToDirEntry(&node{name: dir, dir: true}))
				} else if !strings.Contains(rest, "/") {
					n.list = append(n.list, fs.FileInfoToDirEntry(&node{name: rest, text: text}))
				}
			}
		}
		return n, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func main() {
	dir, _ := os.MkdirTemp("", "gofs")
	defer os.RemoveAll(dir)
	hide := func(v any) string { return strings.ReplaceAll(fmt.Sprint(v), dir, "DIR") }
	t := tree{"a.txt": "A", "d/": "", "d/b.txt": "B", "d/e/": "", "d/e/c.go": "C", "z/": ""}
	fmt.Println(os.CopyFS(dir+"/copy", t))
	fmt.Println(errors.Is(os.CopyFS(dir+"/copy", t), fs.ErrExist))
	for i, fsys := range []fs.FS{t, os.DirFS(dir + "/copy")} {
		data, err := fs.ReadFile(fsys, "d/b.txt")
		fmt.Println(i, string(data), err)
		_, err = fs.ReadFile(fsys, "none")
		fmt.Println(hide(err), errors.Is(err, fs.ErrNotExist))
		info, err := fs.Stat(fsys, "d")
		fmt.Println(info.Name(), info.IsDir(), err)
		list, err := fs.ReadDir(fsys, ".")
		for _, e := range list {
			fmt.Println(e.Name(), e.IsDir(), fs.FormatDirEntry(e))
		}
		fmt.Println(err)
		fmt.Println(fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
			fmt.Println(p, d.IsDir(), err)
			if p == "d/e" {
				return fs.SkipDir
			}
			return nil
		}))
		for _, pattern := range []string{"*", "*/*", "d/*.txt", "*/*/*.go", "none/*", "[", "a.txt", "."} {
			m, err := fs.Glob(fsys, pattern)
			fmt.Println(pattern, m, err)
		}
		sub, err := fs.Sub(fsys, "d")
		fmt.Println(err)
		data, err = fs.ReadFile(sub, "e/c.go")
		fmt.Println(string(data), err)
		_, err = fs.ReadFile(sub, "x")
		fmt.Println(hide(err))
		m, err := fs.Glob(sub, "*")
		fmt.Println(m, err)
		_, err = fs.Sub(fsys, "../x")
		fmt.Println(err)
		_, err = fs.ReadFile(sub, "../a.txt")
		fmt.Println(err)
	}
	d := os.DirFS(dir)
	_, err := d.Open("/abs")
	fmt.Println(err)
	_, err = os.DirFS("").Open("x")
	fmt.Println(err)
	os.Symlink("copy", dir+"/link")
	target, err := fs.ReadLink(d, "link")
	fmt.Println(target, err)
	info, err := fs.Lstat(d, "link")
	fmt.Println(info.Mode().Type(), err)
	_, err = fs.ReadLink(t, "a.txt")
	fmt.Println(err)
	when := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
	os.Chtimes(dir+"/copy/a.txt", when, when)
	os.Chmod(dir+"/copy/a.txt", 0640)
	os.Setenv("TZ", "UTC")
	info, _ = os.Stat(dir + "/copy/a.txt")
	text := fs.FormatFileInfo(info)
	fmt.Println(strings.HasPrefix(text, "-rw-r----- 1 2020-02-0"), strings.HasSuffix(text, " a.txt"))
	for _, p := range []string{".", "", "/", "a", "a/", "a//b", "a/../b", "../a", "a/b", "\xff", "a\\b"} {
		fmt.Print(fs.ValidPath(p), " ")
	}
	fmt.Println()
}

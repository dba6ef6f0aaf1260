// run

// A file system in memory, and what TestFS finds wrong with others.
package main

import (
	"fmt"
	"io"
	"io/fs"
	"testing/fstest"
	"time"
)

type noDirs struct{ fs.FS }

func (n noDirs) Open(name string) (fs.File, error) {
	f, err := n.FS.Open(name)
	if err == nil && name == "dir" {
		return struct{ fs.File }{f}, nil
	}
	return f, err
}

type unsorted struct{ fstest.MapFS }

func (u unsorted) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := u.MapFS.ReadDir(name)
	if len(list) > 1 {
		list[0], list[1] = list[1], list[0]
	}
	return list, err
}

func (u unsorted) Glob(string) ([]string, error) { return []string{"z", "a"}, nil }

func main() {
	m := fstest.MapFS{
		"hello.txt":     {Data: []byte("hello"), Mode: 0o644, ModTime: time.Unix(100, 0).UTC()},
		"dir/a/b.txt":   {Data: []byte("b")},
		"dir/link":      {Data: []byte("a/b.txt"), Mode: fs.ModeSymlink},
		"away":          {Data: []byte("/etc"), Mode: fs.ModeSymlink},
		"named":         {Mode: fs.ModeDir | 0o700},
		"named/file":    {Data: []byte("x"), Sys: 42},
		"dlink":         {Data: []byte("dir/a"), Mode: fs.ModeSymlink},
		"dir/a/up.link": {Data: []byte("../../../x"), Mode: fs.ModeSymlink},
	}
	fs.WalkDir(m, ".", func(path string, d fs.DirEntry, err error) error {
		fmt.Println(path, d, err)
		return nil
	})
	for _, name := range []string{"hello.txt", "dir/link", "dlink/b.txt", "away", "dir/a/up.link", "none", "/x", "dir"} {
		data, err := m.ReadFile(name)
		fmt.Printf("%s: %q %v\n", name, data, err)
		to, err := m.ReadLink(name)
		fmt.Printf("  %q %v\n", to, err)
		info, err := m.Lstat(name)
		fmt.Printf("  %v %v\n", info, err)
		info, err = m.Stat(name)
		fmt.Printf("  %v %v\n", info, err)
	}
	info, _ := m.Stat("named/file")
	fmt.Println(info.Sys(), info.Size(), info.Mode(), info.ModTime().IsZero())
	fmt.Println(m.Glob("*/*"))
	sub, err := m.Sub("dir")
	fmt.Println(err)
	fmt.Println(fs.ReadFile(sub, "a/b.txt"))
	f, _ := m.Open("hello.txt")
	s := f.(io.ReadSeeker)
	fmt.Println(s.Seek(-2, io.SeekEnd))
	rest, err := io.ReadAll(s)
	fmt.Println(string(rest), err)
	_, err = s.Seek(-1, io.SeekStart)
	fmt.Println(err)
	_, err = f.(io.ReaderAt).ReadAt(make([]byte, 2), 9)
	fmt.Println(err)
	d, _ := m.Open("dir")
	_, err = d.Read(nil)
	fmt.Println(err)
	for {
		list, err := d.(fs.ReadDirFile).ReadDir(1)
		fmt.Println(list, err)
		if err != nil {
			break
		}
	}

	good := fstest.MapFS{"a/b": {Data: []byte("1")}, "a/c": {}, "d": {Data: []byte("2")}}
	fmt.Println(fstest.TestFS(good, "a/b", "d"))
	fmt.Println(fstest.TestFS(good, "a/x", "e"))
	fmt.Println(fstest.TestFS(good))
	fmt.Println(fstest.TestFS(fstest.MapFS{}))
	fmt.Println(fstest.TestFS(noDirs{fstest.MapFS{"dir/x": {}}}, "dir/x"))
	fmt.Println(fstest.TestFS(unsorted{good}, "a/b"))
}

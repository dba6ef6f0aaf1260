// run

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	top, err := os.MkdirTemp("", "")
	check(err)
	defer os.RemoveAll(top)
	check(os.Chdir(top))
	show := func(err error) {
		text := strings.ReplaceAll(fmt.Sprintf("%T %v", err, err), top, "TOP")
		fmt.Println(text, errors.Is(err, fs.ErrExist))
	}

	// Rename never replaces a folder.
	check(os.MkdirAll("a/b", 0o777))
	check(os.Mkdir("empty", 0o777))
	check(os.WriteFile("file", nil, 0o666))
	show(os.Rename("a", "empty"))
	show(os.Rename("file", "empty"))
	show(os.Rename("empty", "empty"))
	show(os.Rename("missing", "empty"))
	show(os.Rename("empty", "file"))
	show(os.Rename("file", "other"))
	show(os.Rename("a", "new"))
	show(os.Rename("new", "new/b/c"))

	// Paths longer than the kernel takes.
	part := strings.Repeat("d", 200)
	for range 30 {
		check(os.Mkdir(part, 0o777))
		check(os.WriteFile("x", nil, 0o666))
		check(os.Chdir(part))
	}
	check(os.Chdir(top))
	show(os.RemoveAll(filepath.Join(top, part)))
	show(os.RemoveAll(filepath.Join(top, "x")))
	_, err = os.Lstat(part)
	fmt.Println(errors.Is(err, fs.ErrNotExist))

	// Many entries, links that lead out, and names that are no names of trees.
	check(os.MkdirAll("many/below", 0o777))
	for i := range 2500 {
		check(os.WriteFile(fmt.Sprintf("many/%d", i), nil, 0o666))
	}
	check(os.Symlink("../new", "many/link"))
	f, err := os.Open("many")
	check(err)
	total := 0
	for {
		names, err := f.Readdirnames(1000)
		total += len(names)
		if err != nil {
			fmt.Println(total, names != nil, err)
			break
		}
	}
	_, err = f.Seek(0, io.SeekStart)
	check(err)
	check(os.Rename("many", "moved")) // the open folder stays the same
	entries, err := f.ReadDir(0)
	fmt.Println(len(entries), err)
	entries, err = f.ReadDir(-1)
	fmt.Println(entries != nil, len(entries), err)
	entries, err = f.ReadDir(1)
	fmt.Println(entries != nil, len(entries), err)
	f.Seek(0, io.SeekStart)
	infos, err := f.Readdir(-1)
	kinds := map[fs.FileMode]int{}
	for _, info := range infos {
		kinds[info.Mode().Type()]++
	}
	fmt.Println(len(infos), err, kinds)
	f.Close()
	entries, err = os.ReadDir("moved")
	sorted := slices.IsSortedFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	last := entries[len(entries)-2:]
	fmt.Println(len(entries), err, sorted, last, last[0].Type(), last[1].IsDir())
	show(os.RemoveAll("moved"))
	_, err = os.Stat("new/b")
	fmt.Println(err)
	for _, name := range []string{"", "missing", "missing/below", "file/", "a/.", ".", "other/x"} {
		show(os.RemoveAll(name))
	}
	_, err = os.ReadDir("other")
	fmt.Println(err)
	g, _ := os.Open("other")
	_, err = g.ReadDir(-1)
	fmt.Println(err)
	g.Close()
	check(os.MkdirAll("t/u/v", 0o777))
	show(os.RemoveAll("t/u//"))
	_, err = os.Stat("t")
	fmt.Println(err)

	// What the kernel tells.
	check(os.WriteFile("data", make([]byte, 1234), 0o640))
	check(os.Chtimes("data", time.Unix(100, 5), time.Unix(200, 7)))
	info, err := os.Stat("data")
	check(err)
	stat := info.Sys().(*syscall.Stat_t)
	fmt.Println(stat.Size, stat.Mode, stat.Nlink, stat.Atim, stat.Mtim.Nano(), int(stat.Uid) == os.Getuid(), stat.Blksize, stat.Blocks)
	check(os.Link("data", "twin"))
	check(os.Symlink("data", "soft"))
	var a, b, c, d syscall.Stat_t
	check(syscall.Stat("soft", &a))
	check(syscall.Lstat("soft", &b))
	h, _ := os.Open("twin")
	check(syscall.Fstat(int(h.Fd()), &c))
	h.Close()
	fmt.Println(a.Ino == c.Ino, a.Ino == b.Ino, a.Nlink, b.Mode, b.Size, a.Rdev, a.Dev == b.Dev)
	fmt.Println(syscall.Stat("missing", &d), syscall.Lstat("missing", &d), syscall.Fstat(-1, &d), syscall.Stat("\x00", &d))
	twin, _ := os.Stat("twin")
	soft, _ := os.Lstat("soft")
	fmt.Println(os.SameFile(info, twin), os.SameFile(info, soft), soft.Mode(), soft.Name())
	buf := make([]byte, 8192)
	dir, _ := os.Open(".")
	n, err := syscall.ReadDirent(int(dir.Fd()), buf)
	fmt.Println(n > 100, err)
	dir.Close()
}

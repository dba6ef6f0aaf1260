// run

// The names that os.DirFS and os.CopyFS make of a folder's and one below it, and
// os.StartProcess without attributes.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"testing/fstest"
)

func main() {
	dir, err := os.MkdirTemp("", "names")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Chdir(dir)
	os.MkdirAll("from/d", 0o777)
	os.WriteFile("from/f", nil, 0o666)
	os.Symlink("f", "from/l")
	for _, folder := range []string{"from", "from/", "/", "none", ""} {
		for _, name := range []string{".", "f", "d", "../from", "d/none"} {
			f, err := os.DirFS(folder).Open(name)
			if err != nil {
				fmt.Println(err)
				continue
			}
			info, _ := f.Stat()
			info2, _ := fs.Stat(os.DirFS(folder), name)
			fmt.Println(f.(*os.File).Name(), info.Name(), info2.Name())
			f.Close()
		}
	}
	for _, to := range []string{"to", "to", "to/", "from/f", "from/f/"} {
		fmt.Println(os.CopyFS(to, os.DirFS("from")))
	}
	fmt.Println(os.CopyFS("to", fstest.MapFS{"x\x00y": &fstest.MapFile{}}))
	list, _ := os.ReadDir("to")
	fmt.Println(list)
	defer func() { fmt.Println(recover()) }()
	os.StartProcess("/bin/true", nil, nil)
}

// run
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

//go:embed data/a.txt
var text string

//go:embed data/b.bin
var raw []byte

//go:embed data/empty
var empty string

type bytes []byte

var (
	//go:embed data/sub/deep/d.txt
	named bytes

	//go:embed "data/with space.txt"
	space string
)

//go:embed data
var tree embed.FS

//go:embed all:data
var all embed.FS

//go:embed data/*.txt data/sub
//go:embed data/+plus/p.txt
var some embed.FS

//go:embed data/[ab].*
var class embed.FS

var none embed.FS

var size = len(text)

func list(name string, files fs.FS) {
	fmt.Println("==", name)
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		fmt.Println(path, d.Name(), d.IsDir(), d.Type())
		fmt.Println(info.Mode(), info.Size(), info.ModTime().IsZero(), err)
		return nil
	})
	fmt.Println(err)
}

func main() {
	fmt.Printf("%q %q %q %q %q %d\n", text, raw, empty, named, space, size)
	raw[0] = 'x'
	list("tree", tree)
	list("all", all)
	list("some", some)
	list("class", class)
	list("none", none)
	names := []string{"data/a.txt", "data", "data/", "/data", "", "nope", "data/nope", "data/b.bin"}
	for _, name := range names {
		b, err := tree.ReadFile(name)
		fmt.Printf("%q %v\n", b, err)
		d, err := tree.ReadDir(name)
		fmt.Println(d, err)
		f, err := tree.Open(name)
		fmt.Println(f != nil, err, errors.Is(err, fs.ErrNotExist))
	}
	f, _ := tree.Open("data/a.txt")
	s := f.(io.ReadSeeker)
	b := make([]byte, 5)
	fmt.Println(s.Read(b))
	fmt.Println(s.Seek(-6, io.SeekEnd))
	rest, err := io.ReadAll(f)
	fmt.Printf("%q %v\n", rest, err)
	fmt.Println(s.Seek(-1, io.SeekStart))
	fmt.Println(s.Seek(100, io.SeekCurrent))
	fmt.Println(f.(io.ReaderAt).ReadAt(b, 12))
	fmt.Println(f.(io.ReaderAt).ReadAt(b, 99))
	info, _ := f.Stat()
	fmt.Println(info, f.Close())
	d, _ := tree.Open("data")
	for {
		few, err := d.(fs.ReadDirFile).ReadDir(2)
		fmt.Println(few, err)
		if err != nil {
			break
		}
	}
	fmt.Println(d.(fs.ReadDirFile).ReadDir(0))
	_, err = d.Read(b)
	fmt.Println(err)
	sub, err := fs.Sub(tree, "data/sub")
	fmt.Println(err)
	list("sub", sub)
	matches, err := fs.Glob(all, "data/*")
	fmt.Println(matches, err)
	fmt.Println(os.CopyFS(os.DevNull, none) != nil)
}

// run
//
// Package zip: what is written, and read again; as a tree; attributes and times; broken archives.
package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("panic:", r)
		}
	}()
	f()
}

var when = time.Date(2021, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))

// sample is an archive of several kinds of entries; only what is stored has the same bytes everywhere.
func sample(method uint16) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.SetComment("a comment")
	for i, h := range []*zip.FileHeader{
		{Name: "hello.txt", Comment: "first", Modified: when}, {Name: "dir/", Modified: when}, {Name: "dir/empty"},
		{Name: "dir/naïve.txt", Comment: "☃"}, {Name: "a/b/c/deep.txt", Extra: []byte{1, 2, 0, 0}}, {Name: "x\xffy", NonUTF8: true},
		{Name: `back\slash`},
	} {
		h.Method = method
		h.SetMode([]fs.FileMode{0644, fs.ModeDir | 0755, 0400, 0777 | fs.ModeSetuid, fs.ModeSymlink | 0777}[i%5])
		f, err := w.CreateHeader(h)
		n, err2 := io.WriteString(f, strings.Repeat(h.Name+"\n", i*i))
		fmt.Println(h.Name, err, n, err2, w.Flush())
	}
	raw := &zip.FileHeader{Name: "raw", Method: 77, CompressedSize64: 3, UncompressedSize64: 9, CRC32: 5}
	f, err := w.CreateRaw(raw)
	fmt.Fprint(f, "abc")
	_, err2 := w.CreateRaw(raw)
	fmt.Println(err, err2)
	f, err = w.CreateHeader(&zip.FileHeader{Name: "odd", Method: 99})
	fmt.Println(f, err)
	fmt.Println(w.Close(), w.Close())
	return out.Bytes()
}

func list(b []byte) {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", r.Comment)
	for _, f := range r.File {
		fi := f.FileInfo()
		fmt.Printf("%q %q %v %x %x %x %d %v %x %d %d %x %x\n", f.Name, f.Comment, f.NonUTF8, f.CreatorVersion, f.ReaderVersion, f.Flags,
			f.Method, f.Modified, f.CRC32, f.UncompressedSize64, f.UncompressedSize, f.Extra, f.ExternalAttrs)
		fmt.Println(" ", fi.Name(), fi.Size(), fi.Mode(), fi.IsDir(), fi.ModTime(), f.ModTime(), fi)
		rc, err := f.Open()
		if err != nil {
			fmt.Println("  open:", err)
			continue
		}
		text, err := io.ReadAll(rc)
		fmt.Printf("  %q %v %v\n", text[:min(len(text), 30)], err, rc.Close())
		at, err := f.DataOffset()
		_, err2 := f.OpenRaw()
		fmt.Println(" ", at > 0, err, err2)
	}
}

func tree(b []byte) {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		fmt.Println(err)
		return
	}
	err = fs.WalkDir(r, ".", func(name string, d fs.DirEntry, err error) error {
		fmt.Println(name, d, err)
		if err != nil {
			return nil
		}
		fi, err := d.Info()
		fmt.Println(" ", fi, err, d.Type(), d.IsDir())
		return nil
	})
	fmt.Println(err)
	for _, name := range []string{"hello.txt", "dir", "dir/", "/x", "none", "dir/none", "a/b", "../x", "."} {
		f, err := r.Open(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fi, err := f.Stat()
		n, err2 := f.Read(make([]byte, 5))
		fmt.Println(fi, err, n, err2)
		if d, ok := f.(fs.ReadDirFile); ok {
			for range 3 {
				list, err := d.ReadDir(1)
				fmt.Println(" ", list, err)
			}
			list, err := d.ReadDir(-1)
			fmt.Println(" ", len(list), err)
		}
	}
	text, err := fs.ReadFile(r, "a/b/c/deep.txt")
	fmt.Println(len(text), err)
	names, err := fs.Glob(r, "*/*.txt")
	fmt.Println(names, err)
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func main() {
	stored := sample(zip.Store)
	fmt.Println(len(stored), crc32.ChecksumIEEE(stored))
	list(stored)
	packed := sample(zip.Deflate)
	fmt.Println(len(packed), crc32.ChecksumIEEE(packed))
	list(packed)
	list(append([]byte("before the archive"), stored...))
	list(append(bytes.Clone(stored), "behind the archive"...))
	tree(packed)

	// Twice the same, and names that are no paths.
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range []string{"a", "a", "b/c", "b", "../up", "/root", "d/", "d/", "..", "e//f", "g/./h", ""} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name})
		_, err2 := io.WriteString(f, "text")
		fmt.Println(err, err2)
	}
	w.Close()
	list(out.Bytes())
	tree(out.Bytes())

	w = zip.NewWriter(&out)
	fmt.Println(w.SetComment(strings.Repeat("x", 1<<16)))
	f, err := w.Create(strings.Repeat("x", 1<<16))
	fmt.Println(f, err)
	f, err = w.CreateHeader(&zip.FileHeader{Name: "x", Extra: make([]byte, 1<<16)})
	fmt.Println(f, err)
	f, _ = w.Create("one")
	g, _ := w.Create("two")
	_, err = f.Write([]byte("late"))
	fmt.Println(err)
	_, err = g.Write([]byte("in time"))
	fmt.Println(err)
	try(func() { w.SetOffset(5) })
	for _, left := range []int{0, 20, 90, 5000} {
		w := zip.NewWriter(&full{left})
		f, err := w.CreateHeader(&zip.FileHeader{Name: "f"})
		n, err2 := f.Write(make([]byte, 4600))
		fmt.Println(err, n, err2, w.Flush(), w.Close())
	}

	// Copies, other methods, an offset.
	r, _ := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	out.Reset()
	w = zip.NewWriter(&out)
	w.SetOffset(1000)
	for _, f := range r.File[:5] {
		fmt.Print(w.Copy(f), " ")
	}
	w.RegisterCompressor(50, func(w io.Writer) (io.WriteCloser, error) { return turned{w}, nil })
	f, err = w.CreateHeader(&zip.FileHeader{Name: "turned", Method: 50})
	fmt.Fprint(f, "upside down")
	fmt.Println(err, w.Close())
	b := append(make([]byte, 1000), out.Bytes()...)
	r, err = zip.NewReader(bytes.NewReader(b), int64(len(b)))
	fmt.Println(err)
	_, err = r.File[5].Open()
	fmt.Println(err)
	r.RegisterDecompressor(50, func(r io.Reader) io.ReadCloser { return io.NopCloser(turnedBack{r}) })
	rc, err := r.File[5].Open()
	text, err2 := io.ReadAll(rc)
	fmt.Println(string(text), err, err2)
	try(func() { zip.RegisterCompressor(zip.Store, nil) })
	try(func() { zip.RegisterDecompressor(zip.Deflate, nil) })

	folder, _ := os.MkdirTemp("", "zip")
	defer os.RemoveAll(folder)
	os.MkdirAll(filepath.Join(folder, "sub", "none"), 0755)
	for _, name := range []string{"one.txt", "sub/two.txt"} {
		p := filepath.Join(folder, name)
		os.WriteFile(p, []byte(strings.Repeat(name, 100)), 0644)
		os.Chtimes(p, when, when)
	}
	out.Reset()
	w = zip.NewWriter(&out)
	fmt.Println(w.AddFS(os.DirFS(folder)), w.Close())
	name := filepath.Join(folder, "a.zip")
	os.WriteFile(name, out.Bytes(), 0644)
	rd, err := zip.OpenReader(name)
	for _, f := range rd.File {
		fmt.Println(f.Name, f.Mode(), f.UncompressedSize64, f.Method)
	}
	fmt.Println(err, rd.Close())
	_, err = zip.OpenReader(filepath.Join(folder, "none"))
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	_, err = zip.OpenReader(filepath.Join(folder, "one.txt"))
	fmt.Println(err)
	_, err = zip.NewReader(nil, -1)
	fmt.Println(err)
	os.Setenv("GODEBUG", "zipinsecurepath=0")
	r, err = zip.NewReader(bytes.NewReader(stored), int64(len(stored)))
	fmt.Println(r != nil, err)
	os.Unsetenv("GODEBUG")

	// Additional fields: sizes of 64 bits, and times of others.
	fields := [][]byte{
		{1, 0, 24, 0, 5, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 4, 0, 1, 2, 3, 4},
		append([]byte{0x0a, 0, 32, 0, 0, 0, 0, 0, 1, 0, 24, 0}, "\x80\x51\x8f\x3d\x6b\x2d\xd7\x0112345678abcdefgh"...),
		{0x0d, 0, 8, 0, 0, 0, 0, 0, 0x80, 0x51, 0x0f, 0x5d}, {0x55, 0x58, 8, 0, 0, 0, 0, 0, 1, 2, 3, 4}, {0x55, 0x54, 5, 0, 1, 9, 9, 9, 9},
		{0x55, 0x54, 5, 0, 0, 9, 9, 9, 9}, {0x55, 0x54, 9, 0, 1}, {0x0a, 0, 2, 0, 1, 1},
	}
	for i, field := range fields {
		for _, clock := range []uint16{0, 0x5a5a} {
			out.Reset()
			w := zip.NewWriter(&out)
			f, _ := w.CreateRaw(&zip.FileHeader{Name: "x", Extra: field, ModifiedTime: clock, ModifiedDate: clock, CRC32: 1})
			fmt.Fprint(f, "data")
			w.Close()
			b := out.Bytes()
			at := bytes.Index(b, []byte("PK\x01\x02"))
			if i < 2 {
				copy(b[at+20:], "\xff\xff\xff\xff\xff\xff\xff\xff")
				copy(b[at+42:], "\xff\xff\xff\xff")
			}
			r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
			if err != nil || len(r.File) == 0 {
				fmt.Println(i, err)
				continue
			}
			h := r.File[0]
			fmt.Println(i, h.Modified, h.CompressedSize64, h.UncompressedSize64)
		}
	}

	rng := rand.New(rand.NewSource(8))
	sum := crc32.NewIEEE()
	kinds := map[string]int{}
	for i := range 3000 {
		b := bytes.Clone(stored)
		for range 1 + rng.Intn(3) {
			at := rng.Intn(len(b))
			if rng.Intn(2) == 0 {
				at = len(b) - 1 - rng.Intn(40)
			}
			b[at] ^= 1 << rng.Intn(8)
		}
		if i%7 == 0 {
			b = b[:rng.Intn(len(b))]
		}
		r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		kinds[fmt.Sprint(err)]++
		fmt.Fprint(sum, err)
		if err != nil {
			continue
		}
		for _, f := range r.File {
			fmt.Fprint(sum, f.Name, f.Modified, f.Mode(), f.UncompressedSize64)
			rc, err := f.Open()
			fmt.Fprint(sum, err)
			if err == nil {
				text, err := io.ReadAll(io.LimitReader(rc, 1<<20))
				fmt.Fprint(sum, string(text), err)
			}
		}
		fs.WalkDir(r, ".", func(name string, d fs.DirEntry, err error) error {
			fmt.Fprint(sum, name, err)
			return nil
		})
	}
	fmt.Println(sum.Sum32(), kinds)
}

type turned struct{ w io.Writer }

func (t turned) Close() error { return nil }

func (t turned) Write(p []byte) (int, error) {
	q := bytes.Clone(p)
	for i := range q {
		q[i] ^= 0x55
	}
	return t.w.Write(q)
}

type turnedBack struct{ r io.Reader }

func (t turnedBack) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	for i := range p[:n] {
		p[i] ^= 0x55
	}
	return n, err
}

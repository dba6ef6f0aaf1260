// run

// A store of files by the hashes of their contents, with trees, commits, and checks like Git's.
package main

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"time"
)

type hash [sha1.Size]byte

func (h hash) String() string { return hex.EncodeToString(h[:4]) }

type store struct{ dir string }

var errCorrupt = errors.New("corrupt object")

func (s store) path(h hash) string {
	name := hex.EncodeToString(h[:])
	return filepath.Join(s.dir, name[:2], name[2:])
}

func (s store) put(kind string, data []byte) (hash, error) {
	full := append(fmt.Appendf(nil, "%s %d\x00", kind, len(data)), data...)
	h := hash(sha1.Sum(full))
	name := s.path(h)
	if _, err := os.Stat(name); err == nil {
		return h, nil
	}
	var buf bytes.Buffer
	zw := zlib.NewWriter(&buf)
	zw.Write(full)
	zw.Close()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return h, err
	}
	return h, os.WriteFile(name, buf.Bytes(), 0o444)
}

func (s store) get(h hash) (kind string, data []byte, err error) {
	f, err := os.Open(s.path(h))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	zr, err := zlib.NewReader(f)
	if err != nil {
		return "", nil, errors.Join(errCorrupt, err)
	}
	full, err := io.ReadAll(zr)
	if err != nil {
		return "", nil, errors.Join(errCorrupt, err)
	}
	if hash(sha1.Sum(full)) != h {
		return "", nil, fmt.Errorf("%w: %v has another hash", errCorrupt, h)
	}
	head, data, _ := bytes.Cut(full, []byte{0})
	var n int
	if _, err := fmt.Sscanf(string(head), "%s %d", &kind, &n); err != nil || n != len(data) {
		return "", nil, errCorrupt
	}
	return kind, data, nil
}

func (s store) tree(fsys fs.FS, dir string) (hash, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return hash{}, err
	}
	var buf bytes.Buffer
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		var h hash
		mode := "100644"
		if e.IsDir() {
			mode = "40000"
			h, err = s.tree(fsys, name)
		} else {
			data, rerr := fs.ReadFile(fsys, name)
			if rerr != nil {
				return h, rerr
			}
			h, err = s.put("blob", data)
		}
		if err != nil {
			return h, err
		}
		fmt.Fprintf(&buf, "%s %s\x00%s", mode, e.Name(), h[:])
	}
	return s.put("tree", buf.Bytes())
}

type entry struct {
	dir bool
	h   hash
}

func (s store) list(h hash) (map[string]entry, error) {
	kind, data, err := s.get(h)
	if err != nil {
		return nil, err
	}
	if kind != "tree" {
		return nil, fmt.Errorf("%v is a %s", h, kind)
	}
	out := map[string]entry{}
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		if !ok || len(rest) < sha1.Size {
			return nil, errCorrupt
		}
		mode, name, _ := strings.Cut(string(head), " ")
		out[name] = entry{mode == "40000", hash(rest[:sha1.Size])}
		data = rest[sha1.Size:]
	}
	return out, nil
}

func (s store) diff(a, b hash, prefix string, out func(string)) error {
	if a == b {
		return nil
	}
	var zero hash
	list := func(h hash) map[string]entry {
		if h == zero {
			return nil
		}
		m, err := s.list(h)
		if err != nil {
			out("! " + err.Error())
		}
		return m
	}
	x, y := list(a), list(b)
	names := slices.Sorted(maps.Keys(x))
	for n := range y {
		if _, ok := x[n]; !ok {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		ea, eb := x[n], y[n]
		full := path.Join(prefix, n)
		switch {
		case ea == eb:
		case ea.dir || eb.dir:
			var da, db hash
			if ea.dir {
				da = ea.h
			}
			if eb.dir {
				db = eb.h
			}
			if err := s.diff(da, db, full, out); err != nil {
				return err
			}
		case ea.h == zero:
			out("A " + full)
		case eb.h == zero:
			out("D " + full)
		default:
			out("M " + full)
		}
	}
	return nil
}

func (s store) commit(tree hash, parent *hash, msg string, when time.Time) (hash, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %x\n", tree[:])
	if parent != nil {
		fmt.Fprintf(&b, "parent %x\n", parent[:])
	}
	fmt.Fprintf(&b, "author A U Thor <a@example.com> %d %s\n\n%s\n", when.Unix(),
		when.Format("-0700"), msg)
	return s.put("commit", []byte(b.String()))
}

func main() {
	dir, err := os.MkdirTemp("", "objects")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s := store{dir}
	h, err := s.put("blob", []byte("hello\n"))
	fmt.Printf("%x %v\n", h[:], err)
	h, _ = s.put("blob", nil)
	fmt.Printf("%x\n", h[:])
	files := fstest.MapFS{
		"readme.md":     {Data: []byte("# read me\n")},
		"src/main.go":   {Data: []byte("package main\n")},
		"src/lib/a.go":  {Data: []byte("package lib\n")},
		"docs/index.md": {Data: []byte("docs\n")},
	}
	when := time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	var parent *hash
	var trees []hash
	for i, change := range []func(){
		func() {},
		func() {
			files["readme.md"] = &fstest.MapFile{Data: []byte("# changed\n")}
			delete(files, "docs/index.md")
		},
		func() {
			files["src"] = nil
			delete(files, "src")
			delete(files, "src/main.go")
			files["new/x"] = &fstest.MapFile{}
		},
		func() {},
	} {
		change()
		t, err := s.tree(files, ".")
		c, err2 := s.commit(t, parent, fmt.Sprint("commit ", i), when.Add(time.Duration(i)*time.Hour))
		fmt.Println(t, c, err, err2)
		parent = &c
		trees = append(trees, t)
	}
	for i := range len(trees) - 1 {
		var out []string
		s.diff(trees[i], trees[i+1], "", func(l string) { out = append(out, l) })
		fmt.Println(i, out)
	}
	kind, data, err := s.get(*parent)
	fmt.Printf("%s %v\n%s", kind, err, data)
	_, err = s.list(h)
	fmt.Println(err)
	_, _, err = s.get(hash{1})
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	os.Chmod(s.path(h), 0o644)
	os.WriteFile(s.path(h), []byte("x"), 0o644)
	_, _, err = s.get(h)
	fmt.Println(errors.Is(err, errCorrupt), strings.ReplaceAll(err.Error(), "\n", ": "))
	n := 0
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			n++
		}
		return err
	})
	fmt.Println(n)
}

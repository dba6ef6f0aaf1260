package zip

// The archive as a tree of files and folders: a list of nodes, ordered by folder and name, in which
// what is in a folder stands side by side.

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// A node is a file or folder of the archive as a tree. A folder need have no entry.
type node struct {
	name     string // the whole path
	file     *File
	isFolder bool
	isTwice  bool
}

// place is in which folder it is, and its name there.
func place(name string) (folder, base string) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return ".", name
	}
	return name[:i], name[i+1:]
}

// compare puts what is in a folder side by side.
func (n node) compare(folder, base string) int {
	f, b := place(n.name)
	return cmp.Or(strings.Compare(f, folder), strings.Compare(b, base))
}

// cleaned makes a path within the tree of the name of an entry.
func cleaned(name string) string {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimPrefix(name, "/")
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	return name
}

// grow makes the tree, in order of folders and names.
func (z *Reader) grow() {
	var nodes []node
	at := map[string]int{}
	folders := map[string]bool{}
	for _, f := range z.File {
		name := cleaned(f.Name)
		if name == "" {
			continue
		}
		if i, ok := at[name]; ok {
			nodes[i].isTwice = true
			continue
		}
		for folder, _ := place(name); folder != "." && !folders[folder]; folder, _ = place(folder) {
			folders[folder] = true
		}
		at[name] = len(nodes)
		nodes = append(nodes, node{name: name, file: f, isFolder: isFolder(f.Name)})
	}
	for folder := range folders {
		i, ok := at[folder]
		switch {
		case !ok:
			nodes = append(nodes, node{name: folder, isFolder: true})
		case !nodes[i].isFolder:
			nodes[i].isTwice = true
		}
	}
	slices.SortFunc(nodes, func(a, b node) int { return a.compare(place(b.name)) })
	z.nodes = nodes
}

func (z *Reader) Open(name string) (fs.File, error) {
	fail := func(err error) (fs.File, error) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if !fs.ValidPath(name) {
		return fail(fs.ErrInvalid)
	}
	z.tree.Do(z.grow)
	nodes := z.nodes
	n := &node{name: "./", isFolder: true}
	if name != "." {
		folder, base := place(name)
		i, ok := slices.BinarySearchFunc(nodes, name, func(n node, _ string) int {
			return n.compare(folder, base)
		})
		if !ok {
			return fail(fs.ErrNotExist)
		}
		n = &nodes[i]
	}
	if n.isFolder {
		from, _ := slices.BinarySearchFunc(nodes, name, func(n node, _ string) int {
			folder, _ := place(n.name)
			return cmp.Or(strings.Compare(folder, name), 1)
		})
		to, _ := slices.BinarySearchFunc(nodes, name, func(n node, _ string) int {
			folder, _ := place(n.name)
			return cmp.Or(strings.Compare(folder, name), -1)
		})
		return &openFolder{n, nodes[from:to]}, nil
	}
	rc, err := n.file.Open()
	if err == nil {
		return rc.(fs.File), nil
	}
	return nil, err
}

// statEntry is both information on a file and an entry of a folder.
type statEntry interface {
	fs.FileInfo
	fs.DirEntry
}

func (n *node) stat() (statEntry, error) {
	switch {
	case n.isTwice:
		return nil, errors.New(n.name + ": duplicate entries in zip file")
	case n.isFolder:
		return n, nil
	}
	return info{&n.file.FileHeader}, nil
}

func (n *node) Name() string {
	_, base := place(strings.TrimSuffix(n.name, "/"))
	return base
}

func (n *node) Size() int64                { return 0 }
func (n *node) Mode() fs.FileMode          { return fs.ModeDir | 0555 }
func (n *node) Type() fs.FileMode          { return fs.ModeDir }
func (n *node) IsDir() bool                { return true }
func (n *node) Sys() any                   { return nil }
func (n *node) Info() (fs.FileInfo, error) { return n, nil }
func (n *node) String() string             { return fs.FormatDirEntry(n) }

func (n *node) ModTime() time.Time {
	if n.file == nil {
		return time.Time{}
	}
	return n.file.Modified.UTC()
}

type openFolder struct {
	n    *node
	rest []node // not yet listed
}

func (f *openFolder) Close() error               { return nil }
func (f *openFolder) Stat() (fs.FileInfo, error) { return f.n.stat() }

func (f *openFolder) Read([]byte) (int, error) {
	isFolder := errors.New("is a directory")
	return 0, &fs.PathError{Path: f.n.name, Op: "read", Err: isFolder}
}

func (f *openFolder) ReadDir(count int) (list []fs.DirEntry, err error) {
	n := len(f.rest)
	if count > 0 {
		if n == 0 {
			return nil, io.EOF
		}
		n = min(n, count)
	}
	for i := range n {
		e, err := f.listed(&f.rest[i])
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	f.rest = f.rest[n:]
	return list, nil
}

// listed is how a folder lists what is in it; names that lead elsewhere are errors.
func (f *openFolder) listed(n *node) (fs.DirEntry, error) {
	e, err := n.stat()
	if err != nil {
		return nil, err
	}
	if base := e.Name(); base != "." && fs.ValidPath(base) {
		return e, nil
	}
	err = errors.New("invalid file name: " + n.name)
	return nil, &fs.PathError{Op: "readdir", Path: f.n.name, Err: err}
}

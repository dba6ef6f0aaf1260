// Package embed: files that are part of a program.
//
// A variable below a line //go:embed gets its value when the program is compiled, by package
// internal/embedded.
package embed

import (
	"errors"
	"io"
	"io/fs"
	"sort"
	"strings"
	"time"
)

// FS is a tree of files that cannot be written. The zero value has none.
type FS struct {
	// In the order of their folders, then of their names; the name of a folder ends in a slash.
	// Package internal/embedded knows this layout.
	files *[]file
}

type file struct {
	name string
	data string
}

var (
	_ fs.ReadDirFS  = FS{}
	_ fs.ReadFileFS = FS{}
	_ fs.FileInfo   = (*file)(nil)
	_ fs.DirEntry   = (*file)(nil)
	_ io.Seeker     = (*reader)(nil)
	_ io.ReaderAt   = (*reader)(nil)
)

// root is the folder that all are in.
var root = &file{name: "./"}

// cut divides a name into that of its folder and its own.
func cut(name string) (folder, own string) {
	name = strings.TrimSuffix(name, "/")
	at := strings.LastIndexByte(name, '/')
	if at < 0 {
		return ".", name
	}
	return name[:at], name[at+1:]
}

// place returns where the first file is that does not come before own in folder.
func (f FS) place(folder, own string) int {
	return sort.Search(len(*f.files), func(i int) bool {
		has, name := cut((*f.files)[i].name)
		return has > folder || has == folder && name >= own
	})
}

func (f FS) find(name string) *file {
	switch {
	case !fs.ValidPath(name):
		return nil
	case name == ".":
		return root
	case f.files == nil:
		return nil
	}
	at := f.place(cut(name))
	if at == len(*f.files) {
		return nil
	}
	found := &(*f.files)[at]
	if strings.TrimSuffix(found.name, "/") != name {
		return nil
	}
	return found
}

// below returns what is in a folder.
func (f FS) below(folder string) []file {
	if f.files == nil {
		return nil
	}
	// No name comes behind these.
	return (*f.files)[f.place(folder, ""):f.place(folder+"\x00", "")]
}

// Open opens a file or folder; what it returns for a file is an io.Seeker and io.ReaderAt, too.
func (f FS) Open(name string) (fs.File, error) {
	found := f.find(name)
	if found == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if found.IsDir() {
		return &lister{of: found, rest: f.below(name)}, nil
	}
	return &reader{of: found}, nil
}

// ReadDir returns what is in a folder, in the order of the names.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	opened, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	folder, is := opened.(*lister)
	if !is {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a directory")}
	}
	return entries(folder.rest), nil
}

// ReadFile returns what a file holds.
func (f FS) ReadFile(name string) ([]byte, error) {
	opened, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	file, is := opened.(*reader)
	if !is {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is a directory")}
	}
	return []byte(file.of.data), nil
}

func entries(files []file) []fs.DirEntry {
	list := make([]fs.DirEntry, len(files))
	for i := range list {
		list[i] = &files[i]
	}
	return list
}

func (f *file) Name() string {
	_, own := cut(f.name)
	return own
}

func (f *file) Size() int64                { return int64(len(f.data)) }
func (f *file) ModTime() time.Time         { return time.Time{} }
func (f *file) IsDir() bool                { return strings.HasSuffix(f.name, "/") }
func (f *file) Sys() any                   { return nil }
func (f *file) Type() fs.FileMode          { return f.Mode().Type() }
func (f *file) Info() (fs.FileInfo, error) { return f, nil }
func (f *file) String() string             { return fs.FormatFileInfo(f) }

func (f *file) Mode() fs.FileMode {
	if f.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// A reader is an open file.
type reader struct {
	of *file
	at int64
}

func (r *reader) Close() error               { return nil }
func (r *reader) Stat() (fs.FileInfo, error) { return r.of, nil }

func (r *reader) Read(b []byte) (int, error) {
	if r.at >= r.of.Size() {
		return 0, io.EOF
	}
	n := copy(b, r.of.data[r.at:])
	r.at += int64(n)
	return n, nil
}

func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.of.Size()
	}
	if offset < 0 || offset > r.of.Size() {
		return 0, &fs.PathError{Op: "seek", Path: r.of.name, Err: fs.ErrInvalid}
	}
	r.at = offset
	return offset, nil
}

func (r *reader) ReadAt(b []byte, offset int64) (int, error) {
	if offset < 0 || offset > r.of.Size() {
		return 0, &fs.PathError{Op: "read", Path: r.of.name, Err: fs.ErrInvalid}
	}
	n := copy(b, r.of.data[offset:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// A lister is an open folder.
type lister struct {
	of   *file
	rest []file
}

func (l *lister) Close() error               { return nil }
func (l *lister) Stat() (fs.FileInfo, error) { return l.of, nil }

func (l *lister) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: l.of.name, Err: errors.New("is a directory")}
}

func (l *lister) ReadDir(count int) ([]fs.DirEntry, error) {
	n := len(l.rest)
	switch {
	case n == 0 && count <= 0:
		return nil, nil
	case n == 0:
		return nil, io.EOF
	case count > 0:
		n = min(n, count)
	}
	list := entries(l.rest[:n])
	l.rest = l.rest[n:]
	return list, nil
}

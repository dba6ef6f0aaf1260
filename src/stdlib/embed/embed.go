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

func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

var (
	errFolder = errors.New("is a directory")
	errFile   = errors.New("not a directory")
)

// look finds what must be a folder, or must be none.
func (f FS) look(name string, isFolder bool) (*file, error) {
	found := f.find(name)
	switch {
	case found == nil:
		return nil, failed("open", name, fs.ErrNotExist)
	case found.IsDir() == isFolder:
		return found, nil
	case isFolder:
		return nil, failed("read", name, errFile)
	}
	return nil, failed("read", name, errFolder)
}

// Open opens a file or folder; what it returns for a file is an io.Seeker and io.ReaderAt, too.
func (f FS) Open(name string) (fs.File, error) {
	switch found := f.find(name); {
	case found == nil:
		return nil, failed("open", name, fs.ErrNotExist)
	case found.IsDir():
		return &lister{of: found, rest: f.below(name)}, nil
	default:
		return &reader{of: found}, nil
	}
}

// ReadDir returns what is in a folder, in the order of the names.
func (f FS) ReadDir(name string) (list []fs.DirEntry, err error) {
	if _, err = f.look(name, true); err == nil {
		list = entries(f.below(name))
	}
	return list, err
}

// ReadFile returns what a file holds.
func (f FS) ReadFile(name string) (data []byte, err error) {
	found, err := f.look(name, false)
	if err == nil {
		data = []byte(found.data)
	}
	return data, err
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

// reaches says of a place that is not in the file that it is wrong.
func (r *reader) reaches(op string, offset int64) error {
	if 0 <= offset && offset <= r.of.Size() {
		return nil
	}
	return failed(op, r.of.name, fs.ErrInvalid)
}

func (r *reader) Seek(offset int64, whence int) (int64, error) {
	if from := [...]int64{0, r.at, r.of.Size()}; 0 <= whence && whence < len(from) {
		offset += from[whence]
	}
	if err := r.reaches("seek", offset); err != nil {
		return 0, err
	}
	r.at = offset
	return offset, nil
}

func (r *reader) ReadAt(b []byte, offset int64) (n int, err error) {
	if err = r.reaches("read", offset); err != nil {
		return 0, err
	}
	if n = copy(b, r.of.data[offset:]); n < len(b) {
		err = io.EOF
	}
	return n, err
}

// A lister is an open folder.
type lister struct {
	of   *file
	rest []file
}

func (l *lister) Close() error               { return nil }
func (l *lister) Stat() (fs.FileInfo, error) { return l.of, nil }

func (l *lister) Read([]byte) (int, error) {
	return 0, failed("read", l.of.name, errFolder)
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

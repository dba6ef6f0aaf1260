// Package fstest: a file system in memory, and what is wrong with others.
//
// Go: testing/fstest.
package fstest

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// MapFS is a file system: its files by their paths. Directories above them are there without being
// named.
type MapFS map[string]*MapFile

// MapFile is a file of a MapFS; of a symbolic link Data is where it leads.
type MapFile struct {
	Data    []byte
	Mode    fs.FileMode
	ModTime time.Time
	Sys     any
}

var _ fs.ReadLinkFS = MapFS(nil)

// implied is a directory that is not named.
func implied() *MapFile { return &MapFile{Mode: fs.ModeDir | 0555} }

// Open opens a file or directory; links are followed.
func (fsys MapFS) Open(name string) (fs.File, error) {
	fail := func() (fs.File, error) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if !fs.ValidPath(name) {
		return fail()
	}
	real, ok := fsys.resolve(name)
	if !ok {
		return fail()
	}
	file := fsys[real]
	if file != nil && !file.Mode.IsDir() {
		return &openFile{info: info{path.Base(name), file}, path: name}, nil
	}
	entries := fsys.entries(real)
	if file == nil {
		if real != "." && len(entries) == 0 {
			return fail()
		}
		file = implied()
	}
	return &openDir{info: info{path.Base(name), file}, path: name, entries: entries}, nil
}

// entries are those of a directory, in order.
func (fsys MapFS) entries(dir string) []fs.DirEntry {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	found := map[string]*MapFile{}
	for name, file := range fsys {
		below, ok := strings.CutPrefix(name, prefix)
		if !ok || name == "." {
			continue
		}
		first, _, isDeeper := strings.Cut(below, "/")
		switch {
		case !isDeeper:
			found[first] = file
		case found[first] == nil:
			found[first] = implied()
			if named := fsys[prefix+first]; named != nil {
				found[first] = named
			}
		}
	}
	var entries []fs.DirEntry
	for name, file := range found {
		entries = append(entries, &info{name, file})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// resolve follows the links in a path; false: they lead outside.
func (fsys MapFS) resolve(name string) (real string, ok bool) {
	link := func(at string) (to string, isLink bool) {
		file := fsys[at]
		if file == nil || file.Mode.Type() != fs.ModeSymlink {
			return "", false
		}
		return string(file.Data), true
	}
	follow := func(at, rest string) (string, bool) {
		to, _ := link(at)
		if path.IsAbs(to) {
			return "", false
		}
		return fsys.resolve(path.Join(path.Dir(at), to) + rest)
	}
	if _, isLink := link(name); isLink {
		return follow(name, "")
	}
	for at := range len(name) + 1 {
		if at < len(name) && name[at] != '/' {
			continue
		}
		if _, isLink := link(name[:at]); isLink {
			return follow(name[:at], name[at:])
		}
	}
	return name, fs.ValidPath(name)
}

// find finds a file, which may be a link.
func (fsys MapFS) find(name string) (*info, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	dir, ok := fsys.resolve(path.Dir(name))
	if !ok {
		return nil, fs.ErrNotExist
	}
	base := path.Base(name)
	real := path.Join(dir, base)
	if file := fsys[real]; file != nil {
		return &info{base, file}, nil
	}
	if real == "." || len(fsys.entries(real)) > 0 {
		return &info{base, implied()}, nil
	}
	return nil, fs.ErrNotExist
}

// ReadLink says where a link leads.
func (fsys MapFS) ReadLink(name string) (string, error) {
	found, err := fsys.find(name)
	if err == nil && found.file.Mode.Type() != fs.ModeSymlink {
		err = fs.ErrInvalid
	}
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(found.file.Data), nil
}

// Lstat tells of a file, or of a link itself.
func (fsys MapFS) Lstat(name string) (fs.FileInfo, error) {
	found, err := fsys.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	return found, nil
}

// What follows is done by way of Open.
type onlyOpen struct{ fs.FS }

func (fsys MapFS) ReadFile(name string) ([]byte, error) { return fs.ReadFile(onlyOpen{fsys}, name) }

func (fsys MapFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(onlyOpen{fsys}, name) }

func (fsys MapFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(onlyOpen{fsys}, name)
}

func (fsys MapFS) Glob(pattern string) ([]string, error) { return fs.Glob(onlyOpen{fsys}, pattern) }

// withoutSub has everything but Sub, which would call itself.
type withoutSub struct{ MapFS }

func (withoutSub) Sub() {}

func (fsys MapFS) Sub(dir string) (fs.FS, error) { return fs.Sub(withoutSub{fsys}, dir) }

// info is a file under a name.
type info struct {
	name string
	file *MapFile
}

func (i *info) Name() string               { return path.Base(i.name) }
func (i *info) Size() int64                { return int64(len(i.file.Data)) }
func (i *info) Mode() fs.FileMode          { return i.file.Mode }
func (i *info) Type() fs.FileMode          { return i.file.Mode.Type() }
func (i *info) ModTime() time.Time         { return i.file.ModTime }
func (i *info) IsDir() bool                { return i.file.Mode.IsDir() }
func (i *info) Sys() any                   { return i.file.Sys }
func (i *info) Info() (fs.FileInfo, error) { return i, nil }
func (i *info) String() string             { return fs.FormatFileInfo(i) }

type openFile struct {
	info
	path string
	at   int64
}

func (f *openFile) Stat() (fs.FileInfo, error) { return &f.info, nil }
func (f *openFile) Close() error               { return nil }

func (f *openFile) invalid(op string) error {
	return &fs.PathError{Op: op, Path: f.path, Err: fs.ErrInvalid}
}

func (f *openFile) Read(b []byte) (int, error) {
	if f.at >= f.Size() {
		return 0, io.EOF
	}
	n := copy(b, f.file.Data[f.at:])
	f.at += int64(n)
	return n, nil
}

func (f *openFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.Size()
	}
	if offset < 0 || offset > f.Size() {
		return 0, f.invalid("seek")
	}
	f.at = offset
	return offset, nil
}

func (f *openFile) ReadAt(b []byte, offset int64) (int, error) {
	if offset < 0 || offset > f.Size() {
		return 0, f.invalid("read")
	}
	n := copy(b, f.file.Data[offset:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

type openDir struct {
	info
	path    string
	entries []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return &d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.path, Err: fs.ErrInvalid}
}

func (d *openDir) ReadDir(count int) ([]fs.DirEntry, error) {
	if len(d.entries) == 0 && count > 0 {
		return nil, io.EOF
	}
	n := len(d.entries)
	if count > 0 {
		n = min(n, count)
	}
	list := append([]fs.DirEntry{}, d.entries[:n]...)
	d.entries = d.entries[n:]
	return list, nil
}

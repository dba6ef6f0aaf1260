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

// A place is a file, or a directory with what is in it, under the name by which it was asked for.
type place struct {
	mapFileInfo
	entries []fs.DirEntry
}

// at finds what is at a path, and what is in it if it is to be opened. Links on the way are
// followed, and one at its end if it is to be opened.
func (fsys MapFS) at(name string, toOpen bool) (p place, ok bool) {
	if !fs.ValidPath(name) {
		return p, false
	}
	p.name = path.Base(name)
	way, last := path.Dir(name), p.name
	if toOpen {
		way, last = name, ""
	}
	real, ok := fsys.resolve(way)
	real = path.Join(real, last)
	p.file = fsys[real]
	if isNamed := p.file != nil; !isNamed || toOpen && p.file.Mode.IsDir() {
		p.entries = fsys.entries(real)
		if !isNamed {
			ok = ok && (real == "." || len(p.entries) > 0)
			p.file = implied()
		}
	}
	return p, ok
}

// Open opens a file or directory; links are followed.
func (fsys MapFS) Open(name string) (fs.File, error) {
	p, ok := fsys.at(name, true)
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case p.file.Mode.IsDir():
		return &mapDir{mapFileInfo: p.mapFileInfo, path: name, entries: p.entries}, nil
	}
	return &openMapFile{mapFileInfo: p.mapFileInfo, path: name}, nil
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
		entries = append(entries, &mapFileInfo{name, file})
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

// ReadLink says where a link leads.
func (fsys MapFS) ReadLink(name string) (string, error) {
	p, ok := fsys.at(name, false)
	why := fs.ErrNotExist
	if ok {
		if p.Type() == fs.ModeSymlink {
			return string(p.file.Data), nil
		}
		why = fs.ErrInvalid
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: why}
}

// Lstat tells of a file, or of a link itself.
func (fsys MapFS) Lstat(name string) (fs.FileInfo, error) {
	if p, ok := fsys.at(name, false); ok {
		return &p.mapFileInfo, nil
	}
	return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
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

// mapFileInfo is a file under a name.
type mapFileInfo struct {
	name string
	file *MapFile
}

func (info *mapFileInfo) Name() string               { return path.Base(info.name) }
func (info *mapFileInfo) Size() int64                { return int64(len(info.file.Data)) }
func (info *mapFileInfo) Mode() fs.FileMode          { return info.file.Mode }
func (info *mapFileInfo) Type() fs.FileMode          { return info.file.Mode.Type() }
func (info *mapFileInfo) ModTime() time.Time         { return info.file.ModTime }
func (info *mapFileInfo) IsDir() bool                { return info.file.Mode.IsDir() }
func (info *mapFileInfo) Sys() any                   { return info.file.Sys }
func (info *mapFileInfo) Info() (fs.FileInfo, error) { return info, nil }
func (info *mapFileInfo) String() string             { return fs.FormatFileInfo(info) }

type openMapFile struct {
	mapFileInfo
	path string
	at   int64
}

func (f *openMapFile) Stat() (fs.FileInfo, error) { return &f.mapFileInfo, nil }
func (f *openMapFile) Close() error               { return nil }

// from is what there is from an offset on.
func (f *openMapFile) from(offset int64, op string) ([]byte, error) {
	data := f.file.Data
	if uint64(offset) > uint64(len(data)) {
		return nil, &fs.PathError{Op: op, Path: f.path, Err: fs.ErrInvalid}
	}
	return data[offset:], nil
}

func (f *openMapFile) Read(b []byte) (int, error) {
	if f.at >= f.Size() {
		return 0, io.EOF
	}
	n := copy(b, f.file.Data[f.at:])
	f.at += int64(n)
	return n, nil
}

func (f *openMapFile) Seek(offset int64, whence int) (int64, error) {
	bases := map[int]int64{io.SeekCurrent: f.at, io.SeekEnd: f.Size()}
	offset += bases[whence]
	if _, err := f.from(offset, "seek"); err != nil {
		return 0, err
	}
	f.at = offset
	return offset, nil
}

func (f *openMapFile) ReadAt(b []byte, offset int64) (n int, err error) {
	data, err := f.from(offset, "read")
	if n = copy(b, data); err == nil && n < len(b) {
		err = io.EOF
	}
	return n, err
}

type mapDir struct {
	mapFileInfo
	path    string
	entries []fs.DirEntry
}

func (dir *mapDir) Stat() (fs.FileInfo, error) { return &dir.mapFileInfo, nil }
func (dir *mapDir) Close() error               { return nil }

func (dir *mapDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: dir.path, Err: fs.ErrInvalid}
}

func (dir *mapDir) ReadDir(count int) ([]fs.DirEntry, error) {
	if len(dir.entries) == 0 && count > 0 {
		return nil, io.EOF
	}
	n := len(dir.entries)
	if count > 0 {
		n = min(n, count)
	}
	list := append([]fs.DirEntry{}, dir.entries[:n]...)
	dir.entries = dir.entries[n:]
	return list, nil
}

// Package fs: what files are, whoever keeps them.
package fs

import (
	"errors"
	"io"
	"path"
	"sort"
	"time"
)

var (
	ErrInvalid    = errInvalid()
	ErrPermission = errPermission()
	ErrExist      = errExist()
	ErrNotExist   = errNotExist()
	ErrClosed     = errClosed()
)

func errInvalid() error    { return errors.New("invalid argument") }
func errPermission() error { return errors.New("permission denied") }
func errExist() error      { return errors.New("file already exists") }
func errNotExist() error   { return errors.New("file does not exist") }
func errClosed() error     { return errors.New("file already closed") }

type PathError struct {
	Op   string
	Path string
	Err  error
}

func (e *PathError) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }
func (e *PathError) Unwrap() error { return e.Err }

func (e *PathError) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

type FileMode uint32

const (
	ModeDir        FileMode = 1 << (32 - 1 - iota) // d
	ModeAppend                                     // a
	ModeExclusive                                  // l
	ModeTemporary                                  // T
	ModeSymlink                                    // L
	ModeDevice                                     // D
	ModeNamedPipe                                  // p
	ModeSocket                                     // S
	ModeSetuid                                     // u
	ModeSetgid                                     // g
	ModeCharDevice                                 // c
	ModeSticky                                     // t
	ModeIrregular                                  // ?

	ModeType          = ModeDir | ModeSymlink | ModeNamedPipe | ModeSocket | ModeDevice | ModeCharDevice | ModeIrregular
	ModePerm FileMode = 0777
)

func (m FileMode) String() string {
	const kinds = "dalTLDpSugct?"
	const rights = "rwxrwxrwx"
	var buf []byte
	for i := range len(kinds) {
		if m&(1<<uint(32-1-i)) != 0 {
			buf = append(buf, kinds[i])
		}
	}
	if len(buf) == 0 {
		buf = append(buf, '-')
	}
	for i := range len(rights) {
		if m&(1<<uint(9-1-i)) != 0 {
			buf = append(buf, rights[i])
		} else {
			buf = append(buf, '-')
		}
	}
	return string(buf)
}

func (m FileMode) IsDir() bool     { return m&ModeDir != 0 }
func (m FileMode) IsRegular() bool { return m&ModeType == 0 }
func (m FileMode) Perm() FileMode  { return m & ModePerm }
func (m FileMode) Type() FileMode  { return m & ModeType }

type FileInfo interface {
	Name() string
	Size() int64
	Mode() FileMode
	ModTime() time.Time
	IsDir() bool
	Sys() any
}

type DirEntry interface {
	Name() string
	IsDir() bool
	Type() FileMode
	Info() (FileInfo, error)
}

var (
	SkipDir = errSkipDir()
	SkipAll = errSkipAll()
)

func errSkipDir() error { return errors.New("skip this directory") }
func errSkipAll() error { return errors.New("skip everything and stop the walk") }

type WalkDirFunc func(path string, d DirEntry, err error) error

// A dirEntry is a DirEntry made of a file's description.
type dirEntry struct{ info FileInfo }

func FileInfoToDirEntry(info FileInfo) DirEntry {
	if info == nil {
		return nil
	}
	return dirEntry{info}
}

func (d dirEntry) Name() string            { return d.info.Name() }
func (d dirEntry) IsDir() bool             { return d.info.IsDir() }
func (d dirEntry) Type() FileMode          { return d.info.Mode().Type() }
func (d dirEntry) Info() (FileInfo, error) { return d.info, nil }
func (d dirEntry) String() string          { return FormatDirEntry(d) }

func FormatDirEntry(dir DirEntry) string {
	text := dir.Type().String()
	text = text[:len(text)-len("rwxrwxrwx")] + " " + dir.Name() // the rights are always -
	if dir.IsDir() {
		text += "/"
	}
	return text
}

func FormatFileInfo(info FileInfo) string {
	size := info.Size()
	digits := ""
	for n := uint64(size); digits == "" || n > 0; n /= 10 {
		digits = string(rune('0'+n%10)) + digits
	}
	text := info.Mode().String() + " " + digits + " " + info.ModTime().Format("2006-01-02 15:04:05") + " " + info.Name()
	if info.IsDir() {
		text += "/"
	}
	return text
}

// ValidPath tells whether name may be given to Open of a file system: parts between single slashes, none of them . or ..
func ValidPath(name string) bool {
	if name == "." {
		return true
	}
	from := 0
	for i := 0; i <= len(name); i++ {
		if i == len(name) || name[i] == '/' {
			if part := name[from:i]; part == "" || part == "." || part == ".." {
				return false
			}
			from = i + 1
		}
	}
	for _, r := range name {
		if r == '�' {
			return validRunes(name)
		}
	}
	return true
}

// validRunes tells whether the text is UTF-8: no replacement stands for a single bad byte.
func validRunes(s string) bool {
	for i, r := range s {
		if r == '�' && (len(s)-i < 3 || s[i:i+3] != "�") {
			return false
		}
	}
	return true
}

// ---- File systems.

type FS interface {
	Open(name string) (File, error)
}

type File interface {
	Stat() (FileInfo, error)
	Read([]byte) (int, error)
	Close() error
}

type ReadDirFile interface {
	File
	ReadDir(n int) ([]DirEntry, error)
}

type ReadDirFS interface {
	FS
	ReadDir(name string) ([]DirEntry, error)
}

type ReadFileFS interface {
	FS
	ReadFile(name string) ([]byte, error)
}

type StatFS interface {
	FS
	Stat(name string) (FileInfo, error)
}

type GlobFS interface {
	FS
	Glob(pattern string) ([]string, error)
}

type SubFS interface {
	FS
	Sub(dir string) (FS, error)
}

type ReadLinkFS interface {
	FS
	ReadLink(name string) (string, error)
	Lstat(name string) (FileInfo, error)
}

func Stat(fsys FS, name string) (FileInfo, error) {
	if f, ok := fsys.(StatFS); ok {
		return f.Stat(name)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Stat()
}

func ReadLink(fsys FS, name string) (string, error) {
	if f, ok := fsys.(ReadLinkFS); ok {
		return f.ReadLink(name)
	}
	return "", &PathError{Op: "readlink", Path: name, Err: ErrInvalid}
}

func Lstat(fsys FS, name string) (FileInfo, error) {
	if f, ok := fsys.(ReadLinkFS); ok {
		return f.Lstat(name)
	}
	return Stat(fsys, name)
}

func ReadFile(fsys FS, name string) ([]byte, error) {
	if f, ok := fsys.(ReadFileFS); ok {
		return f.ReadFile(name)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size := 512
	if info, err := file.Stat(); err == nil && info.Size() < 1<<40 {
		size = max(size, int(info.Size())+1)
	}
	data := make([]byte, 0, size)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := file.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return data, err
		}
	}
}

func ReadDir(fsys FS, name string) ([]DirEntry, error) {
	if f, ok := fsys.(ReadDirFS); ok {
		return f.ReadDir(name)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	dir, ok := file.(ReadDirFile)
	if !ok {
		return nil, &PathError{Op: "readdir", Path: name, Err: errors.New("not implemented")}
	}
	list, err := dir.ReadDir(-1)
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list, err
}

func WalkDir(fsys FS, root string, fn WalkDirFunc) error {
	info, err := Stat(fsys, root)
	if err != nil {
		err = fn(root, nil, err)
	} else {
		err = walkDir(fsys, root, FileInfoToDirEntry(info), fn)
	}
	if err == SkipDir || err == SkipAll {
		return nil
	}
	return err
}

func walkDir(fsys FS, name string, d DirEntry, fn WalkDirFunc) error {
	if err := fn(name, d, nil); err != nil || !d.IsDir() {
		if err == SkipDir && d.IsDir() {
			err = nil
		}
		return err
	}
	entries, err := ReadDir(fsys, name)
	if err != nil {
		if err = fn(name, d, err); err != nil {
			if err == SkipDir {
				err = nil
			}
			return err
		}
	}
	for _, e := range entries {
		if err := walkDir(fsys, path.Join(name, e.Name()), e, fn); err != nil {
			if err == SkipDir {
				break
			}
			return err
		}
	}
	return nil
}

func Glob(fsys FS, pattern string) (matches []string, err error) { return glob(fsys, pattern, 0) }

func glob(fsys FS, pattern string, depth int) (matches []string, err error) {
	const deepest = 10000
	if depth > deepest {
		return nil, path.ErrBadPattern
	}
	if f, ok := fsys.(GlobFS); ok {
		return f.Glob(pattern)
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	if !hasMeta(pattern) {
		if _, err := Stat(fsys, pattern); err != nil {
			return nil, nil
		}
		return []string{pattern}, nil
	}
	dir, file := path.Split(pattern)
	if dir == "" {
		dir = "."
	} else {
		dir = dir[:len(dir)-1]
	}
	dirs := []string{dir}
	if hasMeta(dir) {
		if dir == pattern {
			return nil, path.ErrBadPattern
		}
		if dirs, err = glob(fsys, dir, depth+1); err != nil {
			return nil, err
		}
	}
	for _, d := range dirs {
		entries, err := ReadDir(fsys, d)
		if err != nil {
			continue // what cannot be read has no names
		}
		for _, e := range entries {
			ok, err := path.Match(file, e.Name())
			if err != nil {
				return matches, err
			}
			if ok {
				matches = append(matches, path.Join(d, e.Name()))
			}
		}
	}
	return matches, nil
}

func hasMeta(pattern string) bool {
	for i := range len(pattern) {
		switch pattern[i] {
		case '*', '?', '[', '\\':
			return true
		}
	}
	return false
}

func Sub(fsys FS, dir string) (FS, error) {
	if !ValidPath(dir) {
		return nil, &PathError{Op: "sub", Path: dir, Err: ErrInvalid}
	}
	if dir == "." {
		return fsys, nil
	}
	if f, ok := fsys.(SubFS); ok {
		return f.Sub(dir)
	}
	return &subFS{fsys, dir}, nil
}

// A subFS is a folder of another file system.
type subFS struct {
	fsys FS
	dir  string
}

// full is the name in the other file system.
func (f *subFS) full(op, name string) (string, error) {
	if !ValidPath(name) {
		return "", &PathError{Op: op, Path: name, Err: ErrInvalid}
	}
	return path.Join(f.dir, name), nil
}

// short takes the folder's name off an error's.
func (f *subFS) short(err error) error {
	if e, ok := err.(*PathError); ok {
		if name, ok := f.relative(e.Path); ok {
			e.Path = name
		}
	}
	return err
}

func (f *subFS) relative(name string) (string, bool) {
	if name == f.dir {
		return ".", true
	}
	if n := len(f.dir); len(name) >= n+2 && name[n] == '/' && name[:n] == f.dir {
		return name[n+1:], true
	}
	return "", false
}

func (f *subFS) Open(name string) (File, error) {
	full, err := f.full("open", name)
	if err != nil {
		return nil, err
	}
	file, err := f.fsys.Open(full)
	return file, f.short(err)
}

func (f *subFS) ReadDir(name string) ([]DirEntry, error) {
	full, err := f.full("read", name)
	if err != nil {
		return nil, err
	}
	list, err := ReadDir(f.fsys, full)
	return list, f.short(err)
}

func (f *subFS) ReadFile(name string) ([]byte, error) {
	full, err := f.full("read", name)
	if err != nil {
		return nil, err
	}
	data, err := ReadFile(f.fsys, full)
	return data, f.short(err)
}

func (f *subFS) Glob(pattern string) ([]string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	if pattern == "." {
		return []string{"."}, nil
	}
	list, err := Glob(f.fsys, f.dir+"/"+pattern)
	for i, name := range list {
		if name, ok := f.relative(name); ok {
			list[i] = name
		}
	}
	return list, f.short(err)
}

func (f *subFS) Sub(dir string) (FS, error) {
	if dir == "." {
		return f, nil
	}
	full, err := f.full("sub", dir)
	if err != nil {
		return nil, err
	}
	return &subFS{f.fsys, full}, nil
}

// Package fs: what files are, whoever keeps them.
package fs

import (
	"errors"
	"io"
	"path"
	"sort"
	"strings"
	"time"
)

var (
	ErrInvalid    = errors.New("invalid argument")
	ErrPermission = errors.New("permission denied")
	ErrExist      = errors.New("file already exists")
	ErrNotExist   = errors.New("file does not exist")
	ErrClosed     = errors.New("file already closed")
)

type PathError struct {
	Op   string
	Path string
	Err  error
}

func (e *PathError) Unwrap() error { return e.Err }
func (e *PathError) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }

func (e *PathError) Timeout() bool {
	why, knows := e.Err.(interface{ Timeout() bool })
	return knows && why.Timeout()
}

type FileMode uint32

const (
	ModeDir        FileMode = 1 << 31 // d
	ModeAppend     FileMode = 1 << 30 // a
	ModeExclusive  FileMode = 1 << 29 // l
	ModeTemporary  FileMode = 1 << 28 // T
	ModeSymlink    FileMode = 1 << 27 // L
	ModeDevice     FileMode = 1 << 26 // D
	ModeNamedPipe  FileMode = 1 << 25 // p
	ModeSocket     FileMode = 1 << 24 // S
	ModeSetuid     FileMode = 1 << 23 // u
	ModeSetgid     FileMode = 1 << 22 // g
	ModeCharDevice FileMode = 1 << 21 // c
	ModeSticky     FileMode = 1 << 20 // t
	ModeIrregular  FileMode = 1 << 19 // ?

	ModeType          = ModeDir | ModeSymlink | ModeNamedPipe | ModeSocket | ModeDevice | ModeCharDevice | ModeIrregular
	ModePerm FileMode = 0777
)

// String has a letter for each kind that there is, or a dash, and then those of the rights.
func (m FileMode) String() string {
	const letters = "dalTLDpSugct?"
	var text []byte
	for i := range len(letters) {
		if m<<i&ModeDir != 0 {
			text = append(text, letters[i])
		}
	}
	if text == nil {
		text = []byte{'-'}
	}
	at := len(text)
	text = append(text, "rwxrwxrwx"...)
	for rights := m << (32 - 9); at < len(text); at, rights = at+1, rights<<1 {
		if rights>>31 == 0 {
			text[at] = '-'
		}
	}
	return string(text)
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
	size, digits, sign := uint64(info.Size()), "", ""
	if info.Size() < 0 {
		size, sign = -size, "-"
	}
	for n := size; digits == "" || n > 0; n /= 10 {
		digits = string(rune('0'+n%10)) + digits
	}
	digits = sign + digits
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

// opened opens a file for do, and closes it.
func opened[T any](fsys FS, name string, do func(File) (T, error)) (result T, err error) {
	file, err := fsys.Open(name)
	if err == nil {
		defer file.Close()
		result, err = do(file)
	}
	return result, err
}

func Stat(fsys FS, name string) (FileInfo, error) {
	if f, ok := fsys.(StatFS); ok {
		return f.Stat(name)
	}
	return opened(fsys, name, File.Stat)
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
	return opened(fsys, name, func(f File) ([]byte, error) { return io.ReadAll(f) })
}

func ReadDir(fsys FS, name string) ([]DirEntry, error) {
	if f, ok := fsys.(ReadDirFS); ok {
		return f.ReadDir(name)
	}
	return opened(fsys, name, func(f File) (entries []DirEntry, err error) {
		err = &PathError{"readdir", name, errors.New("not implemented")}
		if dir, lists := f.(ReadDirFile); lists {
			entries, err = dir.ReadDir(-1)
			sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
		}
		return entries, err
	})
}

// A walk shows every file below a folder to a function.
type walk struct {
	fsys FS
	show WalkDirFunc
}

func WalkDir(fsys FS, root string, fn WalkDirFunc) error {
	info, err := Stat(fsys, root)
	if err == nil {
		err = walk{fsys, fn}.visit(root, FileInfoToDirEntry(info))
	} else {
		err = fn(root, nil, err)
	}
	if err == SkipAll || err == SkipDir {
		err = nil
	}
	return err
}

// visit shows a file and what is in it. Its error is SkipDir when the rest of the folder that it is in shall be left out.
func (w walk) visit(name string, d DirEntry) error {
	err := w.show(name, d, nil)
	if !d.IsDir() {
		return err
	}
	if err == nil {
		err = w.inside(name, d)
	}
	if err == SkipDir {
		err = nil
	}
	return err
}

func (w walk) inside(name string, d DirEntry) error {
	entries, err := ReadDir(w.fsys, name)
	if err != nil {
		err = w.show(name, d, err)
	}
	for i := 0; i < len(entries) && err == nil; i++ {
		err = w.visit(path.Join(name, entries[i].Name()), entries[i])
	}
	return err
}

func Glob(fsys FS, pattern string) (matches []string, err error) {
	if f, ok := fsys.(GlobFS); ok {
		return f.Glob(pattern)
	}
	return expand(fsys, pattern, 10000)
}

// expand lists what matches a pattern of at most so many parts.
func expand(fsys FS, pattern string, parts int) (matches []string, err error) {
	if parts < 0 {
		return nil, path.ErrBadPattern
	}
	// Nothing else can be wrong in a pattern.
	if strings.ContainsAny(pattern, `[\`) {
		if _, err = path.Match(pattern, ""); err != nil {
			return nil, err
		}
	}
	if !isPattern(pattern) {
		if _, missing := Stat(fsys, pattern); missing == nil {
			matches = append(matches, pattern)
		}
		return matches, nil
	}
	dir, last := path.Split(pattern)
	if dir == "" {
		dir = "./"
	}
	folders := []string{dir[:len(dir)-1]}
	if dir = folders[0]; isPattern(dir) {
		if dir == pattern {
			return nil, path.ErrBadPattern
		}
		if folders, err = expand(fsys, dir, parts-1); err != nil {
			return nil, err
		}
	}
	for _, dir := range folders {
		entries, _ := ReadDir(fsys, dir) // what cannot be read has no names
		for _, e := range entries {
			if ok, _ := path.Match(last, e.Name()); ok {
				matches = append(matches, path.Join(dir, e.Name()))
			}
		}
	}
	return matches, nil
}

func isPattern(pattern string) bool { return strings.ContainsAny(pattern, `*?[\`) }

func Sub(fsys FS, dir string) (FS, error) {
	own, knows := fsys.(SubFS)
	switch {
	case !ValidPath(dir):
		return nil, &PathError{"sub", dir, ErrInvalid}
	case dir == ".":
		return fsys, nil
	case knows:
		return own.Sub(dir)
	default:
		return &subFS{fsys: fsys, dir: dir}, nil
	}
}

// A subFS is a folder of another file system.
type subFS struct {
	fsys FS
	dir  string
}

// in does something with a file of the folder by the name it has in the other file system.
func in[T any](f *subFS, op, name string, do func(fsys FS, full string) (T, error)) (result T, err error) {
	if !ValidPath(name) {
		return result, &PathError{op, name, ErrInvalid}
	}
	result, err = do(f.fsys, path.Join(f.dir, name))
	return result, f.short(err)
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
	below, ok := strings.CutPrefix(name, f.dir+"/")
	return below, ok && below != ""
}

func (f *subFS) Open(name string) (File, error)          { return in(f, "open", name, FS.Open) }
func (f *subFS) ReadDir(name string) ([]DirEntry, error) { return in(f, "read", name, ReadDir) }
func (f *subFS) ReadFile(name string) ([]byte, error)    { return in(f, "read", name, ReadFile) }
func (f *subFS) ReadLink(name string) (string, error)    { return in(f, "readlink", name, ReadLink) }
func (f *subFS) Lstat(name string) (FileInfo, error)     { return in(f, "lstat", name, Lstat) }

func (f *subFS) Sub(dir string) (FS, error) {
	if dir == "." {
		return f, nil
	}
	return in(f, "sub", dir, func(fsys FS, full string) (FS, error) { return &subFS{fsys, full}, nil })
}

func (f *subFS) Glob(pattern string) (names []string, err error) {
	if pattern == "." {
		return []string{"."}, nil
	}
	if _, err = path.Match(pattern, ""); err == nil {
		names, err = Glob(f.fsys, f.dir+"/"+pattern)
	}
	for i, name := range names {
		if short, isBelow := f.relative(name); isBelow {
			names[i] = short
		}
	}
	return names, f.short(err)
}

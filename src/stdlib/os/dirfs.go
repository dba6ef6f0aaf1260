package os

import (
	"errors"
	"io"
	"io/fs"
	"strings"
)

// A dirFS is the tree below a folder. Symbolic links may lead out of it.
type dirFS string

func DirFS(dir string) fs.FS { return dirFS(dir) }

// inTree does something with a file of the tree, by its full name.
func inTree[T any](d dirFS, op, name string, do func(full string) (T, error)) (result T, err error) {
	switch {
	case d == "":
		err = errors.New("os: DirFS with empty root")
	case !isLocal(name):
		err = ErrInvalid
	default:
		result, err = do(joined(string(d), name))
		return result, renamed(err, name)
	}
	return result, onPath(op, name, err)
}

// isLocal tells whether a name is one of package fs, and of files here.
func isLocal(name string) bool { return fs.ValidPath(name) && !strings.Contains(name, "\x00") }

func (d dirFS) Open(name string) (fs.File, error) {
	f, err := inTree(d, "open", name, Open)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (d dirFS) ReadDir(name string) ([]DirEntry, error) { return inTree(d, "readdir", name, ReadDir) }
func (d dirFS) ReadFile(name string) ([]byte, error)    { return inTree(d, "readfile", name, ReadFile) }
func (d dirFS) Stat(name string) (fs.FileInfo, error)   { return inTree(d, "stat", name, Stat) }
func (d dirFS) Lstat(name string) (fs.FileInfo, error)  { return inTree(d, "lstat", name, Lstat) }
func (d dirFS) ReadLink(name string) (string, error)    { return inTree(d, "readlink", name, Readlink) }

// CopyFS copies a tree into a folder. No file there is overwritten.
func CopyFS(dir string, fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !isLocal(path) {
			err = errors.New("invalid path")
		}
		if err != nil {
			return err
		}
		return copyEntry(fsys, path, d.Type(), joined(dir, path))
	})
}

// copyEntry copies one file, link or folder, but not what is in it.
func copyEntry(fsys fs.FS, path string, typ FileMode, target string) error {
	switch typ {
	case 0:
		source, err := fsys.Open(path)
		if err != nil {
			return err
		}
		defer source.Close()
		return copyFile(source, target)
	case ModeDir:
		return MkdirAll(target, 0777)
	case ModeSymlink:
		leadsTo, err := fs.ReadLink(fsys, path)
		if err == nil {
			err = Symlink(leadsTo, target)
		}
		return err
	}
	return onPath("CopyFS", path, ErrInvalid)
}

// copyFile makes a file with the contents and the permissions of an open one.
func copyFile(source fs.File, target string) error {
	info, err := source.Stat()
	if err != nil {
		return err
	}
	f, err := OpenFile(target, O_WRONLY|O_CREATE|O_EXCL, info.Mode().Perm()|0666)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, source)
	closed := f.Close()
	if err != nil {
		return onPath("Copy", target, err)
	}
	return closed
}

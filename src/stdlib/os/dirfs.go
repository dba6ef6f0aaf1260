package os

import (
	"errors"
	"io"
	"io/fs"
)

// A dirFS is the tree below a folder. Symbolic links may lead out of it.
type dirFS string

func DirFS(dir string) fs.FS { return dirFS(dir) }

// full is the name of the file.
func (d dirFS) full(op, name string) (string, error) {
	err := error(nil)
	if d == "" {
		err = errors.New("os: DirFS with empty root")
	} else if !fs.ValidPath(name) || hasZero(name) {
		err = ErrInvalid
	}
	if err != nil {
		return "", &PathError{Op: op, Path: name, Err: err}
	}
	return joined(string(d), name), nil
}

func hasZero(s string) bool {
	for i := range len(s) {
		if s[i] == 0 {
			return true
		}
	}
	return false
}

// named puts the name that the program knows into the error.
func named(err error, name string) error {
	if e, ok := err.(*PathError); ok {
		e.Path = name
	}
	return err
}

func (d dirFS) Open(name string) (fs.File, error) {
	full, err := d.full("open", name)
	if err != nil {
		return nil, err
	}
	f, err := Open(full)
	if err != nil {
		return nil, named(err, name)
	}
	return f, nil
}

func (d dirFS) ReadFile(name string) ([]byte, error) {
	full, err := d.full("readfile", name)
	if err != nil {
		return nil, err
	}
	data, err := ReadFile(full)
	return data, named(err, name)
}

func (d dirFS) ReadDir(name string) ([]DirEntry, error) {
	full, err := d.full("readdir", name)
	if err != nil {
		return nil, err
	}
	list, err := ReadDir(full)
	return list, named(err, name)
}

func (d dirFS) Stat(name string) (fs.FileInfo, error) {
	full, err := d.full("stat", name)
	if err != nil {
		return nil, err
	}
	info, err := Stat(full)
	return info, named(err, name)
}

func (d dirFS) Lstat(name string) (fs.FileInfo, error) {
	full, err := d.full("lstat", name)
	if err != nil {
		return nil, err
	}
	info, err := Lstat(full)
	return info, named(err, name)
}

func (d dirFS) ReadLink(name string) (string, error) {
	full, err := d.full("readlink", name)
	if err != nil {
		return "", err
	}
	target, err := Readlink(full)
	return target, named(err, name)
}

// CopyFS copies a tree into a folder. No file there is overwritten.
func CopyFS(dir string, fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !fs.ValidPath(path) || hasZero(path) {
			return errors.New("invalid path")
		}
		target := joined(dir, path)
		switch d.Type() {
		case ModeDir:
			return MkdirAll(target, 0777)
		case ModeSymlink:
			link, err := fs.ReadLink(fsys, path)
			if err != nil {
				return err
			}
			return Symlink(link, target)
		case 0:
			return copyFile(target, fsys, path)
		}
		return &PathError{Op: "CopyFS", Path: path, Err: ErrInvalid}
	})
}

func copyFile(target string, fsys fs.FS, path string) error {
	r, err := fsys.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	w, err := OpenFile(target, O_CREATE|O_EXCL|O_WRONLY, 0666|info.Mode()&0777)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		w.Close()
		return &PathError{Op: "Copy", Path: target, Err: err}
	}
	return w.Close()
}

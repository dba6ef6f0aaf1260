package os

import (
	"internal/testlog"
	"io/fs"
	"syscall"
	"time"
)

// What is known of a file.

type PathError = fs.PathError
type FileInfo = fs.FileInfo
type FileMode = fs.FileMode
type DirEntry = fs.DirEntry

const (
	ModeDir        = fs.ModeDir
	ModeAppend     = fs.ModeAppend
	ModeExclusive  = fs.ModeExclusive
	ModeTemporary  = fs.ModeTemporary
	ModeSymlink    = fs.ModeSymlink
	ModeDevice     = fs.ModeDevice
	ModeNamedPipe  = fs.ModeNamedPipe
	ModeSocket     = fs.ModeSocket
	ModeSetuid     = fs.ModeSetuid
	ModeSetgid     = fs.ModeSetgid
	ModeCharDevice = fs.ModeCharDevice
	ModeSticky     = fs.ModeSticky
	ModeIrregular  = fs.ModeIrregular
	ModeType       = fs.ModeType
	ModePerm       = fs.ModePerm
)

type fileStat struct {
	name    string
	size    int64
	mode    FileMode
	modTime time.Time
	sys     syscall.Stat_t
}

func (f *fileStat) Name() string       { return f.name }
func (f *fileStat) Size() int64        { return f.size }
func (f *fileStat) Mode() FileMode     { return f.mode }
func (f *fileStat) ModTime() time.Time { return f.modTime }
func (f *fileStat) IsDir() bool        { return f.mode.IsDir() }
func (f *fileStat) Sys() any           { return &f.sys }

func baseName(path string) string {
	for len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	for i := len(path) - 2; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// fill derives all else from sys.
func (f *fileStat) fill(path string) {
	f.name = baseName(path)
	f.size = f.sys.Size
	f.modTime = time.Unix(f.sys.Mtim.Sec, f.sys.Mtim.Nsec)
	f.mode = FileMode(f.sys.Mode & 0o777)
	switch f.sys.Mode & syscall.S_IFMT {
	case syscall.S_IFBLK:
		f.mode |= ModeDevice
	case syscall.S_IFCHR:
		f.mode |= ModeDevice | ModeCharDevice
	case syscall.S_IFDIR:
		f.mode |= ModeDir
	case syscall.S_IFIFO:
		f.mode |= ModeNamedPipe
	case syscall.S_IFLNK:
		f.mode |= ModeSymlink
	case syscall.S_IFSOCK:
		f.mode |= ModeSocket
	}
	if f.sys.Mode&syscall.S_ISGID != 0 {
		f.mode |= ModeSetgid
	}
	if f.sys.Mode&syscall.S_ISUID != 0 {
		f.mode |= ModeSetuid
	}
	if f.sys.Mode&syscall.S_ISVTX != 0 {
		f.mode |= ModeSticky
	}
}

// again repeats a call while a signal interrupts it.
func again(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}

func statOf(op, path string, call func(string, *syscall.Stat_t) error) (FileInfo, error) {
	f := new(fileStat)
	if err := again(func() error { return call(path, &f.sys) }); err != nil {
		return nil, &PathError{Op: op, Path: path, Err: err}
	}
	f.fill(path)
	return f, nil
}

func Stat(name string) (FileInfo, error) {
	testlog.Note("stat", name)
	return statOf("stat", name, syscall.Stat)
}

func Lstat(name string) (FileInfo, error) {
	testlog.Note("stat", name)
	return statOf("lstat", name, syscall.Lstat)
}

func SameFile(fi1, fi2 FileInfo) bool {
	a, ok1 := fi1.(*fileStat)
	b, ok2 := fi2.(*fileStat)
	return ok1 && ok2 && a.sys.Dev == b.sys.Dev && a.sys.Ino == b.sys.Ino
}

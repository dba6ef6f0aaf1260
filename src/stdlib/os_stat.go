package os

import (
	"io/fs"
	"time"
)

// What is known of a file.

// stat describes a file by path (fd < 0), following links or not, or by descriptor.
func stat(path string, fd int, follow bool) (size int64, mode uint32, sec int64, nsec int64, dev, ino uint64, errno int)

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
	name     string
	size     int64
	mode     FileMode
	modTime  time.Time
	dev, ino uint64
}

func (f *fileStat) Name() string       { return f.name }
func (f *fileStat) Size() int64        { return f.size }
func (f *fileStat) Mode() FileMode     { return f.mode }
func (f *fileStat) ModTime() time.Time { return f.modTime }
func (f *fileStat) IsDir() bool        { return f.mode.IsDir() }
func (f *fileStat) Sys() any           { return nil }

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

func statOf(op, path string, fd int, follow bool) (FileInfo, error) {
	size, bits, sec, nsec, dev, ino, errno := stat(path, fd, follow)
	if errno != 0 {
		return nil, pathError(op, path, errno)
	}
	mode := FileMode(bits & 0o777)
	switch bits & 0o170000 {
	case 0o060000:
		mode |= ModeDevice
	case 0o020000:
		mode |= ModeDevice | ModeCharDevice
	case 0o040000:
		mode |= ModeDir
	case 0o010000:
		mode |= ModeNamedPipe
	case 0o120000:
		mode |= ModeSymlink
	case 0o140000:
		mode |= ModeSocket
	}
	if bits&0o2000 != 0 {
		mode |= ModeSetgid
	}
	if bits&0o4000 != 0 {
		mode |= ModeSetuid
	}
	if bits&0o1000 != 0 {
		mode |= ModeSticky
	}
	return &fileStat{baseName(path), size, mode, time.Unix(sec, nsec), dev, ino}, nil
}

func Stat(name string) (FileInfo, error)  { return statOf("stat", name, -1, true) }
func Lstat(name string) (FileInfo, error) { return statOf("lstat", name, -1, false) }

func SameFile(fi1, fi2 FileInfo) bool {
	a, ok1 := fi1.(*fileStat)
	b, ok2 := fi2.(*fileStat)
	return ok1 && ok2 && a.dev == b.dev && a.ino == b.ino
}

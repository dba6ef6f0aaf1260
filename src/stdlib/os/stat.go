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

// kinds are the kernel's kinds of files, by the bits that tell them; 0 for a regular one.
var kinds = [...]FileMode{
	syscall.S_IFIFO >> kindShift:  ModeNamedPipe,
	syscall.S_IFCHR >> kindShift:  ModeDevice | ModeCharDevice,
	syscall.S_IFDIR >> kindShift:  ModeDir,
	syscall.S_IFBLK >> kindShift:  ModeDevice,
	syscall.S_IFLNK >> kindShift:  ModeSymlink,
	syscall.S_IFSOCK >> kindShift: ModeSocket,
	15:                            0,
}

const kindShift = 12

// specialBits are those of a mode that are neither kind nor permission.
var specialBits = [...]struct {
	ours    FileMode
	kernels uint32
}{
	{ModeSetuid, syscall.S_ISUID},
	{ModeSetgid, syscall.S_ISGID},
	{ModeSticky, syscall.S_ISVTX},
}

// kernelMode is a mode as the kernel takes it.
func kernelMode(m FileMode) uint32 {
	mode := uint32(m & ModePerm)
	for _, bit := range specialBits {
		if m&bit.ours != 0 {
			mode |= bit.kernels
		}
	}
	return mode
}

// fill derives all else from sys.
func (f *fileStat) fill(path string) {
	mode := f.sys.Mode
	f.mode = FileMode(mode)&ModePerm | kinds[mode>>kindShift&15]
	for _, bit := range specialBits {
		if mode&bit.kernels != 0 {
			f.mode |= bit.ours
		}
	}
	_, f.name = cutBase(path)
	f.size, f.modTime = f.sys.Size, time.Unix(f.sys.Mtim.Unix())
}

// told is the FileInfo when sys has been filled in, or the error why not.
func (f *fileStat) told(op, path string, err error) (FileInfo, error) {
	if err == nil {
		f.fill(path)
		return f, nil
	}
	return nil, onPath(op, path, err)
}

// describe makes a FileInfo of what call fills in.
func describe(op, path string, call func(string, *syscall.Stat_t) error) (FileInfo, error) {
	var f fileStat
	return f.told(op, path, again(func() error { return call(path, &f.sys) }))
}

func Stat(name string) (FileInfo, error) {
	testlog.Note("stat", name)
	return describe("stat", name, syscall.Stat)
}

func Lstat(name string) (FileInfo, error) {
	testlog.Note("stat", name)
	return describe("lstat", name, syscall.Lstat)
}

func SameFile(fi1, fi2 FileInfo) bool {
	type identity struct{ dev, ino uint64 }
	identify := func(info FileInfo) (id identity, ok bool) {
		f, ok := info.(*fileStat)
		if ok {
			id = identity{f.sys.Dev, f.sys.Ino}
		}
		return id, ok
	}
	one, ok := identify(fi1)
	other, ok2 := identify(fi2)
	return ok && ok2 && one == other
}

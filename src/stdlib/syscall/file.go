package syscall

import (
	"runtime"
)

// What the kernel tells of files and folders.

type Stat_t struct {
	Dev       uint64
	Ino       uint64
	Nlink     uint64
	Mode      uint32
	Uid       uint32
	Gid       uint32
	X__pad0   int32
	Rdev      uint64
	Size      int64
	Blksize   int64
	Blocks    int64
	Atim      Timespec
	Mtim      Timespec
	Ctim      Timespec
	X__unused [3]int64
}

func Stat(path string, stat *Stat_t) (err error)  { return statAt(path, stat, 0) }
func Lstat(path string, stat *Stat_t) (err error) { return statAt(path, stat, 0x100) }

func statAt(path string, stat *Stat_t, flags uintptr) error {
	p, err := BytePtrFromString(path)
	if err == nil {
		err = outcome1(Syscall6(SYS_NEWFSTATAT, atCwd, at(p), at(stat), flags, 0, 0))
		runtime.KeepAlive(p)
		runtime.KeepAlive(stat)
	}
	return err
}

func Fstat(fd int, stat *Stat_t) (err error) {
	err = onFile(SYS_FSTAT, fd, at(stat), 0)
	runtime.KeepAlive(stat)
	return err
}

// ReadDirent reads some of a folder's entries, each a Dirent whose name ends with a zero byte, or with the entry.
func ReadDirent(fd int, buf []byte) (n int, err error) { return Getdents(fd, buf) }

func Getdents(fd int, buf []byte) (n int, err error) {
	n, err = outcome(Syscall(SYS_GETDENTS64, uintptr(fd), dataOf(buf), uintptr(len(buf))))
	runtime.KeepAlive(buf)
	return n, err
}

type Dirent struct {
	Ino       uint64
	Off       int64
	Reclen    uint16
	Type      uint8
	Name      [256]int8
	Pad_cgo_0 [5]byte
}

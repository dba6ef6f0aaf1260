package os

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// A spot is a name in an open folder. What is done to files by their names, relative to folders, is
// done to spots, by system calls that all go through one routine.
type spot struct {
	folder int // its descriptor, or here
	name   string
}

const (
	here      = -100  // the folder that the process is in: AT_FDCWD
	notFollow = 0x100 // a link is meant itself: AT_SYMLINK_NOFOLLOW
	removeDir = 0x200 // AT_REMOVEDIR
)

// call makes a system call that takes a folder, a name and more; again while signals interrupt it.
func (s spot) call(trap, a, b, c uintptr) (uintptr, error) {
	name, err := syscall.BytePtrFromString(s.name)
	for err == nil {
		r, _, errno := syscall.Syscall6(trap, uintptr(s.folder), address(name), a, b, c, 0)
		switch errno {
		case syscall.EINTR:
		case 0:
			runtime.KeepAlive(name)
			return r, nil
		default:
			err = errno
		}
	}
	return 0, err
}

func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// do is call, where the answer does not matter.
func (s spot) do(trap, a, b, c uintptr) error {
	_, err := s.call(trap, a, b, c)
	return err
}

// open opens what is there, but no link.
func (s spot) open(flags int, perm FileMode) (int, error) {
	all := flags | syscall.O_CLOEXEC | syscall.O_NOFOLLOW
	fd, err := s.call(syscall.SYS_OPENAT, uintptr(all), uintptr(kernelMode(perm)), 0)
	return int(fd), err
}

func (s spot) mkdir(perm FileMode) error {
	return s.do(syscall.SYS_MKDIRAT, uintptr(kernelMode(perm)), 0, 0)
}

func (s spot) unlink(flags uintptr) error { return s.do(syscall.SYS_UNLINKAT, flags, 0, 0) }

func (s spot) chown(uid, gid int, flags uintptr) error {
	return s.do(syscall.SYS_FCHOWNAT, uintptr(uid), uintptr(gid), flags)
}

// chtimes sets two times; zero ones are left as they are.
func (s spot) chtimes(atime, mtime time.Time, flags uintptr) error {
	const leave = 1<<30 - 2 // UTIME_OMIT
	both := &[2]syscall.Timespec{{Nsec: leave}, {Nsec: leave}}
	if !atime.IsZero() {
		both[0] = syscall.NsecToTimespec(atime.UnixNano())
	}
	if !mtime.IsZero() {
		both[1] = syscall.NsecToTimespec(mtime.UnixNano())
	}
	err := s.do(syscall.SYS_UTIMENSAT, address(both), flags, 0)
	runtime.KeepAlive(both)
	return err
}

// chmod changes a mode, following no link. Kernels before 6.6 do so by way of /proc only.
func (s spot) chmod(mode FileMode) error {
	const fchmodat2, pathOnly = 452, 0x200000
	err := s.do(fchmodat2, uintptr(kernelMode(mode)), notFollow, 0)
	if err != syscall.EOPNOTSUPP && err != syscall.ENOSYS {
		return err
	}
	fd, err := s.open(pathOnly, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	way := "/proc/self/fd/" + decimal(fd)
	switch info, err := describe("", way, syscall.Stat); {
	case IsNotExist(err):
		return syscall.EOPNOTSUPP // there is no /proc
	case err != nil:
		return underlying(err)
	case info.Mode()&ModeSymlink != 0:
		return syscall.EOPNOTSUPP
	}
	return kernels(chmod(way, kernelMode(mode)))
}

// lstat describes what is there as something of the given name.
func (s spot) lstat(as string) (FileInfo, error) {
	f := new(fileStat)
	err := s.do(syscall.SYS_NEWFSTATAT, address(&f.sys), notFollow, 0)
	if err == nil {
		f.fill(as)
		return f, nil
	}
	return nil, err
}

func (s spot) isSymlink() bool {
	info, err := s.lstat(s.name)
	return err == nil && info.Mode()&ModeSymlink != 0
}

func (s spot) readlink() (string, error) {
	for target := make([]byte, 128); ; target = make([]byte, 2*len(target)) {
		n, err := s.call(syscall.SYS_READLINKAT, address(&target[0]), uintptr(len(target)), 0)
		switch {
		case err != nil && err != syscall.ERANGE:
			return "", err
		case err == nil && int(n) < len(target):
			return string(target[:n]), nil
		}
	}
}

// with makes a call on two spots.
func (s spot) with(trap uintptr, other spot) error {
	name, err := syscall.BytePtrFromString(other.name)
	if err == nil {
		err = s.do(trap, uintptr(other.folder), address(name), 0)
		runtime.KeepAlive(name)
	}
	return err
}

// symlink makes a link here.
func (s spot) symlink(target string) (err error) {
	// The call takes its target first, where others take a folder.
	var texts [2]*byte
	for i, text := range [...]string{target, s.name} {
		if err == nil {
			texts[i], err = syscall.BytePtrFromString(text)
		}
	}
	if err == nil {
		folder := uintptr(s.folder)
		_, _, errno := syscall.Syscall(syscall.SYS_SYMLINKAT, address(texts[0]), folder, address(texts[1]))
		runtime.KeepAlive(&texts)
		err = kernels(int(errno))
	}
	return err
}

// eitherWay removes a file or, if it is none, a folder.
func eitherWay(remove func(asFolder bool) error) error {
	err := remove(false)
	if err != nil {
		if fault := remove(true); fault != syscall.ENOTDIR {
			err = fault
		}
	}
	return err
}

// overFolder says why a file must not take the place of what is there, if that is a folder: the
// kernel would replace an empty one. Only a folder's other name may.
func overFolder(there FileInfo, sameName bool, lstat func() (FileInfo, error)) error {
	if there == nil || !there.IsDir() {
		return nil
	}
	was, err := lstat()
	switch {
	case err != nil:
		return underlying(err)
	case sameName || !SameFile(was, there):
		return syscall.EEXIST
	}
	return nil
}

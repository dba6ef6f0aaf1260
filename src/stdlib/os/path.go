package os

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// What is done to files and folders by their names.

func mkdir(path string, perm uint32) (errno int)
func remove(path string, dir bool) (errno int)
func rename(from, to string) (errno int)
func link(from, to string, symbolic bool) (errno int)
func readlink(path string) (target string, errno int)
func chmod(path string, mode uint32) (errno int)
func truncate(path string, fd int, size int64) (errno int)

const (
	PathSeparator     = '/'
	PathListSeparator = ':'
	DevNull           = "/dev/null"
)

func IsPathSeparator(c uint8) bool { return c == PathSeparator }

func Chmod(name string, mode FileMode) error {
	return pathError("chmod", name, chmod(name, syscallMode(mode)))
}
func Mkdir(name string, perm FileMode) error {
	return pathError("mkdir", name, mkdir(name, syscallMode(perm)))
}
func Truncate(name string, size int64) error {
	return pathError("truncate", name, truncate(name, -1, size))
}

const here = -100 // AT_FDCWD

// callAt makes a system call on a path, relative to an open folder.
func callAt(trap uintptr, folder int, name string, a, b, c uintptr) (r uintptr, err error) {
	path, err := syscall.BytePtrFromString(name)
	if err != nil {
		return 0, err
	}
	r, _, errno := syscall.Syscall6(trap, uintptr(folder), uintptr(unsafe.Pointer(path)), a, b, c, 0)
	runtime.KeepAlive(path)
	if errno != 0 {
		return 0, errno
	}
	return r, nil
}

func fileCall(op, name string, trap, a, b, flags uintptr) error {
	if _, err := callAt(trap, here, name, a, b, flags); err != nil {
		return &PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

func Chown(name string, uid, gid int) error {
	return fileCall("chown", name, syscall.SYS_FCHOWNAT, uintptr(uid), uintptr(gid), 0)
}

func Lchown(name string, uid, gid int) error {
	const notFollow = 0x100
	return fileCall("lchown", name, syscall.SYS_FCHOWNAT, uintptr(uid), uintptr(gid), notFollow)
}

// timesOf gives two times as the kernel takes them; zero ones are left as they are.
func timesOf(atime, mtime time.Time) *[2]syscall.Timespec {
	const omit = 1<<30 - 2
	times := new([2]syscall.Timespec)
	for i, t := range []time.Time{atime, mtime} {
		if t.IsZero() {
			times[i].Nsec = omit
		} else {
			times[i] = syscall.NsecToTimespec(t.UnixNano())
		}
	}
	return times
}

func Chtimes(name string, atime time.Time, mtime time.Time) error {
	times := timesOf(atime, mtime)
	err := fileCall("chtimes", name, syscall.SYS_UTIMENSAT, uintptr(unsafe.Pointer(times)), 0, 0)
	runtime.KeepAlive(times)
	return err
}

func syscallMode(m FileMode) uint32 {
	bits := uint32(m.Perm())
	if m&ModeSetuid != 0 {
		bits |= 0o4000
	}
	if m&ModeSetgid != 0 {
		bits |= 0o2000
	}
	if m&ModeSticky != 0 {
		bits |= 0o1000
	}
	return bits
}

func Remove(name string) error {
	errno := remove(name, false)
	if errno == 0 {
		return nil
	}
	errno2 := remove(name, true)
	if errno2 == 0 {
		return nil
	}
	if errno2 != int(syscall.ENOTDIR) {
		errno = errno2
	}
	return pathError("remove", name, errno)
}

func MkdirAll(path string, perm FileMode) error {
	if info, err := Stat(path); err == nil {
		if info.IsDir() {
			return nil
		}
		return pathError("mkdir", path, int(syscall.ENOTDIR))
	}
	end := len(path)
	for end > 0 && path[end-1] == '/' {
		end--
	}
	for end > 0 && path[end-1] != '/' {
		end--
	}
	if end > 1 {
		if err := MkdirAll(path[:end-1], perm); err != nil {
			return err
		}
	}
	if err := Mkdir(path, perm); err != nil {
		if info, err2 := Lstat(path); err2 == nil && info.IsDir() {
			return nil
		}
		return err
	}
	return nil
}

// Rename replaces files, never folders.
func Rename(oldpath, newpath string) error {
	if there, err := Lstat(newpath); err == nil && there.IsDir() {
		if old, err := Lstat(oldpath); err != nil {
			return &LinkError{"rename", oldpath, newpath, underlying(err)}
		} else if oldpath == newpath || !SameFile(old, there) {
			return &LinkError{"rename", oldpath, newpath, syscall.EEXIST}
		}
	}
	return linkError("rename", oldpath, newpath, rename(oldpath, newpath))
}
func Link(oldname, newname string) error {
	return linkError("link", oldname, newname, link(oldname, newname, false))
}

func Symlink(oldname, newname string) error {
	return linkError("symlink", oldname, newname, link(oldname, newname, true))
}

func Readlink(name string) (string, error) {
	target, errno := readlink(name)
	return target, pathError("readlink", name, errno)
}

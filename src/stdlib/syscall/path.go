package syscall

import (
	"runtime"
	"unsafe"
)

// Calls on files by their names and descriptors.

const here = -100 // AT_FDCWD

// onPath makes a call with a path for its argument of that index.
func onPath(trap uintptr, index int, path string, args ...uintptr) (int, error) {
	return onPaths(trap, index, path, -1, "", args...)
}

// onPaths makes one with two paths, or one if j is negative.
func onPaths(trap uintptr, i int, a string, j int, b string, rest ...uintptr) (int, error) {
	p, err := BytePtrFromString(a)
	if err != nil {
		return -1, err
	}
	var q *byte
	if j >= 0 {
		if q, err = BytePtrFromString(b); err != nil {
			return -1, err
		}
	}
	var args [6]uintptr
	for k := range args {
		switch {
		case k == i:
			args[k] = at(p)
		case k == j:
			args[k] = at(q)
		case len(rest) > 0:
			args[k] = rest[0]
			rest = rest[1:]
		}
	}
	n, err := outcome(Syscall6(trap, args[0], args[1], args[2], args[3], args[4], args[5]))
	runtime.KeepAlive(p)
	runtime.KeepAlive(q)
	return n, err
}

func onPath1(trap uintptr, index int, path string, args ...uintptr) error {
	_, err := onPath(trap, index, path, args...)
	return err
}

func Acct(path string) (err error)   { return onPath1(SYS_ACCT, 0, path) }
func Chdir(path string) (err error)  { return onPath1(SYS_CHDIR, 0, path) }
func Chroot(path string) (err error) { return onPath1(SYS_CHROOT, 0, path) }

func Mknod(path string, mode uint32, dev int) (err error) { return Mknodat(here, path, mode, dev) }
func Mkfifo(path string, mode uint32) (err error)         { return Mknod(path, mode|S_IFIFO, 0) }
func Mkdir(path string, mode uint32) (err error)          { return Mkdirat(here, path, mode) }
func Chmod(path string, mode uint32) (err error)          { return Fchmodat(here, path, mode, 0) }
func Chown(path string, uid int, gid int) (err error)     { return Fchownat(here, path, uid, gid, 0) }
func Rename(oldpath, newpath string) (err error)          { return Renameat(here, oldpath, here, newpath) }

func Creat(path string, mode uint32) (fd int, err error) {
	const flags = O_WRONLY | O_CREAT | O_TRUNC
	return Open(path, flags, mode)
}

func Lchown(path string, uid int, gid int) (err error) {
	const notFollow = 0x100
	return Fchownat(here, path, uid, gid, notFollow)
}

const removeDir = 0x200

func Unlink(path string) error { return onPath1(SYS_UNLINKAT, 1, path, atCwd, 0) }

func Rmdir(path string) error { return onPath1(SYS_UNLINKAT, 1, path, atCwd, removeDir) }

const atCwd = ^uintptr(99)

func Unlinkat(dirfd int, path string) error {
	return onPath1(SYS_UNLINKAT, 1, path, uintptr(dirfd), 0)
}

func Openat(dirfd int, path string, flags int, mode uint32) (fd int, err error) {
	return onPath(SYS_OPENAT, 1, path, uintptr(dirfd), uintptr(flags), uintptr(mode))
}

func Mkdirat(dirfd int, path string, mode uint32) (err error) {
	return onPath1(SYS_MKDIRAT, 1, path, uintptr(dirfd), uintptr(mode))
}

func Mknodat(dirfd int, path string, mode uint32, dev int) (err error) {
	return onPath1(SYS_MKNODAT, 1, path, uintptr(dirfd), uintptr(mode), uintptr(dev))
}

// Fchmodat: only fchmodat2, which kernels before 6.6 lack, knows flags.
func Fchmodat(dirfd int, path string, mode uint32, flags int) error {
	const fchmodat2 = 452
	if flags == 0 {
		return onPath1(SYS_FCHMODAT, 1, path, uintptr(dirfd), uintptr(mode))
	}
	err := onPath1(fchmodat2, 1, path, uintptr(dirfd), uintptr(mode), uintptr(flags))
	if err == ENOSYS {
		const notFollow, emptyPath = 0x100, 0x1000
		err = EOPNOTSUPP
		if flags&^(notFollow|emptyPath) != 0 {
			err = EINVAL
		}
	}
	return err
}

func Fchownat(dirfd int, path string, uid int, gid int, flags int) (err error) {
	return onPath1(SYS_FCHOWNAT, 1, path, uintptr(dirfd), uintptr(uid), uintptr(gid),
		uintptr(flags))
}

func Faccessat(dirfd int, path string, mode uint32, flags int) (err error) {
	const faccessat2 = 439
	if flags == 0 {
		return onPath1(SYS_FACCESSAT, 1, path, uintptr(dirfd), uintptr(mode))
	}
	return onPath1(faccessat2, 1, path, uintptr(dirfd), uintptr(mode), uintptr(flags))
}

func Renameat(olddirfd int, oldpath string, newdirfd int, newpath string) (err error) {
	_, err = onPaths(SYS_RENAMEAT, 1, oldpath, 3, newpath, uintptr(olddirfd), uintptr(newdirfd))
	return err
}

func Link(oldpath string, newpath string) (err error) {
	_, err = onPaths(SYS_LINKAT, 1, oldpath, 3, newpath, atCwd, atCwd)
	return err
}

func Symlink(oldpath string, newpath string) error {
	_, err := onPaths(SYS_SYMLINKAT, 0, oldpath, 2, newpath, atCwd)
	return err
}

func Readlink(path string, buf []byte) (n int, err error) {
	n, err = onPath(SYS_READLINKAT, 1, path, atCwd, dataOf(buf), uintptr(len(buf)))
	runtime.KeepAlive(buf)
	return n, err
}

func Truncate(path string, length int64) (err error) {
	return onPath1(SYS_TRUNCATE, 0, path, uintptr(length))
}

func Ftruncate(fd int, length int64) (err error) {
	return outcome1(Syscall(SYS_FTRUNCATE, uintptr(fd), uintptr(length), 0))
}

// onFile makes a call about an open file.
func onFile(trap uintptr, fd int, a, b uintptr) error {
	return outcome1(Syscall(trap, uintptr(fd), a, b))
}

// onFile4 makes one that has three numbers besides.
func onFile4(trap uintptr, fd, a, b, c int) (int, error) {
	return outcome(Syscall6(trap, uintptr(fd), uintptr(a), uintptr(b), uintptr(c), 0, 0))
}

func Fchdir(fd int) (err error)              { return onFile(SYS_FCHDIR, fd, 0, 0) }
func Fchmod(fd int, mode uint32) (err error) { return onFile(SYS_FCHMOD, fd, uintptr(mode), 0) }
func Fsync(fd int) (err error)               { return onFile(SYS_FSYNC, fd, 0, 0) }
func Fdatasync(fd int) (err error)           { return onFile(SYS_FDATASYNC, fd, 0, 0) }
func Flock(fd int, how int) (err error)      { return onFile(SYS_FLOCK, fd, uintptr(how), 0) }

func Fchown(fd int, uid int, gid int) (err error) {
	return onFile(SYS_FCHOWN, fd, uintptr(uid), uintptr(gid))
}

func Dup3(oldfd int, newfd int, flags int) (err error) {
	return onFile(SYS_DUP3, oldfd, uintptr(newfd), uintptr(flags))
}

func FcntlFlock(fd uintptr, cmd int, lk *Flock_t) error {
	err := onFile(SYS_FCNTL, int(fd), uintptr(cmd), at(lk))
	runtime.KeepAlive(lk)
	return err
}

func Fallocate(fd int, mode uint32, off int64, len int64) error {
	_, err := onFile4(SYS_FALLOCATE, fd, int(mode), int(off), int(len))
	return err
}

func SyncFileRange(fd int, off int64, n int64, flags int) error {
	_, err := onFile4(SYS_SYNC_FILE_RANGE, fd, int(off), int(n), flags)
	return err
}

func Sync() { Syscall(SYS_SYNC, 0, 0, 0) }

func Sendfile(outfd int, infd int, offset *int64, count int) (written int, err error) {
	written, err = outcome(Syscall6(SYS_SENDFILE, uintptr(outfd), uintptr(infd),
		at(offset), uintptr(count), 0, 0))
	runtime.KeepAlive(offset)
	return written, err
}

func Splice(rfd int, roff *int64, wfd int, woff *int64, len int, flags int) (n int64, err error) {
	moved, err := outcome(Syscall6(SYS_SPLICE, uintptr(rfd), at(roff), uintptr(wfd), at(woff), uintptr(len), uintptr(flags)))
	runtime.KeepAlive([...]*int64{roff, woff})
	return int64(moved), err
}

func Tee(rfd int, wfd int, len int, flags int) (n int64, err error) {
	r, err := onFile4(SYS_TEE, rfd, wfd, len, flags)
	return int64(r), err
}

func Statfs(path string, buf *Statfs_t) (err error) {
	err = onPath1(SYS_STATFS, 0, path, at(buf))
	runtime.KeepAlive(buf)
	return err
}

func Fstatfs(fd int, buf *Statfs_t) (err error) {
	err = onFile(SYS_FSTATFS, fd, at(buf), 0)
	runtime.KeepAlive(buf)
	return err
}

func Getcwd(buf []byte) (n int, err error) {
	n, err = outcome(Syscall(SYS_GETCWD, dataOf(buf), uintptr(len(buf)), 0))
	runtime.KeepAlive(buf)
	return n, err
}

func Getwd() (wd string, err error) {
	room := make([]byte, PathMax)
	size, err := Getcwd(room)
	switch last := size - 1; {
	case err != nil:
	case last < 0 || last >= len(room) || room[last] != 0:
		err = EINVAL
	case room[0] != '/': // it is out of reach
		err = ENOENT
	default:
		wd = string(room[:last])
	}
	return wd, err
}

func Utime(path string, buf *Utimbuf) (err error) {
	err = onPath1(SYS_UTIME, 0, path, at(buf))
	runtime.KeepAlive(buf)
	return err
}

// setTimes makes a call about the two times of a file, which are the argument behind the path.
func setTimes[T Timeval | Timespec](trap uintptr, path string, times []T, dir ...uintptr) error {
	if len(times) != 2 {
		return EINVAL
	}
	args := append(dir, at(&times[0]), 0)
	err := onPath1(trap, len(dir), path, args...)
	runtime.KeepAlive(times)
	return err
}

func Utimes(path string, tv []Timeval) (err error) { return setTimes(SYS_UTIMES, path, tv) }

func UtimesNano(path string, ts []Timespec) (err error) {
	return setTimes(SYS_UTIMENSAT, path, ts, atCwd)
}

func Futimesat(dirfd int, path string, tv []Timeval) (err error) {
	return setTimes(SYS_FUTIMESAT, path, tv, uintptr(dirfd))
}

func Futimes(fd int, tv []Timeval) (err error) {
	name := "/proc/self/fd/" + itoa(fd)
	return Utimes(name, tv)
}

func Getxattr(path string, attr string, dest []byte) (sz int, err error) {
	sz, err = onPaths(SYS_GETXATTR, 0, path, 1, attr, dataOf(dest), uintptr(len(dest)))
	runtime.KeepAlive(dest)
	return sz, err
}

func Setxattr(path string, attr string, data []byte, flags int) (err error) {
	_, err = onPaths(SYS_SETXATTR, 0, path, 1, attr, dataOf(data), uintptr(len(data)),
		uintptr(flags))
	runtime.KeepAlive(data)
	return err
}

func Listxattr(path string, dest []byte) (sz int, err error) {
	sz, err = onPath(SYS_LISTXATTR, 0, path, dataOf(dest), uintptr(len(dest)))
	runtime.KeepAlive(dest)
	return sz, err
}

func Removexattr(path string, attr string) (err error) {
	_, err = onPaths(SYS_REMOVEXATTR, 0, path, 1, attr)
	return err
}

func Mount(source string, target string, fstype string, flags uintptr, data string) (err error) {
	texts, err := SlicePtrFromStrings([]string{fstype, data})
	if err != nil {
		return err
	}
	if data == "" {
		texts[1] = nil
	}
	_, err = onPaths(SYS_MOUNT, 0, source, 1, target, at(texts[0]), flags, at(texts[1]))
	runtime.KeepAlive(texts)
	return err
}

func Unmount(target string, flags int) (err error) {
	return onPath1(SYS_UMOUNT2, 0, target, uintptr(flags))
}

func PivotRoot(newroot string, putold string) (err error) {
	_, err = onPaths(SYS_PIVOT_ROOT, 0, newroot, 1, putold)
	return err
}

func InotifyInit() (fd int, err error) { return InotifyInit1(0) }

func InotifyInit1(flags int) (fd int, err error) {
	return outcome(RawSyscall(SYS_INOTIFY_INIT1, uintptr(flags), 0, 0))
}

func InotifyAddWatch(fd int, pathname string, mask uint32) (watchdesc int, err error) {
	return onPath(SYS_INOTIFY_ADD_WATCH, 1, pathname, uintptr(fd), uintptr(mask))
}

func InotifyRmWatch(fd int, watchdesc uint32) (success int, err error) {
	return outcome(RawSyscall(SYS_INOTIFY_RM_WATCH, uintptr(fd), uintptr(watchdesc), 0))
}

// ParseDirent adds the names in a buffer of directory entries, at most max if that is not negative.
func ParseDirent(buf []byte, max int, names []string) (consumed int, count int, newnames []string) {
	const nameAt = int(unsafe.Offsetof(Dirent{}.Name))
	for count != max && consumed < len(buf) {
		rest := buf[consumed:]
		e := (*Dirent)(unsafe.Pointer(&rest[0]))
		if len(rest) < nameAt || int(e.Reclen) < nameAt || int(e.Reclen) > len(rest) {
			return len(buf), count, names // it was cut
		}
		size := int(e.Reclen)
		consumed += size
		end := nameAt
		for end < size && rest[end] != 0 {
			end++
		}
		name := string(rest[nameAt:end])
		if isRemoved := e.Ino == 0; !isRemoved && name != "." && name != ".." {
			names = append(names, name)
			count++
		}
	}
	return consumed, count, names
}

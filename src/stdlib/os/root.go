package os

import (
	"errors"
	"internal/testlog"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Folders that names do not lead out of. Each folder on the way is opened from the one before,
// without following links; a link's target takes its place in the path, and is walked like the
// rest.

var errEscapes = errors.New("path escapes from parent")

type Root struct {
	root *root
}

// A root holds its descriptor while there are users, also when it is closed.
type root struct {
	name string
	fd   int

	mu     sync.Mutex
	users  int
	closed bool
}

func (r *root) begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return ErrClosed
	}
	r.users++
	return nil
}

func (r *root) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.users--
	if r.closed && r.users == 0 {
		syscall.Close(r.fd)
	}
}

func (r *root) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && r.users == 0 {
		syscall.Close(r.fd)
	}
	r.closed = true
	runtime.SetFinalizer(r, nil)
}

func OpenRoot(name string) (*Root, error) {
	testlog.Note("open", name)
	fd := 0
	err := again(func() (err error) {
		fd, err = syscall.Open(name, O_RDONLY|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, &PathError{Op: "open", Path: name, Err: err}
	}
	return newRoot(fd, name)
}

func newRoot(fd int, name string) (*Root, error) {
	var stat syscall.Stat_t
	err := again(func() error { return syscall.Fstat(fd, &stat) })
	if err == nil && stat.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		syscall.Close(fd)
		return nil, &PathError{Op: "open", Path: name, Err: errors.New("not a directory")}
	}
	r := &Root{&root{name: name, fd: fd}}
	runtime.SetFinalizer(r.root, (*root).close)
	return r, nil
}

func OpenInRoot(dir, name string) (*File, error) {
	r, err := OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Open(name)
}

func (r *Root) Name() string { return r.root.name }

func (r *Root) Close() error {
	r.root.close()
	return nil
}

// A metLink is the target of a link that was met.
type metLink string

func (metLink) Error() string { return "os: symbolic link" }

// orLink is err, or the target if the name is a link.
func orLink(folder int, name string, err error) error {
	target, e := readlinkAt(folder, name)
	if e != nil {
		return err
	}
	return metLink(target)
}

func readlinkAt(folder int, name string) (string, error) {
	for size := 128; ; size *= 2 {
		b := make([]byte, size)
		n := 0
		err := again(func() error {
			r, err := callAt(syscall.SYS_READLINKAT, folder, name,
				uintptr(unsafe.Pointer(&b[0])), uintptr(size), 0)
			n = int(r)
			return err
		})
		runtime.KeepAlive(b)
		if err != nil && err != syscall.ERANGE {
			return "", err
		}
		if err == nil && n < size {
			return string(b[:n]), nil
		}
	}
}

func openAt(folder int, name string, flags int, perm FileMode) (int, error) {
	fd := 0
	err := again(func() error {
		flags := uintptr(flags | syscall.O_NOFOLLOW | syscall.O_CLOEXEC)
		r, err := callAt(syscall.SYS_OPENAT, folder, name, flags, uintptr(syscallMode(perm)), 0)
		fd = int(r)
		return err
	})
	return fd, err
}

func openDirAt(folder int, name string) (int, error) {
	fd, err := openAt(folder, name, syscall.O_DIRECTORY, 0)
	switch err {
	case syscall.ELOOP, syscall.ENOTDIR:
		err = orLink(folder, name, err)
	case syscall.ENOTSUP:
		err = syscall.ENOTDIR
	}
	return fd, err
}

// lstatAt describes a file as one of the given name.
func lstatAt(folder int, name, as string) (FileInfo, error) {
	f := new(fileStat)
	const notFollow = 0x100
	_, err := callAt(syscall.SYS_NEWFSTATAT, folder, name,
		uintptr(unsafe.Pointer(&f.sys)), notFollow, 0)
	if err != nil {
		return nil, err
	}
	f.fill(as)
	return f, nil
}

// A way is a path, taken apart.
type way struct {
	parts []string
	slash bool // it ends with one
}

// splitWay takes path apart; before and after are what it stands between.
func splitWay(path string, before, after []string) (way, error) {
	if path == "" {
		return way{}, errors.New("empty path")
	}
	if path[0] == '/' {
		return way{}, errEscapes
	}
	trimmed := strings.TrimRight(path, "/")
	w := way{slices.Clone(before), len(trimmed) < len(path)}
	for part := range strings.SplitSeq(trimmed, "/") {
		// The last part may be a dot.
		if part == "" {
			continue
		}
		if n := len(w.parts); n > 0 && n > len(before) && w.parts[n-1] == "." {
			w.parts = w.parts[:n-1]
		}
		w.parts = append(w.parts, part)
	}
	if n := len(w.parts); len(after) > 0 && n > 0 && w.parts[n-1] == "." {
		w.parts = w.parts[:n-1]
	}
	w.parts = append(w.parts, after...)
	return w, nil
}

// What walk does with a slash at the end: see that a folder is there, see so if anything is there,
// or nothing.
const (
	needsFolder = iota
	makesFolder
	ignoresSlash
)

// walk finds the folder of a name, and calls do with that and the last part of the name, again and
// again while it meets links. open opens the folders.
func (r *Root) walk(
	name string, slash int, open func(folder int, name string) (int, error),
	do func(folder int, name string, slash bool) error,
) error {
	const maxSteps, maxRestarts, maxLinks = 255, 8, 8
	if err := r.root.begin(); err != nil {
		return err
	}
	defer r.root.end()
	w, err := splitWay(name, nil, nil)
	if err != nil {
		return err
	}
	top := r.root.fd
	folder := top
	enter := func(fd int) {
		if folder != top {
			syscall.Close(folder)
		}
		folder = fd
	}
	defer func() { enter(top) }()
	steps, restarts, links := 0, 0, 0
	for i := 0; ; {
		if steps++; steps > maxSteps && restarts > maxRestarts {
			return syscall.ENAMETOOLONG
		}
		if w.parts[i] == ".." {
			// A folder's parent may have changed since: what cancels out is struck, and all is
			// walked again.
			restarts++
			end := i
			for end < len(w.parts) && w.parts[end] == ".." {
				end++
			}
			begin := i - (end - i)
			if begin < 0 {
				return errEscapes
			}
			w.parts = slices.Delete(w.parts, begin, end)
			if len(w.parts) == 0 {
				w.parts = []string{"."}
			}
			i = 0
			enter(top)
			continue
		}
		last := i == len(w.parts)-1
		if last {
			err = nil
			if w.slash && slash != ignoresSlash {
				err = folderWithSlash(folder, w.parts[i], slash == makesFolder)
			}
			if err == nil {
				err = do(folder, w.parts[i], w.slash)
			}
			if err == nil {
				return nil
			}
		} else {
			var fd int
			if fd, err = open(folder, w.parts[i]); err == nil {
				enter(fd)
				i++
				continue
			}
		}
		switch e := err.(type) {
		case metLink:
			if links++; links > maxLinks {
				return syscall.ELOOP
			}
			old := w
			if w, err = splitWay(string(e), old.parts[:i], old.parts[i+1:]); err != nil {
				return err
			}
			if old.slash || !last {
				w.slash = old.slash
			}
			if len(w.parts) < i || !slices.Equal(w.parts[:i], old.parts[:i]) {
				i = 0
				enter(top)
			}
		case *PathError:
			e.Path = strings.Join(w.parts[:i+1], "/")
			return e
		default:
			return err
		}
	}
}

// folderWithSlash tells what is wrong with a slash behind the name.
func folderWithSlash(folder int, name string, mayLack bool) error {
	info, err := lstatAt(folder, name, name)
	switch {
	case IsNotExist(err) && mayLack:
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return nil
	case info.Mode()&ModeSymlink != 0:
		return orLink(folder, name, syscall.ENOTDIR)
	}
	return syscall.ENOTDIR
}

// pathCall walks to a name; the error is wrapped with op.
func (r *Root) pathCall(op, name string, do func(folder int, name string, slash bool) error) error {
	if err := r.walk(name, needsFolder, openDirAt, do); err != nil {
		return &PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// notLink calls do unless the name is a link.
func notLink(folder int, name string, do func() error) error {
	if err := orLink(folder, name, nil); err != nil {
		return err
	}
	return again(do)
}

func joined(folder, name string) string {
	if n := len(folder); n > 0 && folder[n-1] == '/' {
		return folder + name
	}
	return folder + "/" + name
}

func (r *Root) Open(name string) (*File, error) { return r.OpenFile(name, O_RDONLY, 0) }

func (r *Root) Create(name string) (*File, error) {
	return r.OpenFile(name, O_RDWR|O_CREATE|O_TRUNC, 0666)
}

// plainMode refuses bits of a mode but for permissions.
func plainMode(op, name string, perm FileMode) error {
	if perm&0o777 != perm {
		return &PathError{Op: op, Path: name, Err: errors.New("unsupported file mode")}
	}
	return nil
}

func (r *Root) OpenFile(name string, flag int, perm FileMode) (*File, error) {
	if err := plainMode("openat", name, perm); err != nil {
		return nil, err
	}
	r.note("open", name)
	fd := 0
	err := r.pathCall("openat", name, func(folder int, name string, _ bool) (err error) {
		fd, err = openAt(folder, name, flag, perm)
		if err == nil {
			return nil
		}
		if flag&(O_CREATE|O_EXCL) == O_CREATE|O_EXCL {
			if err == syscall.ELOOP {
				err = syscall.EEXIST
			}
		} else if err == syscall.ELOOP || err == syscall.ENOTDIR {
			err = orLink(folder, name, err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	f := openedFile(fd, joined(r.Name(), name), flag)
	f.inRoot = true
	return f, nil
}

// note has it written down that a name below the folder was asked for.
func (r *Root) note(op, name string) {
	if testlog.IsOn {
		testlog.Note(op, joined(r.Name(), name))
	}
}

func (r *Root) OpenRoot(name string) (*Root, error) {
	r.note("open", name)
	fd := 0
	err := r.pathCall("openat", name, func(folder int, name string, _ bool) (err error) {
		if fd, err = openAt(folder, name, O_RDONLY, 0); err == syscall.ELOOP {
			err = orLink(folder, name, err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return newRoot(fd, joined(r.Name(), name))
}

// chmodAt changes a mode, following no link. Kernels before 6.6 do so by way of /proc only.
func chmodAt(folder int, name string, mode FileMode) error {
	const fchmodat2, notFollow, onlyPath = 452, 0x100, 0x200000
	bits := uintptr(syscallMode(mode))
	_, err := callAt(fchmodat2, folder, name, bits, notFollow, 0)
	if err != syscall.ENOSYS && err != syscall.EOPNOTSUPP {
		return err
	}
	fd, err := openAt(folder, name, onlyPath, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	path := "/proc/self/fd/" + decimal(fd)
	var stat syscall.Stat_t
	if err := syscall.Stat(path, &stat); err != nil {
		if err == syscall.ENOENT {
			err = syscall.EOPNOTSUPP
		}
		return err
	}
	if stat.Mode&syscall.S_IFMT == syscall.S_IFLNK {
		return syscall.EOPNOTSUPP
	}
	if errno := chmod(path, uint32(bits)); errno != 0 {
		return syscall.Errno(errno)
	}
	return nil
}

func (r *Root) Chmod(name string, mode FileMode) error {
	return r.pathCall("chmodat", name, func(folder int, name string, _ bool) error {
		return notLink(folder, name, func() error { return chmodAt(folder, name, mode) })
	})
}

func chownAt(folder int, name string, uid, gid int) error {
	const notFollow = 0x100
	_, err := callAt(syscall.SYS_FCHOWNAT, folder, name, uintptr(uid), uintptr(gid), notFollow)
	return err
}

func (r *Root) Chown(name string, uid, gid int) error {
	return r.pathCall("chownat", name, func(folder int, name string, _ bool) error {
		return notLink(folder, name, func() error { return chownAt(folder, name, uid, gid) })
	})
}

func (r *Root) Lchown(name string, uid, gid int) error {
	return r.pathCall("lchownat", name, func(folder int, name string, _ bool) error {
		return again(func() error { return chownAt(folder, name, uid, gid) })
	})
}

func (r *Root) Chtimes(name string, atime time.Time, mtime time.Time) error {
	return r.pathCall("chtimesat", name, func(folder int, name string, _ bool) error {
		return notLink(folder, name, func() error {
			const notFollow = 0x100
			times := timesOf(atime, mtime)
			_, err := callAt(syscall.SYS_UTIMENSAT, folder, name,
				uintptr(unsafe.Pointer(times)), notFollow, 0)
			runtime.KeepAlive(times)
			return err
		})
	})
}

func mkdirAt(folder int, name string, perm FileMode) error {
	return again(func() error {
		_, err := callAt(syscall.SYS_MKDIRAT, folder, name, uintptr(syscallMode(perm)), 0, 0)
		return err
	})
}

func (r *Root) Mkdir(name string, perm FileMode) error {
	if err := plainMode("mkdirat", name, perm); err != nil {
		return err
	}
	err := r.walk(name, ignoresSlash, openDirAt, func(folder int, name string, _ bool) error {
		return mkdirAt(folder, name, perm)
	})
	if err != nil {
		return &PathError{Op: "mkdirat", Path: name, Err: err}
	}
	return nil
}

func (r *Root) MkdirAll(name string, perm FileMode) error {
	if err := plainMode("mkdirat", name, perm); err != nil {
		return err
	}
	open := func(folder int, name string) (int, error) {
		fd, err := openDirAt(folder, name)
		if IsNotExist(err) {
			if err := mkdirAt(folder, name, perm); err != nil && err != syscall.EEXIST {
				return 0, &PathError{Op: "mkdirat", Err: err}
			}
			fd, err = openDirAt(folder, name)
		}
		if _, ok := err.(metLink); err != nil && !ok {
			err = &PathError{Op: "openat", Err: err}
		}
		return fd, err
	}
	err := r.walk(name, ignoresSlash, open, func(folder int, part string, _ bool) error {
		err := mkdirAt(folder, part, perm)
		if err == syscall.EEXIST {
			err = r.folderThere(folder, part, name)
		}
		if err != nil {
			err = &PathError{Op: "mkdirat", Err: err}
		}
		return err
	})
	if _, ok := err.(*PathError); err != nil && !ok {
		err = &PathError{Op: "mkdirat", Path: name, Err: err}
	}
	return err
}

// folderThere says what is wrong with what is there already where a folder shall be made.
func (r *Root) folderThere(folder int, part, name string) error {
	info, err := lstatAt(folder, part, part)
	if err != nil {
		return syscall.EEXIST
	}
	if info.Mode()&ModeSymlink != 0 {
		info, err = r.stat(name, true)
		switch {
		case IsNotExist(err):
			return syscall.EEXIST
		case err != nil:
			return err
		case !info.IsDir():
			return syscall.ENOTDIR
		}
	}
	if !info.IsDir() {
		return syscall.EEXIST
	}
	return nil
}

func (r *Root) Remove(name string) error {
	return r.pathCall("removeat", name, func(folder int, name string, _ bool) error {
		const removeDir = 0x200
		err := unlinkAt(folder, name, 0)
		if err == nil {
			return nil
		}
		if err2 := unlinkAt(folder, name, removeDir); err2 != syscall.ENOTDIR {
			return err2
		}
		return err
	})
}

func (r *Root) RemoveAll(name string) error {
	name = strings.TrimRight(name, "/")
	if name == "." || strings.HasSuffix(name, "/.") {
		return &PathError{Op: "RemoveAll", Path: name, Err: syscall.EINVAL}
	}
	err := r.walk(name, needsFolder, openDirAt, func(folder int, name string, _ bool) error {
		return removeAllAt(folder, name)
	})
	if err == nil || IsNotExist(err) {
		return nil
	}
	return &PathError{Op: "RemoveAll", Path: name, Err: underlying(err)}
}

func (r *Root) stat(name string, follow bool) (info FileInfo, err error) {
	err = r.pathCall("statat", name, func(folder int, part string, _ bool) (err error) {
		info, err = lstatAt(folder, part, name)
		if err == nil && follow && info.Mode()&ModeSymlink != 0 {
			err = orLink(folder, part, syscall.ELOOP)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return info, nil
}

func (r *Root) Stat(name string) (FileInfo, error) {
	r.note("stat", name)
	return r.stat(name, true)
}

func (r *Root) Lstat(name string) (FileInfo, error) {
	r.note("stat", name)
	return r.stat(name, false)
}

func (r *Root) Readlink(name string) (target string, err error) {
	err = r.pathCall("readlinkat", name, func(folder int, name string, _ bool) (err error) {
		target, err = readlinkAt(folder, name)
		return err
	})
	if err != nil {
		return "", err
	}
	return target, nil
}

// pairCall makes a call on a name in each of two folders.
func pairCall(trap uintptr, from int, old string, to int, new string) error {
	path, err := syscall.BytePtrFromString(new)
	if err != nil {
		return err
	}
	_, err = callAt(trap, from, old, uintptr(to), uintptr(unsafe.Pointer(path)), 0)
	runtime.KeepAlive(path)
	return err
}

// between walks to two names.
func (r *Root) between(
	op, old, new string, slash int,
	do func(from int, old string, to int, new string, slash bool) error,
) error {
	err := r.walk(old, needsFolder, openDirAt, func(from int, old string, _ bool) error {
		return r.walk(new, slash, openDirAt, func(to int, new string, slash bool) error {
			return do(from, old, to, new, slash)
		})
	})
	if err != nil {
		return &LinkError{op, old, new, err}
	}
	return nil
}

func (r *Root) Rename(oldname, newname string) error {
	return r.between("renameat", oldname, newname, makesFolder,
		func(from int, old string, to int, new string, slash bool) error {
			was, err := lstatAt(from, old, old)
			if slash {
				if err != nil {
					return err
				}
				if !was.IsDir() {
					return syscall.ENOTDIR
				}
			}
			if there, e := lstatAt(to, new, new); e == nil && there.IsDir() {
				if err != nil {
					return err
				}
				if old == new || !SameFile(was, there) {
					return syscall.EEXIST
				}
			}
			return pairCall(syscall.SYS_RENAMEAT, from, old, to, new)
		})
}

func (r *Root) Link(oldname, newname string) error {
	return r.between("linkat", oldname, newname, needsFolder,
		func(from int, old string, to int, new string, _ bool) error {
			return pairCall(syscall.SYS_LINKAT, from, old, to, new)
		})
}

func (r *Root) Symlink(oldname, newname string) error {
	err := r.walk(newname, needsFolder, openDirAt, func(folder int, name string, _ bool) error {
		target, err := syscall.BytePtrFromString(oldname)
		if err != nil {
			return err
		}
		path, err := syscall.BytePtrFromString(name)
		if err != nil {
			return err
		}
		_, _, errno := syscall.Syscall(syscall.SYS_SYMLINKAT, uintptr(unsafe.Pointer(target)),
			uintptr(folder), uintptr(unsafe.Pointer(path)))
		runtime.KeepAlive(target)
		runtime.KeepAlive(path)
		if errno != 0 {
			return errno
		}
		return nil
	})
	if err != nil {
		return &LinkError{"symlinkat", oldname, newname, err}
	}
	return nil
}

func (r *Root) ReadFile(name string) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.readAll()
}

func (r *Root) WriteFile(name string, data []byte, perm FileMode) error {
	f, err := r.OpenFile(name, O_WRONLY|O_CREATE|O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func (r *Root) FS() fs.FS { return (*rootFS)(r) }

// A rootFS takes the names of package fs only.
type rootFS Root

func validIn(op, name string) error {
	if !fs.ValidPath(name) {
		return &PathError{Op: op, Path: name, Err: ErrInvalid}
	}
	return nil
}

func (f *rootFS) Open(name string) (fs.File, error) {
	if err := validIn("open", name); err != nil {
		return nil, err
	}
	file, err := (*Root)(f).Open(name)
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (f *rootFS) ReadDir(name string) ([]DirEntry, error) {
	if err := validIn("readdir", name); err != nil {
		return nil, err
	}
	folder, err := (*Root)(f).Open(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	entries, err := folder.ReadDir(-1)
	slices.SortFunc(entries, func(a, b DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func (f *rootFS) ReadFile(name string) ([]byte, error) {
	if err := validIn("readfile", name); err != nil {
		return nil, err
	}
	return (*Root)(f).ReadFile(name)
}

func (f *rootFS) ReadLink(name string) (string, error) {
	if err := validIn("readlink", name); err != nil {
		return "", err
	}
	return (*Root)(f).Readlink(name)
}

func (f *rootFS) Stat(name string) (FileInfo, error) {
	if err := validIn("stat", name); err != nil {
		return nil, err
	}
	return (*Root)(f).Stat(name)
}

func (f *rootFS) Lstat(name string) (FileInfo, error) {
	if err := validIn("lstat", name); err != nil {
		return nil, err
	}
	return (*Root)(f).Lstat(name)
}

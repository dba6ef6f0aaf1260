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
)

// Folders that names do not lead out of. A name is walked part by part: each folder on the way is
// opened from the one before, without following links, and stays open, so that two dots lead back
// to where we have come from. A link's target takes its place among the parts that are left.

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

// change does something while nobody else does, and closes the descriptor if that was the last of it.
func (r *root) change(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if do(); r.closed && r.users == 0 {
		syscall.Close(r.fd)
		r.users = -1 // never again
	}
}

func (r *root) begin() (err error) {
	r.change(func() {
		if r.closed {
			err = ErrClosed
		} else {
			r.users++
		}
	})
	return err
}

func (r *root) end() { r.change(func() { r.users-- }) }

func (r *root) close() {
	r.change(func() { r.closed = true })
	runtime.SetFinalizer(r, nil)
}

func OpenRoot(name string) (*Root, error) {
	testlog.Note("open", name)
	return rootOf(name, func() (int, error) { return syscall.Open(name, syscall.O_CLOEXEC, 0) })
}

// rootOf makes a Root of what is opened, if that is a folder.
func rootOf(name string, open func() (int, error)) (*Root, error) {
	r := &root{name: name}
	err := again(func() (err error) {
		r.fd, err = open()
		return err
	})
	if err == nil {
		var stat syscall.Stat_t
		if syscall.Fstat(r.fd, &stat) == nil && stat.Mode&syscall.S_IFMT != syscall.S_IFDIR {
			syscall.Close(r.fd)
			err = errors.New("not a directory")
		}
	}
	if err != nil {
		return nil, onPath("open", name, err)
	}
	runtime.SetFinalizer(r, (*root).close)
	return &Root{r}, nil
}

func OpenInRoot(dir, name string) (f *File, err error) {
	r, err := OpenRoot(dir)
	if err == nil {
		f, err = r.Open(name)
		r.Close()
	}
	return f, err
}

func (r *Root) Name() string { return r.root.name }

func (r *Root) Close() error {
	r.root.close()
	return nil
}

// note has it written down that a name below the folder was asked for.
func (r *Root) note(op, name string) {
	if testlog.IsOn {
		testlog.Note(op, joined(r.Name(), name))
	}
}

// A metLink is the target of a link that was met.
type metLink string

func (metLink) Error() string { return "os: symbolic link" }

// orLink is err, or the target if the spot is a link.
func (s spot) orLink(err error) error {
	if target, isNone := s.readlink(); isNone == nil {
		err = metLink(target)
	}
	return err
}

// openFolder opens a folder on the way.
func (s spot) openFolder() (int, error) {
	fd, err := s.open(syscall.O_DIRECTORY, 0)
	switch err {
	case syscall.ENOTSUP:
		err = syscall.ENOTDIR
	case syscall.ENOTDIR, syscall.ELOOP:
		err = s.orLink(err)
	}
	return fd, err
}

// A walk is how far a name has been followed.
type walk struct {
	folders []int    // those on the way: the first is the root's
	names   []string // of the others
	left    []string // parts that are still to be followed
	slash   bool     // there is one at the end

	steps, turns, links int
}

// follow puts the parts of a path before those that are left.
func (w *walk) follow(path string) error {
	if path == "" {
		return errors.New("empty path")
	}
	if path[0] == '/' {
		return errEscapes
	}
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	w.left = append(parts, w.left...)
	w.slash = path[len(path)-1] == '/'
	return nil
}

// leave goes back to the folder before, and tells the name of the one that it was in.
func (w *walk) leave() (name string) {
	n := len(w.names) - 1
	name = w.names[n]
	syscall.Close(w.folders[n+1])
	w.names, w.folders = w.names[:n], w.folders[:n+1]
	return name
}

// next is the next part, and whether it is the last. A dot is no part unless nothing follows.
func (w *walk) next() (s spot, last bool, err error) {
	const maxSteps, maxTurns = 255, 8
	for {
		if w.steps++; w.steps > maxSteps && w.turns > maxTurns {
			return s, false, syscall.ENAMETOOLONG
		}
		part := "."
		if len(w.left) > 0 {
			part, w.left = w.left[0], w.left[1:]
		} else if len(w.names) > 0 {
			part = w.leave() // the folder itself was meant
		}
		last = len(w.left) == 0
		if part == ".." {
			w.turns++
			if len(w.names) == 0 {
				return s, false, errEscapes
			}
			w.leave()
		} else if part != "." || last {
			return spot{w.folders[len(w.folders)-1], part}, last, nil
		}
	}
}

// What walk does with a slash at the end: see that a folder is there, see so if anything is there,
// or nothing.
const (
	needsFolder = iota
	makesFolder
	ignoresSlash
)

// walk finds the spot that a name names, and calls do with it, again and again while it meets links.
// open opens the folders.
func (r *Root) walk(
	name string, slash int, open func(spot) (int, error), do func(s spot, slash bool) error,
) error {
	if err := r.root.begin(); err != nil {
		return err
	}
	defer r.root.end()
	w := &walk{folders: []int{r.root.fd}}
	defer func() {
		for len(w.names) > 0 {
			w.leave()
		}
	}()
	err := w.follow(name)
	for err == nil {
		var s spot
		var last bool
		if s, last, err = w.next(); err != nil {
			break
		}
		if !last {
			var fd int
			if fd, err = open(s); err == nil {
				w.folders, w.names = append(w.folders, fd), append(w.names, s.name)
				continue
			}
		} else {
			if w.slash && slash != ignoresSlash {
				err = s.takesSlash(slash == makesFolder)
			}
			if err == nil {
				err = do(s, w.slash)
			}
			if err == nil {
				return nil
			}
		}
		err = w.detour(s, last, err)
	}
	return err
}

// detour goes on with a link's target, if that is why the spot failed.
func (w *walk) detour(s spot, last bool, err error) error {
	const maxLinks = 8
	switch e := err.(type) {
	case *PathError:
		e.Path = strings.Join(append(slices.Clone(w.names), s.name), "/")
	case metLink:
		if w.links++; w.links > maxLinks {
			return syscall.ELOOP
		}
		slash := w.slash
		err = w.follow(string(e))
		if slash || !last {
			w.slash = slash
		}
	}
	return err
}

// takesSlash tells what is wrong with a slash behind the name.
func (s spot) takesSlash(mayLack bool) error {
	info, err := s.lstat(s.name)
	switch {
	case err != nil:
		if mayLack && IsNotExist(err) {
			err = nil
		}
		return err
	case info.Mode()&ModeSymlink != 0:
		return s.orLink(syscall.ENOTDIR)
	case !info.IsDir():
		return syscall.ENOTDIR
	}
	return nil
}

// visit walks to a name; the error is wrapped with op.
func (r *Root) visit(op, name string, do func(spot) error) error {
	err := r.walk(name, needsFolder, spot.openFolder, func(s spot, _ bool) error { return do(s) })
	return onPath(op, name, err)
}

// visitPast is visit, but follows links at the end, too.
func (r *Root) visitPast(op, name string, do func(spot) error) error {
	return r.visit(op, name, func(s spot) error {
		if link := s.orLink(nil); link != nil {
			return link
		}
		return do(s)
	})
}

func (r *Root) Create(name string) (*File, error) {
	return r.OpenFile(name, O_TRUNC|O_CREATE|O_RDWR, 0666)
}

func (r *Root) Open(name string) (*File, error) { return r.OpenFile(name, O_RDONLY, 0) }

// plainMode refuses bits of a mode but for permissions.
func plainMode(op, name string, perm FileMode) error {
	if perm.Perm() == perm {
		return nil
	}
	return onPath(op, name, errors.New("unsupported file mode"))
}

func (r *Root) OpenFile(name string, flag int, perm FileMode) (*File, error) {
	if err := plainMode("openat", name, perm); err != nil {
		return nil, err
	}
	fd, err := r.open(name, func(s spot) (int, error) {
		fd, err := s.open(flag, perm)
		isLoop, mustMake := err == syscall.ELOOP, flag&O_CREATE != 0 && flag&O_EXCL != 0
		switch {
		case isLoop && mustMake:
			err = syscall.EEXIST
		case !mustMake && (isLoop || err == syscall.ENOTDIR):
			err = s.orLink(err)
		}
		return fd, err
	})
	if err != nil {
		return nil, err
	}
	f := byFlags(fd, joined(r.Name(), name), flag)
	f.ofRoot = true
	return f, nil
}

func (r *Root) OpenRoot(name string) (*Root, error) {
	fd, err := r.open(name, func(s spot) (int, error) {
		fd, err := s.open(O_RDONLY, 0)
		if err == syscall.ELOOP {
			err = s.orLink(err)
		}
		return fd, err
	})
	if err != nil {
		return nil, err
	}
	return rootOf(joined(r.Name(), name), func() (int, error) { return fd, nil })
}

// open opens what a name names.
func (r *Root) open(name string, how func(spot) (int, error)) (fd int, err error) {
	r.note("open", name)
	err = r.visit("openat", name, func(s spot) (err error) {
		fd, err = how(s)
		return err
	})
	return fd, err
}

func (r *Root) Chmod(name string, mode FileMode) error {
	return r.visitPast("chmodat", name, func(s spot) error { return s.chmod(mode) })
}

func (r *Root) Chown(name string, uid, gid int) error {
	return r.visitPast("chownat", name, func(s spot) error { return s.chown(uid, gid, notFollow) })
}

func (r *Root) Lchown(name string, uid, gid int) error {
	return r.visit("lchownat", name, func(s spot) error { return s.chown(uid, gid, notFollow) })
}

func (r *Root) Chtimes(name string, atime time.Time, mtime time.Time) error {
	return r.visitPast("chtimesat", name, func(s spot) error {
		return s.chtimes(atime, mtime, notFollow)
	})
}

func (r *Root) Mkdir(name string, perm FileMode) error {
	err := plainMode("mkdirat", name, perm)
	if err == nil {
		make := func(s spot, _ bool) error { return s.mkdir(perm) }
		err = onPath("mkdirat", name, r.walk(name, ignoresSlash, spot.openFolder, make))
	}
	return err
}

// MkdirAll has errors speak of the part of the name that they are about.
func (r *Root) MkdirAll(name string, perm FileMode) error {
	if err := plainMode("mkdirat", name, perm); err != nil {
		return err
	}
	err := r.walk(name, ignoresSlash, func(s spot) (int, error) {
		fd, err := s.openFolder()
		if IsNotExist(err) {
			if err := s.mkdir(perm); err != nil && err != syscall.EEXIST {
				return 0, onPath("mkdirat", "", err)
			}
			fd, err = s.openFolder()
		}
		if _, isLink := err.(metLink); isLink {
			return 0, err
		}
		return fd, onPath("openat", "", err)
	}, func(s spot, _ bool) error {
		err := s.mkdir(perm)
		if err == syscall.EEXIST {
			err = r.folderThere(s, name)
		}
		return onPath("mkdirat", "", err)
	})
	if _, wrapped := err.(*PathError); wrapped {
		return err
	}
	return onPath("mkdirat", name, err)
}

// folderThere says what is wrong with what is there already where a folder shall be made.
func (r *Root) folderThere(s spot, name string) error {
	info, err := s.lstat(s.name)
	isLink := err == nil && info.Mode()&ModeSymlink != 0
	if isLink {
		info, err = r.describe(name, true)
	}
	switch {
	case err == nil && info.IsDir():
		return nil
	case isLink && err == nil:
		return syscall.ENOTDIR
	case isLink && !IsNotExist(err):
		return err
	}
	return syscall.EEXIST
}

func (r *Root) Remove(name string) error {
	return r.visit("removeat", name, func(s spot) error {
		return eitherWay(func(asFolder bool) error {
			if asFolder {
				return s.unlink(removeDir)
			}
			return s.unlink(0)
		})
	})
}

func (r *Root) RemoveAll(name string) error {
	name = strings.TrimRight(name, "/")
	err := error(syscall.EINVAL)
	if _, base := cutBase(name); base != "." {
		err = r.walk(name, needsFolder, spot.openFolder, func(s spot, _ bool) error { return s.removeAll() })
	}
	if isGone(err) {
		return nil
	}
	return onPath("RemoveAll", name, underlying(err))
}

func (r *Root) Stat(name string) (FileInfo, error) {
	r.note("stat", name)
	return r.describe(name, true)
}

func (r *Root) Lstat(name string) (FileInfo, error) {
	r.note("stat", name)
	return r.describe(name, false)
}

func (r *Root) describe(name string, follow bool) (info FileInfo, err error) {
	err = r.visit("statat", name, func(s spot) (err error) {
		if info, err = s.lstat(name); err != nil || !follow || info.Mode()&ModeSymlink == 0 {
			return err
		}
		info = nil
		return s.orLink(syscall.ELOOP)
	})
	return info, err
}

func (r *Root) Readlink(name string) (target string, err error) {
	err = r.visit("readlinkat", name, func(s spot) (err error) {
		target, err = s.readlink()
		return err
	})
	return target, err
}

// visitBoth walks to two names.
func (r *Root) visitBoth(
	op, old, new string, slash int, do func(from, to spot, slash bool) error,
) error {
	err := r.walk(old, needsFolder, spot.openFolder, func(from spot, _ bool) error {
		return r.walk(new, slash, spot.openFolder, func(to spot, slash bool) error {
			return do(from, to, slash)
		})
	})
	return onPaths(op, old, new, err)
}

func (r *Root) Rename(oldname, newname string) error {
	return r.visitBoth("renameat", oldname, newname, makesFolder, func(from, to spot, slash bool) error {
		lstat := func() (FileInfo, error) { return from.lstat(from.name) }
		if slash {
			if was, err := lstat(); err != nil {
				return err
			} else if !was.IsDir() {
				return syscall.ENOTDIR
			}
		}
		there, _ := to.lstat(to.name)
		if err := overFolder(there, from.name == to.name, lstat); err != nil {
			return err
		}
		return from.with(syscall.SYS_RENAMEAT, to)
	})
}

func (r *Root) Link(oldname, newname string) error {
	return r.visitBoth("linkat", oldname, newname, needsFolder, func(from, to spot, _ bool) error {
		return from.with(syscall.SYS_LINKAT, to)
	})
}

func (r *Root) Symlink(oldname, newname string) error {
	make := func(s spot, _ bool) error { return s.symlink(oldname) }
	return onPaths("symlinkat", oldname, newname, r.walk(newname, needsFolder, spot.openFolder, make))
}

func (r *Root) ReadFile(name string) ([]byte, error) {
	f, err := r.Open(name)
	return f.contents(err)
}

func (r *Root) WriteFile(name string, data []byte, perm FileMode) error {
	f, err := r.OpenFile(name, O_CREATE|O_TRUNC|O_WRONLY, perm)
	return f.receive(data, err)
}

func (r *Root) FS() fs.FS { return (*rootFS)(r) }

// A rootFS takes the names of package fs only.
type rootFS Root

// inRootFS does something with such a name.
func inRootFS[T any](f *rootFS, op, name string, do func(*Root, string) (T, error)) (result T, err error) {
	if fs.ValidPath(name) {
		return do((*Root)(f), name)
	}
	return result, onPath(op, name, ErrInvalid)
}

func (f *rootFS) Open(name string) (fs.File, error) {
	file, err := inRootFS(f, "open", name, (*Root).Open)
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (f *rootFS) ReadDir(name string) ([]DirEntry, error) {
	return inRootFS(f, "readdir", name, func(r *Root, name string) ([]DirEntry, error) {
		folder, err := r.Open(name)
		return folder.sorted(err)
	})
}

func (f *rootFS) Stat(name string) (FileInfo, error) { return inRootFS(f, "stat", name, (*Root).Stat) }
func (f *rootFS) Lstat(name string) (FileInfo, error) {
	return inRootFS(f, "lstat", name, (*Root).Lstat)
}
func (f *rootFS) ReadLink(name string) (string, error) {
	return inRootFS(f, "readlink", name, (*Root).Readlink)
}
func (f *rootFS) ReadFile(name string) ([]byte, error) {
	return inRootFS(f, "readfile", name, (*Root).ReadFile)
}

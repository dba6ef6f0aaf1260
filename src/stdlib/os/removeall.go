package os

import (
	"io"
	"runtime"
	"syscall"
	"unsafe"
)

// Removing whole trees. All is named relative to open folders, so that paths may be longer than the kernel takes.

func RemoveAll(path string) error {
	if path == "" {
		return nil
	}
	if path[len(path)-1] == '.' && (len(path) == 1 || path[len(path)-2] == '/') {
		return &PathError{Op: "RemoveAll", Path: path, Err: syscall.EINVAL}
	}
	if err := Remove(path); err == nil || IsNotExist(err) {
		return nil
	}
	parent, base := splitPath(path)
	f, err := Open(parent)
	if IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return below(parent, removeAllAt(int(f.Fd()), base))
}

// splitPath gives the folder and the last element of a path.
func splitPath(path string) (parent, base string) {
	for len(path) > 1 && path[0] == '/' && path[1] == '/' {
		path = path[1:]
	}
	for len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	for i := len(path) - 2; i >= 0; i-- {
		if path[i] == '/' {
			return path[:max(i, 1)], path[i+1:]
		}
	}
	return ".", path
}

// below puts a folder before the path of an error.
func below(folder string, err error) error {
	if e, ok := err.(*PathError); ok {
		e.Path = folder + "/" + e.Path
	}
	return err
}

func unlinkAt(folder int, name string, flags uintptr) error {
	return again(func() error {
		_, err := callAt(syscall.SYS_UNLINKAT, folder, name, flags, 0, 0)
		return err
	})
}

// removeAllAt removes what the name in the open folder names.
func removeAllAt(folder int, base string) error {
	unlinkErr := unlinkAt(folder, base, 0)
	switch {
	case unlinkErr == nil || IsNotExist(unlinkErr):
		return nil
	case unlinkErr != syscall.EISDIR && unlinkErr != syscall.EPERM && unlinkErr != syscall.EACCES:
		return &PathError{Op: "unlinkat", Path: base, Err: unlinkErr}
	}
	// A folder, or something in a folder that must not be written.
	err := removeEntries(folder, base, unlinkErr)
	if err == errNoFolder {
		return &PathError{Op: "unlinkat", Path: base, Err: unlinkErr}
	}
	const removeDir = 0x200
	dirErr := unlinkAt(folder, base, removeDir)
	if dirErr == nil || IsNotExist(dirErr) {
		return nil
	}
	if err != nil {
		return err
	}
	return &PathError{Op: "unlinkat", Path: base, Err: dirErr}
}

var errNoFolder error = syscall.ENOTDIR

// removeEntries empties a folder, and gives the first error.
func removeEntries(parent int, base string, unlinkErr error) (first error) {
	const atATime = 1024
	for {
		f, err := openFolderAt(parent, base)
		switch {
		case IsNotExist(err):
			return nil
		case err == syscall.ENOTDIR && !isLink(parent, base):
			return errNoFolder
		case err == syscall.ENOTDIR:
			err = unlinkErr
		}
		if err != nil {
			return &PathError{Op: "openfdat", Path: base, Err: err}
		}
		for {
			names, err := f.Readdirnames(atATime)
			if err != nil && err != io.EOF {
				f.Close()
				if IsNotExist(err) {
					return nil
				}
				return &PathError{Op: "readdirnames", Path: base, Err: err}
			}
			failed := 0
			for _, name := range names {
				if err := below(base, removeAllAt(f.pfd.Sysfd, name)); err != nil {
					failed++
					if first == nil {
						first = err
					}
				}
			}
			if len(names) < atATime {
				f.Close()
				return first
			}
			if failed < atATime {
				break
			}
		}
		// What has been removed may have moved the other entries: from the start again.
		f.Close()
	}
}

func openFolderAt(parent int, name string) (*File, error) {
	fd := 0
	err := again(func() error {
		flags := uintptr(syscall.O_NOFOLLOW | syscall.O_CLOEXEC | syscall.O_DIRECTORY)
		r, err := callAt(syscall.SYS_OPENAT, parent, name, flags, 0, 0)
		fd = int(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	f := newFile(fd, name, keepMode, false)
	runtime.SetFinalizer(f.file, (*file).close)
	return f, nil
}

func isLink(folder int, name string) bool {
	stat := new(syscall.Stat_t)
	const notFollow = 0x100
	_, err := callAt(syscall.SYS_NEWFSTATAT, folder, name, uintptr(unsafe.Pointer(stat)), notFollow, 0)
	runtime.KeepAlive(stat)
	return err == nil && stat.Mode&syscall.S_IFMT == syscall.S_IFLNK
}

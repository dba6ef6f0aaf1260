package os

import (
	"io"
	"strings"
	"syscall"
)

// Removing whole trees. All is named relative to open folders, so that paths may be longer than the kernel takes.

func RemoveAll(path string) error {
	switch {
	case path == "":
		return nil
	case path == "." || strings.HasSuffix(path, "/."):
		return onPath("RemoveAll", path, syscall.EINVAL)
	}
	// Most often it is one file.
	if isGone(Remove(path)) {
		return nil
	}
	folder, base := cutBase(path)
	f, err := Open(folder)
	if err == nil {
		defer f.Close()
		err = below(folder, spot{int(f.Fd()), base}.removeAll())
	} else if IsNotExist(err) {
		err = nil
	}
	return err
}

// isGone tells whether something was removed, or had been.
func isGone(err error) bool { return err == nil || IsNotExist(err) }

// below puts a folder before the path of an error.
func below(folder string, err error) error {
	if e, ok := err.(*PathError); ok {
		e.Path = folder + "/" + e.Path
	}
	return err
}

// removeAll removes what is there, with all that is in it.
func (s spot) removeAll() error {
	asFile := s.unlink(0)
	if isGone(asFile) {
		return nil
	}
	fault := onPath("unlinkat", s.name, asFile)
	switch asFile {
	case syscall.EISDIR, syscall.EPERM, syscall.EACCES:
		// A folder, or something in a folder that must not be written.
	default:
		return fault
	}
	inside := s.empty(asFile)
	if inside == notFolder {
		return fault
	}
	asFolder := s.unlink(removeDir)
	switch {
	case isGone(asFolder):
		return nil
	case inside != nil:
		return inside
	}
	return onPath("unlinkat", s.name, asFolder)
}

var notFolder error = syscall.ENOTDIR

// empty removes what is in a folder, and gives the first error; notFolder if it is none. Why it could
// not be unlinked is the error to give for links.
func (s spot) empty(unlinked error) (first error) {
	const atATime = 1024
	for isOver := false; !isOver; {
		f, err := s.folderToRead()
		if err == syscall.ENOTDIR {
			if !s.isSymlink() {
				return notFolder
			}
			err = unlinked
		}
		if err != nil {
			if IsNotExist(err) {
				return nil
			}
			return onPath("openfdat", s.name, err)
		}
		// What has been removed may have moved the other entries: after some it starts again,
		// unless nothing of them could be removed.
		for stuck := true; stuck && !isOver; {
			names, err := f.Readdirnames(atATime)
			if err != nil && err != io.EOF {
				f.Close()
				if IsNotExist(err) {
					return nil
				}
				return onPath("readdirnames", s.name, err)
			}
			for _, name := range names {
				err := below(s.name, spot{f.pfd.Sysfd, name}.removeAll())
				stuck = stuck && err != nil
				if first == nil {
					first = err
				}
			}
			isOver = len(names) < atATime
		}
		f.Close()
	}
	return first
}

// folderToRead opens the folder, as something that closes itself when it is forgotten.
func (s spot) folderToRead() (*File, error) {
	if fd, err := s.open(syscall.O_DIRECTORY, 0); err != nil {
		return nil, err
	} else {
		return opened(fd, s.name, keepMode, false).closeWhenForgotten(), nil
	}
}

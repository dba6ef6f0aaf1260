package os

import (
	"slices"
	"strings"
	"syscall"
	"time"
)

// What is done to files and folders by their paths.

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

// joined is the path of a name in a folder.
func joined(folder, name string) string {
	if strings.HasSuffix(folder, "/") {
		return folder + name
	}
	return folder + "/" + name
}

// cutBase gives the folder and the last element of a path.
func cutBase(path string) (folder, base string) {
	base = strings.TrimRight(path, "/")
	if base == "" {
		return ".", path[:min(len(path), 1)]
	}
	folder = "."
	if at := strings.LastIndexByte(base, '/'); at >= 0 {
		folder, base = base[:at], base[at+1:]
		if path[0] == '/' {
			folder = "/" + strings.TrimLeft(folder, "/")
		}
	}
	return folder, base
}

func Chmod(name string, mode FileMode) error {
	return onPath("chmod", name, kernels(chmod(name, kernelMode(mode))))
}

func Mkdir(name string, perm FileMode) error {
	return onPath("mkdir", name, kernels(mkdir(name, kernelMode(perm))))
}

func Truncate(name string, size int64) error {
	return onPath("truncate", name, kernels(truncate(name, -1, size)))
}

func Chown(name string, uid, gid int) error {
	return onPath("chown", name, spot{here, name}.chown(uid, gid, 0))
}

func Lchown(name string, uid, gid int) error {
	return onPath("lchown", name, spot{here, name}.chown(uid, gid, notFollow))
}

func Chtimes(name string, atime time.Time, mtime time.Time) error {
	return onPath("chtimes", name, spot{here, name}.chtimes(atime, mtime, 0))
}

// Remove takes a file or an empty folder away.
func Remove(name string) error {
	err := eitherWay(func(asFolder bool) error { return kernels(remove(name, asFolder)) })
	return onPath("remove", name, err)
}

// MkdirAll looks upwards for a folder that is there, and makes those below it.
func MkdirAll(path string, perm FileMode) error {
	var lacking []string
	for at := path; ; {
		info, err := Stat(at)
		if err == nil && info.IsDir() {
			break
		}
		if err == nil {
			return onPath("mkdir", at, syscall.ENOTDIR)
		}
		lacking = append(lacking, at)
		above := strings.LastIndexByte(strings.TrimRight(at, "/"), '/')
		if above < 1 {
			break
		}
		at = at[:above]
	}
	for _, folder := range slices.Backward(lacking) {
		err := Mkdir(folder, perm)
		if err == nil {
			continue
		}
		// Somebody else may have made it meanwhile; and a path may end with a dot.
		if info, missing := Lstat(folder); missing != nil || !info.IsDir() {
			return err
		}
	}
	return nil
}

// Rename replaces files, never folders.
func Rename(oldpath, newpath string) error {
	there, _ := Lstat(newpath)
	was := func() (FileInfo, error) { return Lstat(oldpath) }
	err := overFolder(there, oldpath == newpath, was)
	if err == nil {
		err = kernels(rename(oldpath, newpath))
	}
	return onPaths("rename", oldpath, newpath, err)
}

func Link(oldname, newname string) error {
	return onPaths("link", oldname, newname, kernels(link(oldname, newname, false)))
}

func Symlink(oldname, newname string) error {
	return onPaths("symlink", oldname, newname, kernels(link(oldname, newname, true)))
}

func Readlink(name string) (string, error) {
	target, errno := readlink(name)
	return target, onPath("readlink", name, kernels(errno))
}

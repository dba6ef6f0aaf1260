package os

import (
	"io"
	"syscall"
)

// Folders and their entries.

// list gives the names in a folder, sorted.
func list(path string) (names []string, errno int)

type dirEntry struct {
	folder, name string
	info         FileInfo
}

func (d *dirEntry) Name() string            { return d.name }
func (d *dirEntry) IsDir() bool             { return d.info.IsDir() }
func (d *dirEntry) Type() FileMode          { return d.info.Mode().Type() }
func (d *dirEntry) Info() (FileInfo, error) { return Lstat(d.folder + "/" + d.name) }

func (d *dirEntry) String() string {
	if d.IsDir() {
		return "d " + d.name + "/"
	}
	return "- " + d.name
}

func ReadDir(name string) ([]DirEntry, error) {
	names, errno := list(name)
	if errno != 0 {
		return nil, pathError("open", name, errno)
	}
	entries := []DirEntry{}
	for _, n := range names {
		info, err := Lstat(name + "/" + n)
		if err != nil {
			if IsNotExist(err) {
				continue
			}
			return entries, err
		}
		entries = append(entries, &dirEntry{name, n, info})
	}
	return entries, nil
}

// file is shared by all copies of a File, and closed when none is left.
func (f *File) ReadDir(n int) ([]DirEntry, error) {
	if err := f.begin("readdir"); err != nil {
		return nil, err
	}
	defer f.end()
	entries, listed := f.listed.([]DirEntry)
	if !listed {
		var err error
		if entries, err = ReadDir(f.name); err != nil {
			if e, ok := err.(*PathError); ok && e.Err == syscall.ENOTDIR {
				e.Op = "readdirent"
			}
			return nil, err
		}
	}
	if n <= 0 {
		f.listed = entries[len(entries):]
		return entries, nil
	}
	n = min(n, len(entries))
	f.listed = entries[n:]
	if n == 0 {
		return entries[:0], io.EOF
	}
	return entries[:n], nil
}

func (f *File) Readdir(n int) ([]FileInfo, error) {
	entries, err := f.ReadDir(n)
	var infos []FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			infos = append(infos, info)
		}
	}
	return infos, err
}

func (f *File) Readdirnames(n int) (names []string, err error) {
	entries, err := f.ReadDir(n)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

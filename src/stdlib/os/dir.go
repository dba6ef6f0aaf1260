package os

import (
	"bytes"
	"cmp"
	"internal/testlog"
	"io"
	"io/fs"
	"slices"
	"sync"
	"syscall"
	"unsafe"
)

// Folders and their entries.

// A unixDirent is an entry as a folder lists it.
type unixDirent struct {
	parent string
	name   string
	typ    FileMode
	info   FileInfo // where the kernel did not tell the type
}

func (entry *unixDirent) String() string { return fs.FormatDirEntry(entry) }
func (entry *unixDirent) Name() string   { return entry.name }
func (entry *unixDirent) Type() FileMode { return entry.typ }
func (entry *unixDirent) IsDir() bool    { return entry.typ.IsDir() }

func (entry *unixDirent) Info() (FileInfo, error) {
	if entry.info == nil {
		return Lstat(entry.parent + "/" + entry.name)
	}
	return entry.info, nil
}

// A listing is how far the entries of an open folder have been read.
type listing struct {
	mu  sync.Mutex
	buf []byte // whole entries that are to be given out, a part of all
	all []byte // made when the first are read
}

// listings guards the listing of every file, not what is in it.
var listings sync.Mutex

func (f *file) theListing() *listing {
	listings.Lock()
	defer listings.Unlock()
	l, ok := f.listing.(*listing)
	if !ok {
		l = new(listing)
		f.listing = l
	}
	return l
}

// forgetListing lets the next read begin where the descriptor stands.
func (f *file) forgetListing() {
	listings.Lock()
	f.listing = nil
	listings.Unlock()
}

const unknownType = ^FileMode(0)

// An entry is what the kernel tells of one.
type entry struct {
	name string
	typ  FileMode
}

// fetch reads more entries into buf; at the end there are none.
func (l *listing) fetch(fd int) (err error) {
	if l.all == nil {
		l.all = make([]byte, 8192)
	}
	size, interrupted := 0, true
	for interrupted {
		size, err = syscall.ReadDirent(fd, l.all)
		interrupted = err == syscall.EINTR
	}
	l.buf = l.all[:max(size, 0)]
	return err
}

// take gives out the next entry, one without a name at the end.
func (l *listing) take(fd int) (e entry, err error) {
	const sizeAt, kindAt, nameAt = 16, 18, int(unsafe.Offsetof(syscall.Dirent{}.Name))
	for e.name == "" || e.name == "." || e.name == ".." {
		if len(l.buf) == 0 {
			err = l.fetch(fd)
		}
		if err != nil || len(l.buf) <= nameAt {
			l.buf = nil
			return entry{}, err
		}
		size := int(l.buf[sizeAt]) | int(l.buf[sizeAt+1])<<8
		if size <= nameAt || size > len(l.buf) {
			l.buf = nil
			return entry{}, nil
		}
		// The kernel tells kinds by the bits that are in modes.
		e.typ = unknownType
		if kind := l.buf[kindAt]; kind != syscall.DT_UNKNOWN && int(kind) < len(kinds) {
			e.typ = kinds[kind]
		}
		name, _, _ := bytes.Cut(l.buf[nameAt:size], []byte{0})
		e.name = string(name)
		l.buf = l.buf[size:]
	}
	return e, nil
}

// list makes something of the next n entries, or of all that are left if n is not positive. What has
// gone meanwhile does not count. It gives EOF if n entries were asked for and there are none.
func list[T any](f *File, n int, make func(entry) (T, error)) (made []T, err error) {
	if f == nil {
		return nil, ErrInvalid
	}
	made = []T{}
	if err := f.pfd.Begin(); err != nil {
		return made, f.wrap("readdirent", inOtherWords(err))
	}
	defer f.pfd.End()
	l := f.theListing()
	l.mu.Lock()
	defer l.mu.Unlock()
	for n <= 0 || len(made) < n {
		e, err := l.take(f.pfd.Sysfd)
		if err != nil {
			return made, f.wrap("readdirent", err)
		}
		if e.name == "" {
			if n > 0 && len(made) == 0 {
				return made, io.EOF
			}
			break
		}
		switch one, err := make(e); {
		case err == nil:
			made = append(made, one)
		case !IsNotExist(err):
			return made, err
		}
	}
	return made, nil
}

// describe describes a file in the open folder, not following links.
func (f *File) describe(e entry) (FileInfo, error) {
	path := joined(f.name, e.name)
	if testlog.IsOn {
		testlog.Note("stat", path)
	}
	info, err := spot{f.pfd.Sysfd, e.name}.lstat(e.name)
	return info, onPath("fstatat", f.name+"/"+e.name, err)
}

func (f *File) ReadDir(n int) ([]DirEntry, error) {
	return list(f, n, func(e entry) (DirEntry, error) {
		d := unixDirent{parent: f.name, name: e.name, typ: e.typ}
		var err error
		if f.ofRoot || d.typ == unknownType {
			if d.info, err = f.describe(e); err == nil {
				d.typ = d.info.Mode().Type()
			}
		}
		return &d, err
	})
}

func (f *File) Readdir(n int) ([]FileInfo, error) { return list(f, n, f.describe) }

func (f *File) Readdirnames(n int) (names []string, err error) {
	return list(f, n, func(e entry) (string, error) { return e.name, nil })
}

func byName(a, b DirEntry) int { return cmp.Compare(a.Name(), b.Name()) }

// sorted are all entries of a folder that was just opened, by name; it is closed then.
func (f *File) sorted(err error) (entries []DirEntry, _ error) {
	if err == nil {
		entries, err = f.ReadDir(-1)
		slices.SortFunc(entries, byName)
		f.Close()
	}
	return entries, err
}

// ReadDir gives the entries sorted by name.
func ReadDir(name string) ([]DirEntry, error) {
	f, err := OpenFile(name, syscall.O_DIRECTORY, 0)
	return f.sorted(err)
}

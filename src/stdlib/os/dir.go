package os

import (
	"cmp"
	"internal/testlog"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"unsafe"
)

// Folders and their entries.

type dirEntry struct {
	parent string
	name   string
	typ    FileMode
	info   FileInfo // where the kernel did not tell the type
}

func (d *dirEntry) Name() string   { return d.name }
func (d *dirEntry) IsDir() bool    { return d.typ.IsDir() }
func (d *dirEntry) Type() FileMode { return d.typ }
func (d *dirEntry) String() string { return fs.FormatDirEntry(d) }

func (d *dirEntry) Info() (FileInfo, error) {
	if d.info != nil {
		return d.info, nil
	}
	return Lstat(d.parent + "/" + d.name)
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

var entryTypes = [...]FileMode{
	syscall.DT_FIFO: ModeNamedPipe,
	syscall.DT_CHR:  ModeDevice | ModeCharDevice,
	syscall.DT_DIR:  ModeDir,
	syscall.DT_BLK:  ModeDevice,
	syscall.DT_REG:  0,
	syscall.DT_LNK:  ModeSymlink,
	syscall.DT_SOCK: ModeSocket,
}

// take gives out the next entry, "" at the end.
func (l *listing) take(fd int) (name string, typ FileMode, err error) {
	const nameAt = unsafe.Offsetof(syscall.Dirent{}.Name)
	for {
		if len(l.buf) == 0 {
			if l.all == nil {
				l.all = make([]byte, 8192)
			}
			n := 0
			err := again(func() (err error) {
				n, err = syscall.ReadDirent(fd, l.all)
				return err
			})
			if err != nil || n <= 0 {
				return "", 0, err
			}
			l.buf = l.all[:n]
		}
		size := 0
		if len(l.buf) > int(nameAt) {
			size = int(l.buf[16]) | int(l.buf[17])<<8
		}
		if size <= int(nameAt) || size > len(l.buf) {
			l.buf = nil
			return "", 0, nil
		}
		kind, text := l.buf[18], l.buf[nameAt:size]
		l.buf = l.buf[size:]
		for i, c := range text {
			if c == 0 {
				text = text[:i]
				break
			}
		}
		if name := string(text); name != "." && name != ".." && name != "" {
			typ = unknownType
			if kind != syscall.DT_UNKNOWN && int(kind) < len(entryTypes) {
				typ = entryTypes[kind]
			}
			return name, typ, nil
		}
	}
}

// each calls add with the next n entries, or with all that are left if n is not positive; add tells whether it counts. It
// gives EOF if n entries were asked for and there are none.
func (f *File) each(n int, add func(name string, typ FileMode) (bool, error)) error {
	if f == nil {
		return ErrInvalid
	}
	if err := f.begin("readdir"); err != nil {
		return err
	}
	defer f.end()
	l := f.theListing()
	l.mu.Lock()
	defer l.mu.Unlock()
	added := 0
	for n <= 0 || added < n {
		name, typ, err := l.take(f.pfd.Sysfd)
		if err != nil {
			return &PathError{Op: "readdirent", Path: f.name, Err: err}
		}
		if name == "" {
			if n > 0 && added == 0 {
				return io.EOF
			}
			return nil
		}
		counts, err := add(name, typ)
		if err != nil && !IsNotExist(err) { // it may have gone meanwhile
			return err
		}
		if counts {
			added++
		}
	}
	return nil
}

// lstatAt describes a file in the open folder, not following links.
func (f *File) lstatAt(name string) (FileInfo, error) {
	if testlog.IsOn {
		testlog.Note("stat", joined(f.name, name))
	}
	info, err := statOf("fstatat", name, func(name string, stat *syscall.Stat_t) error {
		const notFollow = 0x100
		_, err := callAt(syscall.SYS_NEWFSTATAT, f.pfd.Sysfd, name, uintptr(unsafe.Pointer(stat)), notFollow, 0)
		runtime.KeepAlive(stat)
		return err
	})
	return info, named(err, f.name+"/"+name)
}

func (f *File) ReadDir(n int) ([]DirEntry, error) {
	var entries []DirEntry
	err := f.each(n, func(name string, typ FileMode) (bool, error) {
		e := &dirEntry{parent: f.name, name: name, typ: typ}
		if typ == unknownType || f.inRoot {
			info, err := f.lstatAt(name)
			if err != nil {
				return false, err
			}
			e.typ, e.info = info.Mode().Type(), info
		}
		entries = append(entries, e)
		return true, nil
	})
	if entries == nil && f != nil {
		entries = []DirEntry{}
	}
	return entries, err
}

func (f *File) Readdir(n int) ([]FileInfo, error) {
	var infos []FileInfo
	err := f.each(n, func(name string, _ FileMode) (bool, error) {
		info, err := f.lstatAt(name)
		if err != nil {
			return false, err
		}
		infos = append(infos, info)
		return true, nil
	})
	if infos == nil && f != nil {
		infos = []FileInfo{}
	}
	return infos, err
}

func (f *File) Readdirnames(n int) (names []string, err error) {
	err = f.each(n, func(name string, _ FileMode) (bool, error) {
		names = append(names, name)
		return true, nil
	})
	if names == nil && f != nil {
		names = []string{}
	}
	return names, err
}

// ReadDir gives the entries sorted by name.
func ReadDir(name string) ([]DirEntry, error) {
	f, err := OpenFile(name, O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

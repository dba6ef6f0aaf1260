package os

import (
	"errors"
	"internal/poll"
	"internal/testlog"
	"io"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// Open files: descriptors that internal/poll counts the uses of.

func fsync(fd int) (errno int)

// modesOf tells whether writes go to the end, and whether the descriptor is in non-blocking mode.
func modesOf(fd int) (appends, nonblocking bool)

const (
	O_RDONLY int = syscall.O_RDONLY
	O_WRONLY int = syscall.O_WRONLY
	O_RDWR   int = syscall.O_RDWR
	O_APPEND int = syscall.O_APPEND
	O_CREATE int = syscall.O_CREAT
	O_EXCL   int = syscall.O_EXCL
	O_SYNC   int = syscall.O_SYNC
	O_TRUNC  int = syscall.O_TRUNC
)

const (
	SEEK_SET int = 0
	SEEK_CUR int = 1
	SEEK_END int = 2
)

type file struct {
	pfd        poll.FD
	name       string
	nonblock   bool // made so by us, and to be undone when the descriptor is given out
	appendMode bool
	inRoot     bool // opened by a Root: entries of folders are described when they are read
	listing    any  // the *listing of a folder that is being read; any, so that programs without folders do not need that type
}

type File struct {
	*file
}

// What newFile is to do with a descriptor that is in blocking mode: leave it so, or try the poller.
const (
	keepMode  = 0
	tryPoller = 1
)

func fileOf(fd int, name string) *File {
	f := &File{&file{name: name}}
	f.pfd.Sysfd, f.pfd.IsStream, f.pfd.ZeroReadIsEOF, f.pfd.Closed = fd, true, true, ErrClosed
	return f
}

// newFile makes a File of a descriptor that we have opened: it goes into the poller if the kernel can tell when it is ready.
func newFile(fd int, name string, how int, nonblocking bool) *File {
	f := fileOf(fd, name)
	ours := false
	if how == tryPoller && !nonblocking {
		ours = syscall.SetNonblock(fd, true) == nil
	}
	f.nonblock = ours
	if f.pfd.Init(ours || nonblocking) != nil && ours {
		syscall.SetNonblock(fd, false)
		f.nonblock = false
	}
	return f
}

func NewFile(fd uintptr, name string) *File {
	if int(fd) < 0 {
		return nil
	}
	f := givenFile(int(fd), name)
	if fd > 2 {
		runtime.SetFinalizer(f.file, (*file).close)
	}
	return f
}

// givenFile makes a File of a descriptor that was given to us: it goes into the poller only if it is in non-blocking mode already, since its
// mode may be shared with other processes.
func givenFile(fd int, name string) *File {
	f := fileOf(fd, name)
	appends, nonblocking := modesOf(fd)
	f.appendMode = appends
	f.pfd.Init(nonblocking)
	return f
}

// newSocketFile is for package net: the socket is in non-blocking mode until its descriptor is asked for.
func newSocketFile(fd int, name string) *File {
	f := newFile(fd, name, keepMode, true)
	f.nonblock = true
	runtime.SetFinalizer(f.file, (*file).close)
	return f
}

var (
	Stdin  = givenFile(0, "/dev/stdin")
	Stdout = givenFile(1, "/dev/stdout")
	Stderr = givenFile(2, "/dev/stderr")
)

func Open(name string) (*File, error)   { return OpenFile(name, O_RDONLY, 0) }
func Create(name string) (*File, error) { return OpenFile(name, O_RDWR|O_CREATE|O_TRUNC, 0666) }

func OpenFile(name string, flag int, perm FileMode) (*File, error) {
	testlog.Note("open", name)
	fd, err := syscall.Open(name, flag|syscall.O_CLOEXEC, syscallMode(perm))
	if err != nil {
		return nil, &PathError{Op: "open", Path: name, Err: err}
	}
	return openedFile(fd, name, flag), nil
}

// openedFile makes a File of what was opened with these flags.
func openedFile(fd int, name string, flag int) *File {
	// Regular files are always ready, so the poller has no use for them.
	how := tryPoller
	var stat syscall.Stat_t
	if syscall.Fstat(fd, &stat) == nil {
		if kind := stat.Mode & syscall.S_IFMT; kind == syscall.S_IFREG || kind == syscall.S_IFDIR {
			how = keepMode
			poll.MakePoller()
		}
	}
	f := newFile(fd, name, how, how == tryPoller && flag&syscall.O_NONBLOCK != 0)
	f.appendMode = flag&O_APPEND != 0
	runtime.SetFinalizer(f.file, (*file).close)
	return f
}

func Pipe() (r *File, w *File, err error) {
	var p [2]int
	if err := syscall.Pipe2(p[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, NewSyscallError("pipe2", err)
	}
	r, w = newFile(p[0], "|0", tryPoller, false), newFile(p[1], "|1", tryPoller, false)
	runtime.SetFinalizer(r.file, (*file).close)
	runtime.SetFinalizer(w.file, (*file).close)
	return r, w, nil
}

func (f *file) close() error {
	if f == nil {
		return syscall.EINVAL
	}
	err := f.pfd.Close()
	if f.pfd.Sysfd != 1 && f.pfd.Sysfd != 2 {
		runtime.SetFinalizer(f, nil)
	}
	if err != nil {
		return &PathError{Op: "close", Path: f.name, Err: err}
	}
	return nil
}

// begin announces a use of the descriptor, which end ends.
func (f *File) begin(op string) error {
	if f == nil {
		return ErrInvalid
	}
	if err := f.pfd.Begin(); err != nil {
		return f.wrap(op, err)
	}
	return nil
}

func (f *File) end() { f.pfd.End() }

// wrap puts the file's name around an error, but for EOF.
func (f *File) wrap(op string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &PathError{Op: op, Path: f.name, Err: err}
}

func (f *File) Name() string { return f.name }

func (f *File) Fd() uintptr {
	if f == nil {
		return ^uintptr(0)
	}
	if f.nonblock {
		f.pfd.SetBlocking()
	}
	return uintptr(f.pfd.Sysfd)
}

func (f *File) Read(b []byte) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	n, err = f.pfd.Read(b)
	if err != nil {
		err = f.wrap("read", err)
	}
	return n, err
}

func (f *File) ReadAt(b []byte, off int64) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return f.allAt("read", b, off, f.pfd.Pread)
}

// allAt reads or writes all of b at one place, piece by piece.
func (f *File) allAt(op string, b []byte, off int64, piece func([]byte, int64) (int, error)) (n int, err error) {
	if off < 0 {
		return 0, &PathError{Op: op + "at", Path: f.name, Err: errors.New("negative offset")}
	}
	for err == nil && n < len(b) {
		var m int
		m, err = piece(b[n:], off+int64(n))
		n += m
	}
	if err != nil {
		err = f.wrap(op, err)
	}
	return n, err
}

func (f *File) ReadFrom(r io.Reader) (n int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return io.Copy(onlyWriter{f}, r)
}

func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return io.Copy(w, onlyReader{f})
}

// A File without ReadFrom and WriteTo.
type (
	onlyWriter struct{ f *File }
	onlyReader struct{ f *File }
)

func (o onlyWriter) Write(b []byte) (int, error) { return o.f.Write(b) }
func (o onlyReader) Read(b []byte) (int, error)  { return o.f.Read(b) }

func (f *File) Write(b []byte) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	n, err = f.pfd.Write(b)
	if err != nil {
		err = f.wrap("write", err)
	}
	return n, err
}

var errAppends = errors.New("os: invalid use of WriteAt on file opened with O_APPEND")

func (f *File) WriteAt(b []byte, off int64) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	if f.appendMode {
		return 0, errAppends
	}
	return f.allAt("write", b, off, f.pfd.Pwrite)
}

// WriteString has no copy made of what is only read.
func (f *File) WriteString(s string) (n int, err error) {
	return f.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

func (f *File) Seek(offset int64, whence int) (ret int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	f.forgetListing()
	ret, err = f.pfd.Seek(offset, whence)
	if err != nil {
		return 0, f.wrap("seek", err)
	}
	return ret, nil
}

func (f *File) Close() error {
	if f == nil {
		return ErrInvalid
	}
	return f.file.close()
}

func (f *File) Stat() (FileInfo, error) {
	if err := f.begin("stat"); err != nil {
		return nil, err
	}
	defer f.end()
	return statOf("stat", f.name, func(_ string, stat *syscall.Stat_t) error {
		return syscall.Fstat(f.pfd.Sysfd, stat)
	})
}

func (f *File) Sync() error {
	if err := f.begin("sync"); err != nil {
		return err
	}
	defer f.end()
	return pathError("sync", f.name, fsync(f.pfd.Sysfd))
}

func (f *File) Truncate(size int64) error {
	if err := f.begin("truncate"); err != nil {
		return err
	}
	defer f.end()
	return pathError("truncate", f.name, truncate("", f.pfd.Sysfd, size))
}

// call makes a system call on the descriptor.
func (f *File) call(op string, trap, a, b uintptr) error {
	if err := f.begin(op); err != nil {
		return err
	}
	defer f.end()
	_, _, errno := syscall.RawSyscall(trap, uintptr(f.pfd.Sysfd), a, b)
	return pathError(op, f.name, int(errno))
}

func (f *File) Chmod(mode FileMode) error {
	return f.call("chmod", syscall.SYS_FCHMOD, uintptr(syscallMode(mode)), 0)
}

func (f *File) Chown(uid, gid int) error {
	return f.call("chown", syscall.SYS_FCHOWN, uintptr(uid), uintptr(gid))
}

func (f *File) Chdir() error {
	if err := f.call("chdir", syscall.SYS_FCHDIR, 0, 0); err != nil {
		return err
	}
	noteFolder()
	return nil
}

func (f *File) SetDeadline(t time.Time) error { return f.deadline(t, (*poll.FD).SetDeadline) }

func (f *File) SetReadDeadline(t time.Time) error { return f.deadline(t, (*poll.FD).SetReadDeadline) }

func (f *File) SetWriteDeadline(t time.Time) error {
	return f.deadline(t, (*poll.FD).SetWriteDeadline)
}

func (f *File) deadline(t time.Time, set func(*poll.FD, time.Time) error) error {
	if f == nil {
		return ErrInvalid
	}
	return inOtherWords(set(&f.pfd, t))
}

// inOtherWords words a closed file as internal/poll does, of which Go says nothing better here.
func inOtherWords(err error) error {
	if err == ErrClosed {
		return poll.ErrFileClosing
	}
	return err
}

func (f *File) SyscallConn() (syscall.RawConn, error) {
	if f == nil {
		return nil, ErrInvalid
	}
	return &rawConn{f}, nil
}

type rawConn struct{ f *File }

func (c *rawConn) Control(f func(uintptr)) error {
	return inOtherWords(c.f.pfd.RawControl(f))
}

func (c *rawConn) Read(f func(uintptr) bool) error {
	return inOtherWords(c.f.pfd.RawRead(f))
}

func (c *rawConn) Write(f func(uintptr) bool) error {
	return inOtherWords(c.f.pfd.RawWrite(f))
}

func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.readAll()
}

func (f *File) readAll() ([]byte, error) {
	size := 512
	if info, err := f.Stat(); err == nil && info.Size() < 1<<40 {
		size = max(size, int(info.Size())+1)
	}
	data := make([]byte, 0, size)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return data, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func WriteFile(name string, data []byte, perm FileMode) error {
	f, err := OpenFile(name, O_WRONLY|O_CREATE|O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err1 := f.Close(); err1 != nil && err == nil {
		err = err1
	}
	return err
}

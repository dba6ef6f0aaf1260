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
	pfd      poll.FD
	name     string
	nonblock bool // made so by us, and to be undone when the descriptor is given out
	appends  bool
	ofRoot   bool // opened by a Root: entries of folders are described when they are read
	listing  any  // the *listing of a folder that is being read; any, so that programs without folders do not need that type
}

type File struct {
	*file
}

// What opened is to do with a descriptor that is in blocking mode: leave it so, or try the poller.
const (
	keepMode = iota
	tryPoller
)

func fileOf(fd int, name string) *File {
	f := &File{&file{name: name}}
	p := &f.pfd
	p.Sysfd, p.Closed = fd, ErrClosed
	p.IsStream, p.ZeroReadIsEOF = true, true
	return f
}

// opened makes a File of a descriptor that we have opened: it goes into the poller if the kernel can tell when it is ready.
func opened(fd int, name string, how int, nonblocking bool) *File {
	f := fileOf(fd, name)
	if how == tryPoller && !nonblocking {
		f.nonblock = syscall.SetNonblock(fd, true) == nil
	}
	if err := f.pfd.Init(nonblocking || f.nonblock); err != nil && f.nonblock {
		f.nonblock = false
		syscall.SetNonblock(fd, false)
	}
	return f
}

// closeWhenForgotten has a file closed when nobody has it any more.
func (f *File) closeWhenForgotten() *File {
	runtime.SetFinalizer(f.file, (*file).close)
	return f
}

func NewFile(fd uintptr, name string) *File {
	switch n := int(fd); {
	case n < 0:
		return nil
	case n <= 2:
		return givenFile(n, name)
	default:
		return givenFile(n, name).closeWhenForgotten()
	}
}

// givenFile makes a File of a descriptor that was given to us: it goes into the poller only if it is in non-blocking mode already, since its
// mode may be shared with other processes.
func givenFile(fd int, name string) *File {
	f := fileOf(fd, name)
	var nonblocking bool
	f.appends, nonblocking = modesOf(fd)
	f.pfd.Init(nonblocking)
	return f
}

// newSocketFile is for package net: the socket is in non-blocking mode until its descriptor is asked for.
func newSocketFile(fd int, name string) *File {
	f := opened(fd, name, keepMode, true)
	f.nonblock = true
	return f.closeWhenForgotten()
}

var (
	Stdin  = givenFile(0, "/dev/stdin")
	Stdout = givenFile(1, "/dev/stdout")
	Stderr = givenFile(2, "/dev/stderr")
)

func Open(name string) (*File, error)   { return OpenFile(name, O_RDONLY, 0) }
func Create(name string) (*File, error) { return OpenFile(name, O_CREATE|O_TRUNC|O_RDWR, 0666) }

func OpenFile(name string, flag int, perm FileMode) (*File, error) {
	testlog.Note("open", name)
	fd, err := syscall.Open(name, syscall.O_CLOEXEC|flag, kernelMode(perm))
	if err == nil {
		return byFlags(fd, name, flag), nil
	}
	return nil, &PathError{"open", name, err}
}

// byFlags makes a File of what was opened with these flags.
func byFlags(fd int, name string, flag int) *File {
	how, nonblocking := tryPoller, flag&syscall.O_NONBLOCK != 0
	var stat syscall.Stat_t
	if syscall.Fstat(fd, &stat) == nil {
		switch stat.Mode & syscall.S_IFMT {
		case syscall.S_IFDIR, syscall.S_IFREG:
			// These are always ready, so the poller has no use for them.
			how, nonblocking = keepMode, false
			poll.MakePoller()
		}
	}
	f := opened(fd, name, how, nonblocking)
	f.appends = flag&O_APPEND != 0
	return f.closeWhenForgotten()
}

func Pipe() (r *File, w *File, err error) {
	ends := make([]int, 2)
	if err = syscall.Pipe2(ends, syscall.O_CLOEXEC); err == nil {
		r = opened(ends[0], "|0", tryPoller, false).closeWhenForgotten()
		w = opened(ends[1], "|1", tryPoller, false).closeWhenForgotten()
	}
	return r, w, NewSyscallError("pipe2", err)
}

func (f *file) close() error {
	if f == nil {
		return syscall.EINVAL
	}
	err := onPath("close", f.name, f.pfd.Close())
	switch f.pfd.Sysfd {
	case 1, 2: // they had no finalizer
	default:
		runtime.SetFinalizer(f, nil)
	}
	return err
}

// wrap puts the file's name around an error, but for EOF.
func (f *File) wrap(op string, err error) error {
	if err == io.EOF {
		return err
	}
	return onPath(op, f.name, err)
}

// use does something with the descriptor, which is not closed meanwhile.
func (f *File) use(op string, do func(fd int) error) error {
	if f == nil {
		return ErrInvalid
	}
	err := f.pfd.Begin()
	if err == nil {
		defer f.pfd.End()
		err = do(f.pfd.Sysfd)
	}
	return f.wrap(op, err)
}

func (f *File) Name() string { return f.name }

func (f *File) Fd() uintptr {
	switch {
	case f == nil:
		return ^uintptr(0)
	case f.nonblock:
		f.pfd.SetBlocking()
	}
	return uintptr(f.pfd.Sysfd)
}

func (f *File) Read(b []byte) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	if n, err = f.pfd.Read(b); err != nil {
		err = f.wrap("read", err)
	}
	return n, err
}

func (f *File) Write(b []byte) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	if n, err = f.pfd.Write(b); err != nil {
		err = f.wrap("write", err)
	}
	return n, err
}

// WriteString has no copy made of what is only read.
func (f *File) WriteString(s string) (n int, err error) {
	return f.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

func (f *File) ReadAt(b []byte, off int64) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return f.transfer("read", f.pfd.Pread, b, off)
}

var errAppends = errors.New("os: invalid use of WriteAt on file opened with O_APPEND")

func (f *File) WriteAt(b []byte, off int64) (n int, err error) {
	switch {
	case f == nil:
		return 0, ErrInvalid
	case f.appends:
		return 0, errAppends
	}
	return f.transfer("write", f.pfd.Pwrite, b, off)
}

// transfer reads or writes all of b at one place, piece by piece.
func (f *File) transfer(
	op string, piece func(b []byte, at int64) (int, error), b []byte, off int64,
) (done int, err error) {
	if off < 0 {
		return 0, onPath(op+"at", f.name, errors.New("negative offset"))
	}
	for done < len(b) && err == nil {
		var n int
		n, err = piece(b[done:], off+int64(done))
		done += n
	}
	return done, f.wrap(op, err)
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

func (f *File) Seek(offset int64, whence int) (ret int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	f.forgetListing()
	if ret, err = f.pfd.Seek(offset, whence); err != nil {
		ret, err = 0, f.wrap("seek", err)
	}
	return ret, err
}

func (f *File) Close() (err error) {
	if err = ErrInvalid; f != nil {
		err = f.file.close()
	}
	return err
}

func (f *File) Stat() (FileInfo, error) {
	if f == nil {
		return nil, ErrInvalid
	}
	var info fileStat
	err := f.pfd.Begin()
	if err == nil {
		err = again(func() error { return syscall.Fstat(f.pfd.Sysfd, &info.sys) })
		f.pfd.End()
	}
	return info.told("stat", f.name, err)
}

func (f *File) Sync() error {
	return f.use("sync", func(fd int) error { return kernels(fsync(fd)) })
}

func (f *File) Truncate(size int64) error {
	return f.use("truncate", func(fd int) error { return kernels(truncate("", fd, size)) })
}

// call makes a system call on the descriptor.
func (f *File) call(op string, trap, a, b uintptr) error {
	return f.use(op, func(fd int) error {
		_, _, errno := syscall.RawSyscall(trap, uintptr(fd), a, b)
		return kernels(int(errno))
	})
}

func (f *File) Chmod(mode FileMode) error {
	return f.call("chmod", syscall.SYS_FCHMOD, uintptr(kernelMode(mode)), 0)
}

func (f *File) Chown(uid, gid int) error {
	return f.call("chown", syscall.SYS_FCHOWN, uintptr(uid), uintptr(gid))
}

func (f *File) Chdir() error {
	err := f.call("chdir", syscall.SYS_FCHDIR, 0, 0)
	if err == nil {
		noteFolder()
	}
	return err
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
	return f.contents(err)
}

// contents is all that is in a file that was just opened, which is closed then.
func (f *File) contents(err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := int64(511)
	if info, err := f.Stat(); err == nil && info.Size() < 1<<40 {
		size = max(size, info.Size())
	}
	data, n := make([]byte, size+1), 0 // one more, to see the end
	for err == nil {
		if n == len(data) {
			data = append(data, make([]byte, n)...)
		}
		var more int
		more, err = f.Read(data[n:])
		n += more
	}
	if err == io.EOF {
		err = nil
	}
	return data[:n], err
}

func WriteFile(name string, data []byte, perm FileMode) error {
	f, err := OpenFile(name, O_CREATE|O_TRUNC|O_WRONLY, perm)
	return f.receive(data, err)
}

// receive writes all to a file that was just opened, and closes it.
func (f *File) receive(data []byte, err error) error {
	if err == nil {
		_, err = f.Write(data)
		closed := f.Close()
		if err == nil {
			err = closed
		}
	}
	return err
}

// Package syscall: the kernel's error numbers and a few of its calls.
package syscall

import "io/fs"

// Natives. Each gives the kernel's error number, 0 for none.
func sysRead(fd int, p []byte) (n int, errno int)
func sysWrite(fd int, p []byte) (n int, errno int)
func sysPread(fd int, p []byte, offset int64) (n int, errno int)
func sysPwrite(fd int, p []byte, offset int64) (n int, errno int)
func sysOpen(path string, flags int, perm uint32) (fd int, errno int)
func sysClose(fd int) (errno int)
func sysSeek(fd int, offset int64, whence int) (pos int64, errno int)
func sysPipe() (r, w int, errno int)
func sysKill(pid int, signal int) (errno int)
func sysNanosleep(ns int64) (errno int)
func sysGetpid() int

// errorText is the kernel's message for an error number, "" for an unknown one.
func errorText(errno int) string

type Errno uintptr

func (e Errno) Error() string {
	if text := errorText(int(e)); text != "" {
		return text
	}
	return "errno " + itoa(int(e))
}

func itoa(n int) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func (e Errno) Is(target error) bool {
	switch target {
	case fs.ErrPermission:
		return e == EACCES || e == EPERM
	case fs.ErrExist:
		return e == EEXIST || e == ENOTEMPTY
	case fs.ErrNotExist:
		return e == ENOENT
	}
	return false
}

func (e Errno) Temporary() bool { return e == EINTR || e == EMFILE || e == ENFILE || e.Timeout() }
func (e Errno) Timeout() bool   { return e == EAGAIN || e == ETIMEDOUT }

const (
	EPERM     = Errno(1)
	ENOENT    = Errno(2)
	ESRCH     = Errno(3)
	EINTR     = Errno(4)
	EIO       = Errno(5)
	EBADF     = Errno(9)
	ECHILD    = Errno(10)
	EAGAIN    = Errno(11)
	ENOMEM    = Errno(12)
	EACCES    = Errno(13)
	EFAULT    = Errno(14)
	EBUSY     = Errno(16)
	EEXIST    = Errno(17)
	EXDEV     = Errno(18)
	ENOTDIR   = Errno(20)
	EISDIR    = Errno(21)
	EINVAL    = Errno(22)
	ENFILE    = Errno(23)
	EMFILE    = Errno(24)
	ENOSPC    = Errno(28)
	ESPIPE    = Errno(29)
	EROFS     = Errno(30)
	EPIPE     = Errno(32)
	ERANGE    = Errno(34)
	ENOSYS    = Errno(38)
	ENOTEMPTY = Errno(39)
	ELOOP     = Errno(40)
	ETIMEDOUT = Errno(110)
)

const (
	Stdin  = 0
	Stdout = 1
	Stderr = 2
)

const (
	O_RDONLY  = 0x0
	O_WRONLY  = 0x1
	O_RDWR    = 0x2
	O_CREAT   = 0x40
	O_EXCL    = 0x80
	O_TRUNC   = 0x200
	O_APPEND  = 0x400
	O_SYNC    = 0x101000
	O_CLOEXEC = 0x80000
)

type Signal int

const (
	SIGHUP  = Signal(1)
	SIGINT  = Signal(2)
	SIGQUIT = Signal(3)
	SIGABRT = Signal(6)
	SIGKILL = Signal(9)
	SIGUSR1 = Signal(10)
	SIGSEGV = Signal(11)
	SIGUSR2 = Signal(12)
	SIGPIPE = Signal(13)
	SIGALRM = Signal(14)
	SIGTERM = Signal(15)
	SIGCHLD = Signal(17)
	SIGCONT = Signal(18)
	SIGSTOP = Signal(19)
	SIGURG  = Signal(23)
)

var signalNames = map[Signal]string{
	SIGHUP: "hangup", SIGINT: "interrupt", SIGQUIT: "quit", SIGABRT: "aborted", SIGKILL: "killed", SIGUSR1: "user defined signal 1",
	SIGSEGV: "segmentation fault", SIGUSR2: "user defined signal 2", SIGPIPE: "broken pipe", SIGALRM: "alarm clock", SIGTERM: "terminated",
	SIGCHLD: "child exited", SIGCONT: "continued", SIGSTOP: "stopped (signal)", SIGURG: "urgent I/O condition",
}

func (s Signal) Signal() {}

func (s Signal) String() string {
	if name, ok := signalNames[s]; ok {
		return name
	}
	return "signal " + itoa(int(s))
}

type Timespec struct {
	Sec  int64
	Nsec int64
}

func (ts *Timespec) Unix() (sec int64, nsec int64) { return ts.Sec, ts.Nsec }
func (ts *Timespec) Nano() int64                   { return ts.Sec*1e9 + ts.Nsec }

func NsecToTimespec(nsec int64) Timespec { return Timespec{nsec / 1e9, nsec % 1e9} }

func failure(errno int) error {
	if errno == 0 {
		return nil
	}
	return Errno(errno)
}

func Read(fd int, p []byte) (n int, err error) {
	n, errno := sysRead(fd, p)
	return n, failure(errno)
}

func Write(fd int, p []byte) (n int, err error) {
	n, errno := sysWrite(fd, p)
	return n, failure(errno)
}

func Pread(fd int, p []byte, offset int64) (n int, err error) {
	n, errno := sysPread(fd, p, offset)
	return n, failure(errno)
}

func Pwrite(fd int, p []byte, offset int64) (n int, err error) {
	n, errno := sysPwrite(fd, p, offset)
	return n, failure(errno)
}

func Open(path string, mode int, perm uint32) (fd int, err error) {
	fd, errno := sysOpen(path, mode, perm)
	return fd, failure(errno)
}

func Close(fd int) (err error) { return failure(sysClose(fd)) }

func Seek(fd int, offset int64, whence int) (off int64, err error) {
	off, errno := sysSeek(fd, offset, whence)
	return off, failure(errno)
}

func Pipe(p []int) error {
	if len(p) != 2 {
		return EINVAL
	}
	r, w, errno := sysPipe()
	if errno == 0 {
		p[0], p[1] = r, w
	}
	return failure(errno)
}

func Kill(pid int, sig Signal) error { return failure(sysKill(pid, int(sig))) }
func Getpid() (pid int)              { return sysGetpid() }

func Nanosleep(time *Timespec, leftover *Timespec) (err error) {
	return failure(sysNanosleep(time.Nano()))
}

// Package syscall: the kernel's error numbers and a few of its calls.
package syscall

import (
	errorspkg "errors"
	"io/fs"
)

// Natives. Each gives the kernel's error number, 0 for none.
func sysRead(fd int, p []byte) (n int, errno int)
func sysWrite(fd int, p []byte) (n int, errno int)
func sysPread(fd int, p []byte, offset int64) (n int, errno int)
func sysPwrite(fd int, p []byte, offset int64) (n int, errno int)
func sysOpen(path string, flags int, perm uint32) (fd int, errno int)
func sysClose(fd int) (errno int)
func sysSeek(fd int, offset int64, whence int) (pos int64, errno int)
func sysPipe(flags int) (r, w int, errno int)
func blockingCall(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, errno uintptr)
func rawCall(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, errno uintptr)
func sysKill(pid int, signal int) (errno int)
func sysNanosleep(ns int64) (errno int)

type Errno uintptr

func itoa(n int) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// Error is the kernel's text, as Go has it.
func (e Errno) Error() string

// Is tells whether the number means the same as an error of package fs, or errors.ErrUnsupported.
func (e Errno) Is(target error) bool {
	var meaning error
	switch e {
	case ENOENT:
		meaning = fs.ErrNotExist
	case EEXIST, ENOTEMPTY:
		meaning = fs.ErrExist
	case EACCES, EPERM:
		meaning = fs.ErrPermission
	case EOPNOTSUPP, ENOSYS:
		meaning = errorspkg.ErrUnsupported
	}
	return target == meaning && meaning != nil
}

func (e Errno) Timeout() bool   { return e == ETIMEDOUT || e == EAGAIN || e == EWOULDBLOCK }
func (e Errno) Temporary() bool { return e.Timeout() || e == EINTR || e == ENFILE || e == EMFILE }

const (
	EPERM           = Errno(1)
	ENOENT          = Errno(2)
	ESRCH           = Errno(3)
	EINTR           = Errno(4)
	EIO             = Errno(5)
	ENXIO           = Errno(6)
	E2BIG           = Errno(7)
	ENOEXEC         = Errno(8)
	EBADF           = Errno(9)
	ECHILD          = Errno(10)
	EAGAIN          = Errno(11)
	EWOULDBLOCK     = Errno(11)
	ENOMEM          = Errno(12)
	EACCES          = Errno(13)
	EFAULT          = Errno(14)
	ENOTBLK         = Errno(15)
	EBUSY           = Errno(16)
	EEXIST          = Errno(17)
	EXDEV           = Errno(18)
	ENODEV          = Errno(19)
	ENOTDIR         = Errno(20)
	EISDIR          = Errno(21)
	EINVAL          = Errno(22)
	ENFILE          = Errno(23)
	EMFILE          = Errno(24)
	ENOTTY          = Errno(25)
	ETXTBSY         = Errno(26)
	EFBIG           = Errno(27)
	ENOSPC          = Errno(28)
	ESPIPE          = Errno(29)
	EROFS           = Errno(30)
	EMLINK          = Errno(31)
	EPIPE           = Errno(32)
	EDOM            = Errno(33)
	ERANGE          = Errno(34)
	EDEADLK         = Errno(35)
	EDEADLOCK       = Errno(35)
	ENAMETOOLONG    = Errno(36)
	ENOLCK          = Errno(37)
	ENOSYS          = Errno(38)
	ENOTEMPTY       = Errno(39)
	ELOOP           = Errno(40)
	ENOMSG          = Errno(42)
	EIDRM           = Errno(43)
	ECHRNG          = Errno(44)
	EL2NSYNC        = Errno(45)
	EL3HLT          = Errno(46)
	EL3RST          = Errno(47)
	ELNRNG          = Errno(48)
	EUNATCH         = Errno(49)
	ENOCSI          = Errno(50)
	EL2HLT          = Errno(51)
	EBADE           = Errno(52)
	EBADR           = Errno(53)
	EXFULL          = Errno(54)
	ENOANO          = Errno(55)
	EBADRQC         = Errno(56)
	EBADSLT         = Errno(57)
	EBFONT          = Errno(59)
	ENOSTR          = Errno(60)
	ENODATA         = Errno(61)
	ETIME           = Errno(62)
	ENOSR           = Errno(63)
	ENONET          = Errno(64)
	ENOPKG          = Errno(65)
	EREMOTE         = Errno(66)
	ENOLINK         = Errno(67)
	EADV            = Errno(68)
	ESRMNT          = Errno(69)
	ECOMM           = Errno(70)
	EPROTO          = Errno(71)
	EMULTIHOP       = Errno(72)
	EDOTDOT         = Errno(73)
	EBADMSG         = Errno(74)
	EOVERFLOW       = Errno(75)
	ENOTUNIQ        = Errno(76)
	EBADFD          = Errno(77)
	EREMCHG         = Errno(78)
	ELIBACC         = Errno(79)
	ELIBBAD         = Errno(80)
	ELIBSCN         = Errno(81)
	ELIBMAX         = Errno(82)
	ELIBEXEC        = Errno(83)
	EILSEQ          = Errno(84)
	ERESTART        = Errno(85)
	ESTRPIPE        = Errno(86)
	EUSERS          = Errno(87)
	ENOTSOCK        = Errno(88)
	EDESTADDRREQ    = Errno(89)
	EMSGSIZE        = Errno(90)
	EPROTOTYPE      = Errno(91)
	ENOPROTOOPT     = Errno(92)
	EPROTONOSUPPORT = Errno(93)
	ESOCKTNOSUPPORT = Errno(94)
	ENOTSUP         = Errno(95)
	EOPNOTSUPP      = Errno(95)
	EPFNOSUPPORT    = Errno(96)
	EAFNOSUPPORT    = Errno(97)
	EADDRINUSE      = Errno(98)
	EADDRNOTAVAIL   = Errno(99)
	ENETDOWN        = Errno(100)
	ENETUNREACH     = Errno(101)
	ENETRESET       = Errno(102)
	ECONNABORTED    = Errno(103)
	ECONNRESET      = Errno(104)
	ENOBUFS         = Errno(105)
	EISCONN         = Errno(106)
	ENOTCONN        = Errno(107)
	ESHUTDOWN       = Errno(108)
	ETOOMANYREFS    = Errno(109)
	ETIMEDOUT       = Errno(110)
	ECONNREFUSED    = Errno(111)
	EHOSTDOWN       = Errno(112)
	EHOSTUNREACH    = Errno(113)
	EALREADY        = Errno(114)
	EINPROGRESS     = Errno(115)
	ESTALE          = Errno(116)
	EUCLEAN         = Errno(117)
	ENOTNAM         = Errno(118)
	ENAVAIL         = Errno(119)
	EISNAM          = Errno(120)
	EREMOTEIO       = Errno(121)
	EDQUOT          = Errno(122)
	ENOMEDIUM       = Errno(123)
	EMEDIUMTYPE     = Errno(124)
	ECANCELED       = Errno(125)
	ENOKEY          = Errno(126)
	EKEYEXPIRED     = Errno(127)
	EKEYREVOKED     = Errno(128)
	EKEYREJECTED    = Errno(129)
	EOWNERDEAD      = Errno(130)
	ENOTRECOVERABLE = Errno(131)
	ERFKILL         = Errno(132)
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

	O_NONBLOCK  = 0x800
	O_NDELAY    = 0x800
	O_NOCTTY    = 0x100
	O_DIRECTORY = 0x10000
	O_NOFOLLOW  = 0x20000
	O_DSYNC     = 0x1000
	O_ACCMODE   = 0x3
)

type Signal int

const (
	SIGHUP    = Signal(1)
	SIGINT    = Signal(2)
	SIGQUIT   = Signal(3)
	SIGILL    = Signal(4)
	SIGTRAP   = Signal(5)
	SIGABRT   = Signal(6)
	SIGIOT    = Signal(6)
	SIGBUS    = Signal(7)
	SIGFPE    = Signal(8)
	SIGKILL   = Signal(9)
	SIGUSR1   = Signal(10)
	SIGSEGV   = Signal(11)
	SIGUSR2   = Signal(12)
	SIGPIPE   = Signal(13)
	SIGALRM   = Signal(14)
	SIGTERM   = Signal(15)
	SIGSTKFLT = Signal(16)
	SIGCHLD   = Signal(17)
	SIGCLD    = Signal(17)
	SIGCONT   = Signal(18)
	SIGSTOP   = Signal(19)
	SIGTSTP   = Signal(20)
	SIGTTIN   = Signal(21)
	SIGTTOU   = Signal(22)
	SIGURG    = Signal(23)
	SIGXCPU   = Signal(24)
	SIGXFSZ   = Signal(25)
	SIGVTALRM = Signal(26)
	SIGPROF   = Signal(27)
	SIGWINCH  = Signal(28)
	SIGIO     = Signal(29)
	SIGPOLL   = Signal(29)
	SIGPWR    = Signal(30)
	SIGSYS    = Signal(31)
	SIGUNUSED = Signal(31)
)

var signalNames = [...]string{
	1:  "hangup",
	2:  "interrupt",
	3:  "quit",
	4:  "illegal instruction",
	5:  "trace/breakpoint trap",
	6:  "aborted",
	7:  "bus error",
	8:  "floating point exception",
	9:  "killed",
	10: "user defined signal 1",
	11: "segmentation fault",
	12: "user defined signal 2",
	13: "broken pipe",
	14: "alarm clock",
	15: "terminated",
	16: "stack fault",
	17: "child exited",
	18: "continued",
	19: "stopped (signal)",
	20: "stopped",
	21: "stopped (tty input)",
	22: "stopped (tty output)",
	23: "urgent I/O condition",
	24: "CPU time limit exceeded",
	25: "file size limit exceeded",
	26: "virtual timer expired",
	27: "profiling timer expired",
	28: "window changed",
	29: "I/O possible",
	30: "power failure",
	31: "bad system call",
}

func (s Signal) Signal() {}

func (s Signal) String() string {
	if 0 < s && int(s) < len(signalNames) {
		return signalNames[s]
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

func failure(errno int) (err error) {
	if errno != 0 {
		err = Errno(errno)
	}
	return err
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

func Pipe2(p []int, flags int) error {
	if len(p) != 2 {
		return EINVAL
	}
	r, w, errno := sysPipe(flags)
	if errno == 0 {
		p[0], p[1] = r, w
	}
	return failure(errno)
}

func Pipe(p []int) error { return Pipe2(p, 0) }

func Kill(pid int, sig Signal) error { return failure(sysKill(pid, int(sig))) }

func Nanosleep(time *Timespec, leftover *Timespec) (err error) {
	return failure(sysNanosleep(time.Nano()))
}

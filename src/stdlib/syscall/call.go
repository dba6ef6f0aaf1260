package syscall

import (
	"runtime"
	"unsafe"
)

// Numbers of linux/amd64: options of calls, and calls for Syscall.

const (
	AF_INET           = 0x2
	AF_INET6          = 0xa
	AF_UNIX           = 0x1
	AF_UNSPEC         = 0x0
	SOCK_STREAM       = 0x1
	SOCK_DGRAM        = 0x2
	SOCK_RAW          = 0x3
	SOCK_SEQPACKET    = 0x5
	SOCK_NONBLOCK     = 0x800
	SOCK_CLOEXEC      = 0x80000
	SOL_SOCKET        = 0x1
	SO_REUSEADDR      = 0x2
	SO_BROADCAST      = 0x6
	SO_ERROR          = 0x4
	SO_KEEPALIVE      = 0x9
	SO_LINGER         = 0xd
	SO_RCVBUF         = 0x8
	SO_SNDBUF         = 0x7
	SO_TYPE           = 0x3
	SO_ACCEPTCONN     = 0x1e
	SO_PROTOCOL       = 0x26
	SO_PEERCRED       = 0x11
	IPPROTO_IP        = 0x0
	IPPROTO_IPV6      = 0x29
	IPPROTO_TCP       = 0x6
	IPPROTO_UDP       = 0x11
	IPPROTO_ICMP      = 0x1
	IPV6_V6ONLY       = 0x1a
	TCP_NODELAY       = 0x1
	TCP_KEEPIDLE      = 0x4
	TCP_KEEPINTVL     = 0x5
	TCP_KEEPCNT       = 0x6
	SOMAXCONN         = 0x80
	SHUT_RD           = 0x0
	SHUT_WR           = 0x1
	SHUT_RDWR         = 0x2
	MSG_NOSIGNAL      = 0x4000
	MSG_CMSG_CLOEXEC  = 0x40000000
	MSG_PEEK          = 0x2
	MSG_DONTWAIT      = 0x40
	MSG_TRUNC         = 0x20
	F_GETFL           = 0x3
	F_SETFL           = 0x4
	F_GETFD           = 0x1
	F_SETFD           = 0x2
	F_DUPFD           = 0x0
	F_DUPFD_CLOEXEC   = 0x406
	FD_CLOEXEC        = 0x1
	DT_UNKNOWN        = 0x0
	DT_FIFO           = 0x1
	DT_CHR            = 0x2
	DT_DIR            = 0x4
	DT_BLK            = 0x6
	DT_REG            = 0x8
	DT_LNK            = 0xa
	DT_SOCK           = 0xc
	DT_WHT            = 0xe
	S_IFMT            = 0xf000
	S_IFREG           = 0x8000
	S_IFDIR           = 0x4000
	S_IFLNK           = 0xa000
	S_IFIFO           = 0x1000
	S_IFSOCK          = 0xc000
	S_IFCHR           = 0x2000
	S_IFBLK           = 0x6000
	S_ISUID           = 0x800
	S_ISGID           = 0x400
	S_ISVTX           = 0x200
	WNOHANG           = 0x1
	WUNTRACED         = 0x2
	WNOWAIT           = 0x1000000
	WEXITED           = 0x4
	WSTOPPED          = 0x2
	WCONTINUED        = 0x8
	SCM_RIGHTS        = 0x1
	SCM_CREDENTIALS   = 0x2
	IP_MULTICAST_IF   = 0x20
	IP_MULTICAST_TTL  = 0x21
	IP_MULTICAST_LOOP = 0x22
	IP_ADD_MEMBERSHIP = 0x23
	IP_TTL            = 0x2
	IP_TOS            = 0x1
	IPV6_UNICAST_HOPS = 0x10
)

const (
	SYS_READ        = 0
	SYS_WRITE       = 1
	SYS_OPEN        = 2
	SYS_CLOSE       = 3
	SYS_STAT        = 4
	SYS_FSTAT       = 5
	SYS_LSTAT       = 6
	SYS_LSEEK       = 8
	SYS_SOCKET      = 41
	SYS_CONNECT     = 42
	SYS_ACCEPT      = 43
	SYS_SENDTO      = 44
	SYS_RECVFROM    = 45
	SYS_SENDMSG     = 46
	SYS_RECVMSG     = 47
	SYS_SHUTDOWN    = 48
	SYS_BIND        = 49
	SYS_LISTEN      = 50
	SYS_GETSOCKNAME = 51
	SYS_GETPEERNAME = 52
	SYS_SETSOCKOPT  = 54
	SYS_GETSOCKOPT  = 55
	SYS_ACCEPT4     = 288
	SYS_WAIT4       = 61
	SYS_WAITID      = 247
	SYS_KILL        = 62
	SYS_GETPID      = 39
	SYS_GETPPID     = 110
	SYS_GETTID      = 186
	SYS_GETUID      = 102
	SYS_GETGID      = 104
	SYS_GETEUID     = 107
	SYS_GETEGID     = 108
	SYS_EXIT        = 60
	SYS_FCNTL       = 72
	SYS_DUP         = 32
	SYS_DUP2        = 33
	SYS_DUP3        = 292
	SYS_PIPE2       = 293
	SYS_FCHOWNAT    = 260
	SYS_UTIMENSAT   = 280
	SYS_UMASK       = 95
	SYS_GETRUSAGE   = 98
	SYS_SCHED_YIELD = 24
	SYS_EXECVE      = 59
	SYS_GETGROUPS   = 115
	SYS_FCHMOD      = 91
	SYS_FCHOWN      = 93
	SYS_IOCTL       = 16
	SYS_FCHDIR      = 81
	SYS_MKDIRAT     = 258
	SYS_UNLINKAT    = 263
	SYS_OPENAT      = 257
	SYS_NEWFSTATAT  = 262
	SYS_GETDENTS64  = 217
	SYS_MKNOD       = 133
	SYS_NANOSLEEP   = 35
	SYS_FUTEX       = 202
	SYS_UNAME       = 63
	SYS_SYSINFO     = 99
)

// RawSyscall6 makes a call that does not block.
func RawSyscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno) {
	r1, errno := rawCall(trap, a1, a2, a3, a4, a5, a6)
	return r1, 0, Errno(errno)
}

// Syscall6 makes a call that may block: others run meanwhile.
func Syscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno) {
	r1, errno := blockingCall(trap, a1, a2, a3, a4, a5, a6)
	return r1, 0, Errno(errno)
}

func RawSyscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno) {
	return RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
}

func Syscall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno) {
	return Syscall6(trap, a1, a2, a3, 0, 0, 0)
}

// at is where something is, as the kernel takes it. What has no other pointer to it is kept alive
// by hand until after the call.
func at[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

func ByteSliceFromString(s string) ([]byte, error) {
	text := make([]byte, len(s)+1)
	copy(text, s)
	for i := range len(s) {
		if text[i] == 0 {
			return nil, EINVAL
		}
	}
	return text, nil
}

func BytePtrFromString(s string) (*byte, error) {
	text, err := ByteSliceFromString(s)
	return unsafe.SliceData(text), err
}

func fcntl(fd, cmd, arg int) (int, error) {
	return outcome(RawSyscall(SYS_FCNTL, uintptr(fd), uintptr(cmd), uintptr(arg)))
}

func SetNonblock(fd int, nonblocking bool) (err error) {
	flags, err := fcntl(fd, F_GETFL, 0)
	if isSo := flags&O_NONBLOCK != 0; err == nil && isSo != nonblocking {
		_, err = fcntl(fd, F_SETFL, flags^O_NONBLOCK)
	}
	return err
}

func CloseOnExec(fd int) { fcntl(fd, F_SETFD, FD_CLOEXEC) }

func Dup(fd int) (nfd int, err error) { return fcntl(fd, F_DUPFD, 0) }

func Dup2(oldfd, newfd int) (err error) { return plain(SYS_DUP2, uintptr(oldfd), uintptr(newfd)) }

// plain makes a call that gives nothing but an error.
func plain(trap, a, b uintptr) error { return outcome1(RawSyscall(trap, a, b, 0)) }

func Getpid() int  { return identity(SYS_GETPID) }
func Getppid() int { return identity(SYS_GETPPID) }
func Gettid() int  { return identity(SYS_GETTID) }
func Getuid() int  { return identity(SYS_GETUID) }
func Getgid() int  { return identity(SYS_GETGID) }
func Geteuid() int { return identity(SYS_GETEUID) }
func Getegid() int { return identity(SYS_GETEGID) }

// identity gives a number of the process or its user, by a call that cannot fail.
func identity(trap uintptr) int {
	r, _, _ := RawSyscall(trap, 0, 0, 0)
	return int(r)
}

// Access tells whether the program may use a file so: 1 execute, 2 write, 4 read.
func Access(path string, mode uint32) (err error) {
	const byEffectiveUser = 0x200
	return Faccessat(here, path, mode, byEffectiveUser)
}

func Getpagesize() int { return 4096 }

func Getgroups() (gids []int, err error) {
	count, err := outcome(RawSyscall(SYS_GETGROUPS, 0, 0, 0))
	list := make([]uint32, max(count, 0))
	if len(list) > 0 {
		count, err = outcome(RawSyscall(SYS_GETGROUPS, uintptr(count), dataOf(list), 0))
		runtime.KeepAlive(list)
	}
	for i := range count {
		gids = append(gids, int(list[i]))
	}
	return gids, err
}

func Umask(mask int) (oldmask int) {
	r, _, _ := RawSyscall(SYS_UMASK, uintptr(mask), 0, 0)
	return int(r)
}

// A RawConn gives access to a descriptor. Go: syscall.RawConn.
type RawConn interface {
	Control(f func(fd uintptr)) error
	Read(f func(fd uintptr) (done bool)) error
	Write(f func(fd uintptr) (done bool)) error
}

type Conn interface {
	SyscallConn() (RawConn, error)
}

type Timeval struct {
	Sec  int64
	Usec int64
}

func (tv *Timeval) Unix() (sec int64, nsec int64) { return tv.Sec, tv.Usec * 1000 }
func (tv *Timeval) Nano() int64                   { return tv.Sec*1e9 + tv.Usec*1000 }

func NsecToTimeval(nsec int64) Timeval {
	nsec += 999 // up to the next microsecond
	sec, usec := nsec/1e9, nsec%1e9/1000
	if usec < 0 {
		usec += 1e6
		sec--
	}
	return Timeval{sec, usec}
}

func TimevalToNsec(tv Timeval) int64   { return tv.Nano() }
func TimespecToNsec(ts Timespec) int64 { return ts.Nano() }

package net

import (
	"bytes"
	"context"
	"internal/poll"
	"io"
	"os"
	"runtime"
	"syscall"
	"time"
)

// Sockets in the poller, what all connections share, and sockets made of files.

type netFD struct {
	pfd       poll.FD
	net       string
	family    int
	kind      int // SOCK_STREAM and so on
	connected bool
	laddr     Addr
	raddr     Addr
}

// failed names the system call that gave an error number.
func failed(call string, errno int) error {
	if errno == 0 {
		return nil
	}
	return os.NewSyscallError(call, syscall.Errno(errno))
}

// named puts the call's name before an error that is the kernel's.
func named(call string, err error) error {
	if _, isKernels := err.(syscall.Errno); isKernels {
		err = os.NewSyscallError(call, err)
	}
	return err
}

// isConnectionError tells whether the other side is gone.
func isConnectionError(err error) bool {
	if call, ok := err.(*os.SyscallError); ok {
		err = call.Err
	}
	return err == syscall.ECONNABORTED || err == syscall.ECONNRESET
}

// enroll makes a netFD of a socket, which is not in the poller yet.
func enroll(sysfd, family, kind int, network string) *netFD {
	fd := &netFD{net: network, family: family, kind: kind}
	p := &fd.pfd
	p.Sysfd = sysfd
	p.Closed = poll.ErrNetClosing
	p.IsStream = kind == syscall.SOCK_STREAM
	p.ZeroReadIsEOF = p.IsStream || kind == syscall.SOCK_SEQPACKET
	return fd
}

// learnNames is the last step of making a socket, which is closed from now on when nobody has it any more.
func (fd *netFD) learnNames(peer []byte) {
	runtime.SetFinalizer(fd, (*netFD).Close)
	own, _ := poll.Getsockname(fd.pfd.Sysfd)
	fd.pfd.Meets = poll.Meets(own)
	fd.laddr, fd.raddr = addressIn(fd.net, own), addressIn(fd.net, peer)
}

func (fd *netFD) Close() error {
	runtime.SetFinalizer(fd, nil)
	return fd.pfd.Close()
}

// discard closes a socket that was not finished, and may not be in the poller.
func (fd *netFD) discard() {
	if fd.pfd.Blocking || fd.pfd.InPoller() {
		fd.Close()
	} else {
		syscall.Close(fd.pfd.Sysfd)
	}
}

// apply does something to the socket by a system call, unless the socket is closed.
func (fd *netFD) apply(call string, do func(sysfd int) (errno int)) error {
	if err := fd.pfd.Begin(); err != nil {
		return err
	}
	errno := do(fd.pfd.Sysfd)
	fd.pfd.End()
	return failed(call, errno)
}

func (fd *netFD) shutdown(how int) error {
	return fd.apply("shutdown", func(sysfd int) int { return poll.Shutdown(sysfd, how) })
}

func (fd *netFD) option(level, option, value int) error {
	return fd.apply("setsockopt", func(sysfd int) int {
		return poll.SetOption(sysfd, level, option, value)
	})
}

// structured sets an option that is a structure.
func (fd *netFD) structured(level, option int, value []byte) error {
	return fd.apply("setsockopt", func(sysfd int) int {
		return poll.SetOptionBytes(sysfd, level, option, value)
	})
}

// linger says how long closing waits for unsent data; negative for in the background.
func (fd *netFD) linger(sec int) error {
	value := make([]byte, 8) // whether, and for how many seconds
	if sec >= 0 {
		putNative(value, 1)
		putNative(value[4:], sec)
	}
	return fd.structured(syscall.SOL_SOCKET, syscall.SO_LINGER, value)
}

func (fd *netFD) accept() (*netFD, error) {
	sysfd, peer, err := fd.pfd.Accept()
	if err != nil {
		return nil, named("accept", err)
	}
	arrived := enroll(sysfd, fd.family, fd.kind, fd.net)
	arrived.connected = true
	if err := arrived.pfd.Init(true); err != nil {
		arrived.discard()
		return nil, err
	}
	arrived.learnNames(peer)
	return arrived, nil
}

// copyOf copies a descriptor; programs started from here do not inherit it.
func copyOf(fd uintptr) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, fd, syscall.F_DUPFD_CLOEXEC, 0)
	return int(n), errno
}

// os_newSocketFile makes a File of a socket that is in non-blocking mode until its descriptor is asked for.
func os_newSocketFile(fd int, name string) *os.File

// file gives a copy of the socket.
func (fd *netFD) file() (*os.File, error) {
	var twin int
	err := fd.apply("fcntl", func(sysfd int) int {
		n, errno := copyOf(uintptr(sysfd))
		twin = n
		return int(errno)
	})
	if err != nil {
		return nil, err
	}
	text := func(a Addr) string {
		if a == nil {
			return ""
		}
		return a.String()
	}
	return os_newSocketFile(twin, fd.net+":"+text(fd.laddr)+"->"+text(fd.raddr)), nil
}

// connect makes the connection, waiting no longer than the context lasts.
func (fd *netFD) connect(ctx context.Context, to []byte) error {
	code := syscall.Errno(poll.Connect(fd.pfd.Sysfd, to))
	if !isUnderWay(code) && code != 0 && code != syscall.EISCONN {
		return os.NewSyscallError("connect", code)
	}
	if err := fd.pfd.Init(true); err != nil {
		return err
	}
	if isUnderWay(code) {
		if err := fd.outcome(ctx); err != nil {
			return err
		}
	}
	return contextError(ctx.Err())
}

// isUnderWay tells whether the kernel is still connecting.
func isUnderWay(code syscall.Errno) bool {
	return code == syscall.EINPROGRESS || code == syscall.EALREADY || code == syscall.EINTR
}

// outcome waits for the end of connecting. The end of the context moves the deadline to the past.
func (fd *netFD) outcome(ctx context.Context) error {
	if ctx.Done() != nil {
		if deadline, ok := ctx.Deadline(); ok {
			fd.pfd.SetWriteDeadline(deadline)
		}
		moved := make(chan struct{})
		over := func() {
			fd.pfd.SetWriteDeadline(time.Unix(1, 0))
			close(moved)
		}
		stop := context.AfterFunc(ctx, over)
		defer func() {
			if !stop() {
				<-moved
			}
			fd.pfd.SetWriteDeadline(time.Time{})
		}()
	}
	for {
		if err := fd.pfd.WaitWrite(); err != nil {
			if ctx.Err() != nil {
				return contextError(ctx.Err())
			}
			return err
		}
		value, errno := poll.Option(fd.pfd.Sysfd, syscall.SOL_SOCKET, syscall.SO_ERROR)
		if errno != 0 {
			return failed("getsockopt", errno)
		}
		code := syscall.Errno(value)
		if code == 0 {
			// Readiness can be older than the connection.
			if _, errno := poll.Getpeername(fd.pfd.Sysfd); errno == 0 {
				return nil
			}
		} else if code == syscall.EISCONN {
			return nil
		} else if !isUnderWay(code) {
			return os.NewSyscallError("connect", code)
		}
	}
}

// ---- What all connections share.

// conn has a socket, unless a program made it without one.
type conn struct {
	fd *netFD
}

func (c *conn) ok() bool { return c != nil && c.fd != nil }

// between tells what failed, and between whom.
func (c *conn) between(op string, err error) error {
	return failure(op, c.fd.net, c.fd.laddr, c.fd.raddr, err)
}

// transferred words the failure of a system call that moves bytes; EOF needs no words.
func (c *conn) transferred(op string, err error) error {
	if err == io.EOF {
		return err
	}
	return c.between(op, named(op, err))
}

func (c *conn) Read(b []byte) (n int, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	if n, err = c.fd.pfd.Read(b); err != nil {
		err = c.transferred("read", err)
	}
	return n, err
}

func (c *conn) Write(b []byte) (n int, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	if n, err = c.fd.pfd.Write(b); err != nil {
		err = c.transferred("write", err)
	}
	return n, err
}

// use does something with the socket, if there is one.
func (c *conn) use(op string, do func(fd *netFD) error) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.between(op, do(c.fd))
}

// set sets something of the socket, which is nothing between two.
func (c *conn) set(do func(fd *netFD) error) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return failure("set", c.fd.net, nil, c.fd.laddr, do(c.fd))
}

func (c *conn) setOption(level, option, value int) error {
	return c.set(func(fd *netFD) error { return fd.option(level, option, value) })
}

func (c *conn) Close() error { return c.use("close", (*netFD).Close) }

// shut closes one direction.
func (c *conn) shut(how int) error {
	return c.use("close", func(fd *netFD) error { return fd.shutdown(how) })
}

func (c *conn) File() (f *os.File, err error) {
	err = c.use("file", func(fd *netFD) (err error) {
		f, err = fd.file()
		return err
	})
	return f, err
}

func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if c.ok() {
		return &rawConn{c.fd}, nil
	}
	return nil, syscall.EINVAL
}

func (c *conn) LocalAddr() Addr {
	if c.ok() {
		return c.fd.laddr
	}
	return nil
}

func (c *conn) RemoteAddr() Addr {
	if c.ok() {
		return c.fd.raddr
	}
	return nil
}

func (c *conn) SetReadDeadline(t time.Time) error {
	return c.set(func(fd *netFD) error { return fd.pfd.SetReadDeadline(t) })
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	return c.set(func(fd *netFD) error { return fd.pfd.SetWriteDeadline(t) })
}

func (c *conn) SetDeadline(t time.Time) error {
	return c.set(func(fd *netFD) error { return fd.pfd.SetDeadline(t) })
}

func (c *conn) SetReadBuffer(bytes int) error {
	return c.setOption(syscall.SOL_SOCKET, syscall.SO_RCVBUF, bytes)
}

func (c *conn) SetWriteBuffer(bytes int) error {
	return c.setOption(syscall.SOL_SOCKET, syscall.SO_SNDBUF, bytes)
}

// A rawConn lends out the descriptor.
type rawConn struct{ fd *netFD }

func (c *rawConn) lent(op string, err error) error {
	return failure("raw-"+op, c.fd.net, nil, c.fd.laddr, err)
}

func (c *rawConn) Control(f func(uintptr)) error { return c.lent("control", c.fd.pfd.RawControl(f)) }

func (c *rawConn) Read(f func(uintptr) bool) error { return c.lent("read", c.fd.pfd.RawRead(f)) }

func (c *rawConn) Write(f func(uintptr) bool) error { return c.lent("write", c.fd.pfd.RawWrite(f)) }

// A connection without the methods that io.Copy looks for.
type (
	plainReader struct{ c *conn }
	plainWriter struct{ c *conn }
)

func (p plainReader) Read(b []byte) (int, error)  { return p.c.Read(b) }
func (p plainWriter) Write(b []byte) (int, error) { return p.c.Write(b) }

// ---- Sockets that others made.

// adopt makes a socket of a copy of a file's descriptor.
func adopt(f *os.File) (*netFD, error) {
	sysfd, errno := copyOf(f.Fd())
	if errno != 0 {
		return nil, os.NewSyscallError("fcntl", errno)
	}
	fd, err := examined(sysfd)
	if err != nil {
		syscall.Close(sysfd)
	}
	return fd, err
}

// examined asks the kernel of what network a socket is, and puts it into the poller.
func examined(sysfd int) (*netFD, error) {
	kind, code := poll.Option(sysfd, syscall.SOL_SOCKET, syscall.SO_TYPE)
	if code != 0 {
		return nil, failed("getsockopt", code)
	}
	own, code := poll.Getsockname(sysfd)
	if code != 0 {
		return nil, failed("getsockname", code)
	}
	family := int(own[0])
	for _, t := range transports {
		isUnix := family == syscall.AF_UNIX
		byIP := family == syscall.AF_INET || family == syscall.AF_INET6
		if t.socket != kind || t.kind == "ip" || t.kind == "unix" && !isUnix || t.kind != "unix" && !byIP {
			continue
		}
		syscall.SetNonblock(sysfd, true)
		fd := enroll(sysfd, family, kind, t.network)
		if err := fd.pfd.Init(true); err != nil {
			return nil, err
		}
		peer, code := poll.Getpeername(sysfd)
		fd.connected = code == 0
		fd.learnNames(peer)
		return fd, nil
	}
	return nil, syscall.EPROTONOSUPPORT
}

// A fileAddr stands for a file where there should be an address.
type fileAddr string

func (f fileAddr) String() string { return string(f) }
func (fileAddr) Network() string  { return "file+net" }

// ofFile makes what the program wants of a file, if make can make such a thing of its socket.
func ofFile[T any](f *os.File, make func(*netFD) any) (made T, err error) {
	fd, err := adopt(f)
	if err == nil {
		if made, ok := make(fd).(T); ok {
			return made, nil
		}
		fd.Close()
		err = syscall.EINVAL
	}
	return made, failure("file", "file+net", nil, fileAddr(f.Name()), err)
}

func asConnection(fd *netFD) any {
	switch fd.laddr.(type) {
	case *TCPAddr:
		return tuned(fd)
	case *UDPAddr:
		return &UDPConn{conn{fd}}
	}
	return &UnixConn{conn{fd}}
}

func asListener(fd *netFD) any {
	switch own := fd.laddr.(type) {
	case *TCPAddr:
		return &TCPListener{fd: fd}
	case *UnixAddr:
		return &UnixListener{fd: fd, path: own.Name}
	}
	return nil
}

func FileConn(f *os.File) (c Conn, err error) { return ofFile[Conn](f, asConnection) }

func FileListener(f *os.File) (ln Listener, err error) { return ofFile[Listener](f, asListener) }

func FilePacketConn(f *os.File) (c PacketConn, err error) {
	return ofFile[PacketConn](f, asConnection)
}

// joinGroup makes the socket hear a group on an interface, or on the kernel's choice.
func (fd *netFD) joinGroup(ifi *Interface, group IP) error {
	number := make([]byte, 4)
	if ifi != nil {
		putNative(number, ifi.Index)
	}
	if g := group.To4(); g != nil {
		const ours = "\x00\x00\x00\x00" // the kernel's choice
		request := bytes.Join([][]byte{g, []byte(ours), number}, nil)
		return fd.structured(syscall.IPPROTO_IP, syscall.IP_ADD_MEMBERSHIP, request)
	}
	const addMembership6 = 20
	return fd.structured(syscall.IPPROTO_IPV6, addMembership6, bytes.Join([][]byte{group, number}, nil))
}

package net

import (
	"context"
	"internal/poll"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A socket in the poller.
type netFD struct {
	pfd       poll.FD
	family    int
	kind      int // SOCK_STREAM and so on
	connected bool
	net       string
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
	if _, ok := err.(syscall.Errno); ok {
		return os.NewSyscallError(call, err)
	}
	return err
}

func isConnectionError(err error) bool {
	if s, ok := err.(*os.SyscallError); ok {
		err = s.Err
	}
	return err == syscall.ECONNRESET || err == syscall.ECONNABORTED
}

func newFD(sysfd, family, kind int, network string) *netFD {
	fd := &netFD{family: family, kind: kind, net: network}
	fd.pfd.Sysfd, fd.pfd.Closed = sysfd, poll.ErrNetClosing
	fd.pfd.IsStream = kind == syscall.SOCK_STREAM
	fd.pfd.ZeroReadIsEOF = kind != syscall.SOCK_DGRAM && kind != syscall.SOCK_RAW
	return fd
}

// setNames is the last step of making a socket, which is closed from now on when nobody has it any more.
func (fd *netFD) setNames(remote []byte) {
	runtime.SetFinalizer(fd, (*netFD).Close)
	local, _ := poll.Getsockname(fd.pfd.Sysfd)
	fd.pfd.Meets = poll.Meets(local)
	fd.laddr = decode(fd.net, local)
	fd.raddr = decode(fd.net, remote)
}

func (fd *netFD) Close() error {
	runtime.SetFinalizer(fd, nil)
	return fd.pfd.Close()
}

func (fd *netFD) Read(p []byte) (n int, err error) {
	n, err = fd.pfd.Read(p)
	if err != nil {
		err = named("read", err)
	}
	return n, err
}

func (fd *netFD) Write(p []byte) (n int, err error) {
	n, err = fd.pfd.Write(p)
	if err != nil {
		err = named("write", err)
	}
	return n, err
}

func (fd *netFD) readFrom(p []byte) (n int, from []byte, err error) {
	n, from, err = fd.pfd.ReadFrom(p)
	return n, from, named("recvfrom", err)
}

func (fd *netFD) writeTo(p []byte, to []byte) (n int, err error) {
	n, err = fd.pfd.WriteTo(p, to)
	return n, named("sendto", err)
}

func (fd *netFD) shutdown(how int) error {
	if err := fd.pfd.Begin(); err != nil {
		return err
	}
	defer fd.pfd.End()
	return failed("shutdown", poll.Shutdown(fd.pfd.Sysfd, how))
}

func (fd *netFD) option(level, option, value int) error {
	if err := fd.pfd.Begin(); err != nil {
		return err
	}
	defer fd.pfd.End()
	return failed("setsockopt", poll.SetOption(fd.pfd.Sysfd, level, option, value))
}

func (fd *netFD) accept() (*netFD, error) {
	conn, peer, err := fd.pfd.Accept()
	if err != nil {
		return nil, named("accept", err)
	}
	c := newFD(conn, fd.family, fd.kind, fd.net)
	if err := c.pfd.Init(true); err != nil {
		syscall.Close(conn)
		return nil, err
	}
	c.connected = true
	c.setNames(peer)
	return c, nil
}

// os_newSocketFile makes a File of a socket that is in non-blocking mode until its descriptor is asked for.
func os_newSocketFile(fd int, name string) *os.File

// dup gives a copy of the socket.
func (fd *netFD) dup() (*os.File, error) {
	if err := fd.pfd.Begin(); err != nil {
		return nil, err
	}
	n, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd.pfd.Sysfd), syscall.F_DUPFD_CLOEXEC, 0)
	fd.pfd.End()
	if errno != 0 {
		return nil, os.NewSyscallError("fcntl", errno)
	}
	name := fd.net + ":"
	if fd.laddr != nil {
		name += fd.laddr.String()
	}
	name += "->"
	if fd.raddr != nil {
		name += fd.raddr.String()
	}
	return os_newSocketFile(int(n), name), nil
}

// connect makes the connection, waiting no longer than the context lasts.
func (fd *netFD) connect(ctx context.Context, to []byte) error {
	errno := syscall.Errno(poll.Connect(fd.pfd.Sysfd, to))
	switch errno {
	case 0, syscall.EISCONN:
		if ctx.Err() != nil {
			return contextError(ctx.Err())
		}
		return fd.pfd.Init(true)
	case syscall.EINPROGRESS, syscall.EALREADY, syscall.EINTR:
	default:
		return os.NewSyscallError("connect", errno)
	}
	if err := fd.pfd.Init(true); err != nil {
		return err
	}
	if deadline, ok := ctx.Deadline(); ok {
		fd.pfd.SetWriteDeadline(deadline)
		defer fd.pfd.SetWriteDeadline(time.Time{})
	}
	if ctx.Done() != nil {
		// The end of the context ends the wait.
		over := make(chan struct{})
		ended := make(chan struct{})
		go func() {
			select {
			case <-ctx.Done():
				fd.pfd.SetWriteDeadline(time.Unix(1, 0))
			case <-over:
			}
			close(ended)
		}()
		defer func() {
			close(over)
			<-ended
		}()
	}
	for {
		if err := fd.pfd.WaitWrite(); err != nil {
			if ctx.Err() != nil {
				err = contextError(ctx.Err())
			}
			return err
		}
		value, errno := poll.Option(fd.pfd.Sysfd, syscall.SOL_SOCKET, syscall.SO_ERROR)
		if errno != 0 {
			return failed("getsockopt", errno)
		}
		switch syscall.Errno(value) {
		case syscall.EINPROGRESS, syscall.EALREADY, syscall.EINTR:
		case syscall.EISCONN:
			return contextError(ctx.Err())
		case 0:
			// Readiness can be older than the connection.
			if _, errno := poll.Getpeername(fd.pfd.Sysfd); errno == 0 {
				return contextError(ctx.Err())
			}
		default:
			return os.NewSyscallError("connect", syscall.Errno(value))
		}
	}
}

// ---- What the kernel can do.

var stacks struct {
	once               sync.Once
	ipv4, ipv6, mapped bool
}

func probeStacks() {
	stacks.once.Do(func() {
		try := func(family int, address []byte, only6 int) bool {
			fd, errno := poll.Socket(family, syscall.SOCK_STREAM, syscall.IPPROTO_TCP)
			if errno != 0 {
				return false
			}
			defer syscall.Close(fd)
			if family == syscall.AF_INET6 {
				poll.SetOption(fd, syscall.IPPROTO_IPV6, syscall.IPV6_V6ONLY, only6)
			}
			return poll.Bind(fd, address) == 0
		}
		fd, errno := poll.Socket(syscall.AF_INET, syscall.SOCK_STREAM, syscall.IPPROTO_TCP)
		if errno == 0 {
			syscall.Close(fd)
			stacks.ipv4 = true
		}
		loopback, _ := encodeIP(syscall.AF_INET6, IPv6loopback, 0, "")
		stacks.ipv6 = try(syscall.AF_INET6, loopback, 1)
		wildcard, _ := encodeIP(syscall.AF_INET6, IPv6zero, 0, "")
		stacks.mapped = try(syscall.AF_INET6, wildcard, 0)
	})
}

// familyFor chooses the family of a socket, and whether an IPv6 one hears IPv6 only.
func familyFor(network string, laddr, raddr sockaddr, listening bool) (family int, only6 bool) {
	version := network[len(network)-1] // or a letter
	if version == '6' {
		return syscall.AF_INET6, true
	}
	fits4 := func(a sockaddr) bool { return a.missing() || a.family() == syscall.AF_INET }
	family = syscall.AF_INET6
	switch {
	case version == '4':
		family = syscall.AF_INET
	case listening && laddr.any():
		// A socket for all addresses is of IPv6 where that hears IPv4 too.
		probeStacks()
		if !stacks.mapped && stacks.ipv4 && fits4(laddr) {
			family = syscall.AF_INET
		}
	case fits4(laddr) && fits4(raddr):
		family = syscall.AF_INET
	}
	return family, false
}

// controlFunc sees a socket before it is bound or connected.
type controlFunc func(ctx context.Context, network, address string, c syscall.RawConn) error

// openSocket makes a socket: it listens if it has no remote address and is a stream, else it is bound or connected.
func openSocket(ctx context.Context, network string, kind int, laddr, raddr sockaddr, control controlFunc) (*netFD, error) {
	listening := raddr.missing()
	var family int
	only6 := false
	if network[:2] == "un" {
		family = syscall.AF_UNIX
	} else {
		family, only6 = familyFor(network, laddr, raddr, listening)
	}
	sysfd, errno := poll.Socket(family, kind, 0)
	if errno != 0 {
		return nil, failed("socket", errno)
	}
	fd := newFD(sysfd, family, kind, network)
	isOpen := false
	defer func() {
		switch {
		case isOpen:
		case fd.pfd.Blocking || fd.pfd.InPoller():
			fd.Close()
		default:
			syscall.Close(sysfd) // not yet set up
		}
	}()
	if err := fd.open(ctx, laddr, raddr, only6, control); err != nil {
		return nil, err
	}
	isOpen = true
	return fd, nil
}

func (fd *netFD) open(ctx context.Context, laddr, raddr sockaddr, only6 bool, control controlFunc) error {
	sysfd := fd.pfd.Sysfd
	if fd.family == syscall.AF_INET6 && fd.kind != syscall.SOCK_RAW {
		value := 0
		if only6 {
			value = 1
		}
		poll.SetOption(sysfd, syscall.IPPROTO_IPV6, syscall.IPV6_V6ONLY, value)
	}
	if fd.family != syscall.AF_UNIX {
		poll.SetOption(sysfd, syscall.SOL_SOCKET, syscall.SO_BROADCAST, 1)
	}
	listening := raddr.missing()
	if listening && fd.kind != syscall.SOCK_DGRAM {
		if err := failed("setsockopt", poll.SetOption(sysfd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)); err != nil {
			return err
		}
	}
	if control != nil {
		about := fd.net
		if fd.family != syscall.AF_UNIX && about[len(about)-1] != '4' && about[len(about)-1] != '6' {
			about += "4"
			if fd.family == syscall.AF_INET6 {
				about = about[:len(about)-1] + "6"
			}
		}
		address := raddr
		if listening {
			address = laddr
		}
		text := ""
		if !address.missing() {
			text = address.String()
		}
		if err := control(ctx, about, text, &rawConn{fd}); err != nil {
			return err
		}
	}
	if !laddr.missing() || listening && fd.family != syscall.AF_UNIX {
		address, err := laddr.encode(fd.family)
		if err != nil {
			return named("bind", err)
		}
		if address == nil {
			address, _ = encodeIP(fd.family, nil, 0, "")
		}
		if err := failed("bind", poll.Bind(sysfd, address)); err != nil {
			return err
		}
	}
	switch {
	case !listening:
		to, err := raddr.encode(fd.family)
		if err != nil {
			return named("connect", err)
		}
		if err := fd.connect(ctx, to); err != nil {
			return err
		}
		fd.connected = true
		peer, _ := poll.Getpeername(sysfd)
		fd.setNames(peer)
		if fd.raddr == nil || fd.family == syscall.AF_UNIX {
			fd.raddr = raddr
		}
		return nil
	case fd.kind != syscall.SOCK_DGRAM:
		if err := failed("listen", poll.Listen(sysfd, backlog())); err != nil {
			return err
		}
	}
	if err := fd.pfd.Init(true); err != nil {
		return err
	}
	fd.setNames(nil)
	return nil
}

// backlog is how many connections may wait to be accepted.
func backlog() int {
	if data, err := os.ReadFile("/proc/sys/net/core/somaxconn"); err == nil {
		if n, _, ok := decimal(string(data)); ok && n > 0 {
			return n
		}
	}
	return syscall.SOMAXCONN
}

// ---- What all connections share.

type conn struct {
	fd *netFD
}

func (c *conn) ok() bool { return c != nil && c.fd != nil }

// wrap tells what failed, between whom.
func (c *conn) wrap(op string, err error) error {
	return &OpError{Op: op, Net: c.fd.net, Source: c.fd.laddr, Addr: c.fd.raddr, Err: err}
}

func (c *conn) Read(b []byte) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err := c.fd.Read(b)
	if err != nil && err != io.EOF {
		err = c.wrap("read", err)
	}
	return n, err
}

func (c *conn) Write(b []byte) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err := c.fd.Write(b)
	if err != nil {
		err = c.wrap("write", err)
	}
	return n, err
}

func (c *conn) Close() error {
	if !c.ok() {
		return syscall.EINVAL
	}
	err := c.fd.Close()
	if err != nil {
		err = c.wrap("close", err)
	}
	return err
}

func (c *conn) LocalAddr() Addr {
	if !c.ok() {
		return nil
	}
	return c.fd.laddr
}

func (c *conn) RemoteAddr() Addr {
	if !c.ok() {
		return nil
	}
	return c.fd.raddr
}

// set words the failure to set something of the connection.
func (c *conn) set(err error) error {
	if err == nil {
		return nil
	}
	return &OpError{Op: "set", Net: c.fd.net, Source: nil, Addr: c.fd.laddr, Err: err}
}

func (c *conn) SetDeadline(t time.Time) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.set(c.fd.pfd.SetDeadline(t))
}

func (c *conn) SetReadDeadline(t time.Time) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.set(c.fd.pfd.SetReadDeadline(t))
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.set(c.fd.pfd.SetWriteDeadline(t))
}

func (c *conn) SetReadBuffer(bytes int) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.set(c.fd.option(syscall.SOL_SOCKET, syscall.SO_RCVBUF, bytes))
}

func (c *conn) SetWriteBuffer(bytes int) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.set(c.fd.option(syscall.SOL_SOCKET, syscall.SO_SNDBUF, bytes))
}

func (c *conn) File() (f *os.File, err error) {
	if !c.ok() {
		return nil, syscall.EINVAL
	}
	f, err = c.fd.dup()
	if err != nil {
		err = c.wrap("file", err)
	}
	return f, err
}

func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if !c.ok() {
		return nil, syscall.EINVAL
	}
	return &rawConn{c.fd}, nil
}

// shut closes one direction.
func (c *conn) shut(how int) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	if err := c.fd.shutdown(how); err != nil {
		return c.wrap("close", err)
	}
	return nil
}

type rawConn struct{ fd *netFD }

func (c *rawConn) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return &OpError{Op: op, Net: c.fd.net, Source: nil, Addr: c.fd.laddr, Err: err}
}

func (c *rawConn) Control(f func(uintptr)) error {
	return c.wrap("raw-control", c.fd.pfd.RawControl(f))
}

func (c *rawConn) Read(f func(uintptr) bool) error {
	return c.wrap("raw-read", c.fd.pfd.RawRead(f))
}

func (c *rawConn) Write(f func(uintptr) bool) error {
	return c.wrap("raw-write", c.fd.pfd.RawWrite(f))
}

// A connection without the methods that io.Copy looks for.
type (
	plainReader struct{ c *conn }
	plainWriter struct{ c *conn }
)

func (p plainReader) Read(b []byte) (int, error)  { return p.c.Read(b) }
func (p plainWriter) Write(b []byte) (int, error) { return p.c.Write(b) }

// ---- Sockets that others made.

// adopt makes a socket of a file's copy.
func adopt(f *os.File) (*netFD, error) {
	n, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_DUPFD_CLOEXEC, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("fcntl", errno)
	}
	sysfd := int(n)
	fail := func(err error) (*netFD, error) {
		syscall.Close(sysfd)
		return nil, err
	}
	kind, code := poll.Option(sysfd, syscall.SOL_SOCKET, syscall.SO_TYPE)
	if code != 0 {
		return fail(failed("getsockopt", code))
	}
	local, code := poll.Getsockname(sysfd)
	if code != 0 {
		return fail(failed("getsockname", code))
	}
	network := ""
	switch family := int(local[0]); {
	case family == syscall.AF_UNIX:
		network = map[int]string{syscall.SOCK_STREAM: "unix", syscall.SOCK_DGRAM: "unixgram", syscall.SOCK_SEQPACKET: "unixpacket"}[kind]
	case family == syscall.AF_INET || family == syscall.AF_INET6:
		network = map[int]string{syscall.SOCK_STREAM: "tcp", syscall.SOCK_DGRAM: "udp"}[kind]
	}
	if network == "" {
		return fail(syscall.EPROTONOSUPPORT)
	}
	syscall.SetNonblock(sysfd, true)
	fd := newFD(sysfd, int(local[0]), kind, network)
	if err := fd.pfd.Init(true); err != nil {
		return fail(err)
	}
	peer, code := poll.Getpeername(sysfd)
	fd.connected = code == 0
	fd.setNames(peer)
	return fd, nil
}

func fileError(f *os.File, err error) error {
	return &OpError{Op: "file", Net: "file+net", Source: nil, Addr: fileAddr(f.Name()), Err: err}
}

type fileAddr string

func (fileAddr) Network() string  { return "file+net" }
func (f fileAddr) String() string { return string(f) }

func FileConn(f *os.File) (c Conn, err error) {
	fd, err := adopt(f)
	if err != nil {
		return nil, fileError(f, err)
	}
	switch fd.laddr.(type) {
	case *TCPAddr:
		return newTCPConn(fd), nil
	case *UDPAddr:
		return &UDPConn{conn{fd}}, nil
	}
	return &UnixConn{conn{fd}}, nil
}

func FileListener(f *os.File) (ln Listener, err error) {
	fd, err := adopt(f)
	if err != nil {
		return nil, fileError(f, err)
	}
	switch laddr := fd.laddr.(type) {
	case *TCPAddr:
		return &TCPListener{fd: fd}, nil
	case *UnixAddr:
		return &UnixListener{fd: fd, path: laddr.Name}, nil
	}
	fd.Close()
	return nil, fileError(f, syscall.EINVAL)
}

func FilePacketConn(f *os.File) (c PacketConn, err error) {
	fd, err := adopt(f)
	if err != nil {
		return nil, fileError(f, err)
	}
	switch fd.laddr.(type) {
	case *UDPAddr:
		return &UDPConn{conn{fd}}, nil
	case *UnixAddr:
		return &UnixConn{conn{fd}}, nil
	}
	fd.Close()
	return nil, fileError(f, syscall.EINVAL)
}

// linger says how long closing waits for unsent data; negative for in the background.
func (fd *netFD) linger(sec int) error {
	if err := fd.pfd.Begin(); err != nil {
		return err
	}
	defer fd.pfd.End()
	b := make([]byte, 8) // two words: on, seconds
	if sec >= 0 {
		b[0] = 1
		for i := range 4 {
			b[4+i] = byte(sec >> (8 * i))
		}
	}
	return failed("setsockopt", poll.SetOptionBytes(fd.pfd.Sysfd, syscall.SOL_SOCKET, syscall.SO_LINGER, b))
}

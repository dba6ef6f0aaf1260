package net

import (
	"context"
	"os"
	"sync"
	"syscall"
	"time"
)

type UnixConn struct {
	conn
}

func kindOf(network string) int {
	switch network {
	case "unixgram":
		return syscall.SOCK_DGRAM
	case "unixpacket":
		return syscall.SOCK_SEQPACKET
	}
	return syscall.SOCK_STREAM
}

func checkUnix(network string, allowed ...string) error {
	for _, n := range allowed {
		if n == network {
			return nil
		}
	}
	return UnknownNetworkError(network)
}

func dialUnix(ctx context.Context, network string, laddr, raddr *UnixAddr, control controlFunc) (*UnixConn, error) {
	if raddr != nil && raddr.any() {
		raddr = nil
	}
	if laddr != nil && laddr.any() {
		laddr = nil
	}
	if raddr == nil && (network != "unixgram" || laddr == nil) {
		return nil, errMissingAddress
	}
	fd, err := openSocket(ctx, network, kindOf(network), laddr, raddr, control)
	if err != nil {
		return nil, err
	}
	return &UnixConn{conn{fd}}, nil
}

func DialUnix(network string, laddr, raddr *UnixAddr) (*UnixConn, error) {
	err := checkUnix(network, "unix", "unixgram", "unixpacket")
	var c *UnixConn
	if err == nil {
		c, err = dialUnix(context.Background(), network, laddr, raddr, nil)
	}
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Source: orNil(laddr), Addr: orNil(raddr), Err: err}
	}
	return c, nil
}

func listenUnixgram(ctx context.Context, network string, laddr *UnixAddr, control controlFunc) (*UnixConn, error) {
	if err := checkUnix(network, "unixgram"); err != nil {
		return nil, err
	}
	if laddr == nil {
		return nil, errMissingAddress
	}
	fd, err := openSocket(ctx, network, syscall.SOCK_DGRAM, laddr, (*UnixAddr)(nil), control)
	if err != nil {
		return nil, err
	}
	return &UnixConn{conn{fd}}, nil
}

func ListenUnixgram(network string, laddr *UnixAddr) (*UnixConn, error) {
	c, err := listenUnixgram(context.Background(), network, laddr, nil)
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: orNil(laddr), Err: err}
	}
	return c, nil
}

func (c *UnixConn) SyscallConn() (syscall.RawConn, error) {
	if !c.ok() {
		return nil, syscall.EINVAL
	}
	return &rawConn{c.fd}, nil
}

func (c *UnixConn) shut(how int) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	if err := c.fd.shutdown(how); err != nil {
		return c.wrap("close", err)
	}
	return nil
}

func (c *UnixConn) CloseRead() error  { return c.shut(syscall.SHUT_RD) }
func (c *UnixConn) CloseWrite() error { return c.shut(syscall.SHUT_WR) }

// sender is who sent; a nameless one is nil.
func (c *UnixConn) sender(b []byte) *UnixAddr {
	if len(b) <= 2 {
		return nil
	}
	return &UnixAddr{Name: decodeUnix(b), Net: c.fd.net}
}

func (c *UnixConn) ReadFromUnix(b []byte) (int, *UnixAddr, error) {
	if !c.ok() {
		return 0, nil, syscall.EINVAL
	}
	n, from, err := c.fd.readFrom(b)
	if err != nil {
		return n, nil, c.wrap("read", err)
	}
	return n, c.sender(from), nil
}

func (c *UnixConn) ReadFrom(b []byte) (int, Addr, error) {
	n, addr, err := c.ReadFromUnix(b)
	if addr == nil {
		return n, nil, err
	}
	return n, addr, err
}

func (c *UnixConn) ReadMsgUnix(b, oob []byte) (n, oobn, flags int, addr *UnixAddr, err error) {
	if !c.ok() {
		return 0, 0, 0, nil, syscall.EINVAL
	}
	n, oobn, flags, from, err := c.fd.pfd.ReadMsg(b, oob, 0)
	if err != nil {
		return n, oobn, flags, nil, c.wrap("read", named("recvmsg", err))
	}
	return n, oobn, flags, c.sender(from), nil
}

func (c *UnixConn) target(addr *UnixAddr) ([]byte, error) {
	switch {
	case c.fd.connected && addr != nil:
		return nil, ErrWriteToConnected
	case c.fd.connected:
		return nil, nil
	case addr == nil:
		return nil, errMissingAddress
	case addr.Net != c.fd.net:
		return nil, syscall.EAFNOSUPPORT
	}
	return addr.encode(c.fd.family)
}

func (c *UnixConn) sendError(addr *UnixAddr, err error) error {
	return &OpError{Op: "write", Net: c.fd.net, Source: c.fd.laddr, Addr: orNil(addr), Err: err}
}

func (c *UnixConn) WriteToUnix(b []byte, addr *UnixAddr) (n int, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	if c.fd.connected {
		return 0, c.sendError(addr, ErrWriteToConnected)
	}
	to, err := c.target(addr)
	if err == nil {
		n, err = c.fd.writeTo(b, to)
	}
	if err != nil {
		err = c.sendError(addr, err)
	}
	return n, err
}

func (c *UnixConn) WriteTo(b []byte, addr Addr) (int, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	a, ok := addr.(*UnixAddr)
	if !ok {
		return 0, &OpError{Op: "write", Net: c.fd.net, Source: c.fd.laddr, Addr: addr, Err: syscall.EINVAL}
	}
	return c.WriteToUnix(b, a)
}

func (c *UnixConn) WriteMsgUnix(b, oob []byte, addr *UnixAddr) (n, oobn int, err error) {
	if !c.ok() {
		return 0, 0, syscall.EINVAL
	}
	to, err := c.target(addr)
	if err == nil {
		n, oobn, err = c.fd.pfd.WriteMsg(b, oob, to)
		err = named("sendmsg", err)
	}
	if err != nil {
		err = c.sendError(addr, err)
	}
	return n, oobn, err
}

// A UnixListener removes its name when it is closed, if it has made it.
type UnixListener struct {
	fd     *netFD
	path   string
	unlink bool
	once   sync.Once
}

func listenUnix(ctx context.Context, network string, laddr *UnixAddr, control controlFunc) (*UnixListener, error) {
	if err := checkUnix(network, "unix", "unixpacket"); err != nil {
		return nil, err
	}
	if laddr == nil {
		return nil, errMissingAddress
	}
	fd, err := openSocket(ctx, network, kindOf(network), laddr, (*UnixAddr)(nil), control)
	if err != nil {
		return nil, err
	}
	return &UnixListener{fd: fd, path: fd.laddr.String(), unlink: true}, nil
}

func ListenUnix(network string, laddr *UnixAddr) (*UnixListener, error) {
	l, err := listenUnix(context.Background(), network, laddr, nil)
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: orNil(laddr), Err: err}
	}
	return l, nil
}

func (l *UnixListener) ok() bool { return l != nil && l.fd != nil }

func (l *UnixListener) wrap(op string, err error) error {
	return &OpError{Op: op, Net: l.fd.net, Source: nil, Addr: l.fd.laddr, Err: err}
}

func (l *UnixListener) SetUnlinkOnClose(unlink bool) { l.unlink = unlink }

func (l *UnixListener) AcceptUnix() (*UnixConn, error) {
	if !l.ok() {
		return nil, syscall.EINVAL
	}
	fd, err := l.fd.accept()
	if err != nil {
		return nil, l.wrap("accept", err)
	}
	return &UnixConn{conn{fd}}, nil
}

func (l *UnixListener) Accept() (Conn, error) {
	c, err := l.AcceptUnix()
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (l *UnixListener) Close() error {
	if !l.ok() {
		return syscall.EINVAL
	}
	l.once.Do(func() {
		if l.unlink && l.path != "" && l.path[0] != '@' {
			os.Remove(l.path)
		}
	})
	if err := l.fd.Close(); err != nil {
		return l.wrap("close", err)
	}
	return nil
}

func (l *UnixListener) Addr() Addr { return l.fd.laddr }

func (l *UnixListener) SetDeadline(t time.Time) error {
	if !l.ok() {
		return syscall.EINVAL
	}
	if err := l.fd.pfd.SetDeadline(t); err != nil {
		return l.wrap("set", err)
	}
	return nil
}

func (l *UnixListener) File() (f *os.File, err error) {
	if !l.ok() {
		return nil, syscall.EINVAL
	}
	if f, err = l.fd.dup(); err != nil {
		return nil, l.wrap("file", err)
	}
	return f, nil
}

func (l *UnixListener) SyscallConn() (syscall.RawConn, error) {
	if !l.ok() {
		return nil, syscall.EINVAL
	}
	return &rawConn{l.fd}, nil
}

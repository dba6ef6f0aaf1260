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
	return new(Dialer).dialUnix(context.Background(), network, laddr, raddr)
}

// DialUnix is net.DialUnix within the dialer's time.
func (d *Dialer) DialUnix(ctx context.Context, network string, laddr, raddr *UnixAddr) (*UnixConn, error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	return d.dialUnix(ctx, network, laddr, raddr)
}

func (d *Dialer) dialUnix(ctx context.Context, network string, laddr, raddr *UnixAddr) (*UnixConn, error) {
	err := checkUnix(network, "unix", "unixgram", "unixpacket")
	var c *UnixConn
	if err == nil {
		c, err = dialUnix(ctx, network, laddr, raddr, d.control())
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

func (c *UnixConn) CloseRead() error  { return c.shut(syscall.SHUT_RD) }
func (c *UnixConn) CloseWrite() error { return c.shut(syscall.SHUT_WR) }

// unixSender is who sent; a nameless one is nil.
func unixSender(c *conn, raw []byte) *UnixAddr {
	if len(raw) <= 2 {
		return nil
	}
	return &UnixAddr{Name: decodeUnix(raw), Net: c.fd.net}
}

func (c *UnixConn) ReadFromUnix(b []byte) (n int, addr *UnixAddr, err error) {
	return received(&c.conn, b, unixSender)
}

func (c *UnixConn) ReadFrom(b []byte) (int, Addr, error) {
	n, addr, err := c.ReadFromUnix(b)
	return n, orNil(addr), err
}

func (c *UnixConn) ReadMsgUnix(b, oob []byte) (n, oobn, flags int, addr *UnixAddr, err error) {
	return receivedMessage(&c.conn, b, oob, unixSender)
}

func (c *UnixConn) WriteToUnix(b []byte, addr *UnixAddr) (int, error) { return c.send(b, addr) }
func (c *UnixConn) WriteTo(b []byte, addr Addr) (int, error) {
	return sendTo[*UnixAddr](&c.conn, b, addr)
}

func (c *UnixConn) WriteMsgUnix(b, oob []byte, addr *UnixAddr) (n, oobn int, err error) {
	return c.sendMessage(b, oob, addr)
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

func (l *UnixListener) socket() listener {
	if l == nil {
		return listener{}
	}
	return listener{l.fd}
}

func (l *UnixListener) SetUnlinkOnClose(unlink bool) { l.unlink = unlink }

func (l *UnixListener) AcceptUnix() (*UnixConn, error) {
	fd, err := l.socket().accept()
	if err != nil {
		return nil, err
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
	s := l.socket()
	if err := s.check(); err != nil {
		return err
	}
	l.once.Do(func() {
		if l.unlink && l.path != "" && l.path[0] != '@' {
			os.Remove(l.path)
		}
	})
	return s.close()
}

func (l *UnixListener) Addr() Addr                            { return l.fd.laddr }
func (l *UnixListener) SetDeadline(t time.Time) error         { return l.socket().setDeadline(t) }
func (l *UnixListener) File() (*os.File, error)               { return l.socket().file() }
func (l *UnixListener) SyscallConn() (syscall.RawConn, error) { return l.socket().raw() }

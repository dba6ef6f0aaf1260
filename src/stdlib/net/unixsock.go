package net

import (
	"context"
	"os"
	"sync"
	"syscall"
	"time"
)

// Sockets that are named by paths.

type UnixConn struct {
	conn
}

// unix opens the socket of a request.
func unix(ctx context.Context, q *request) (*netFD, error) {
	q.kind = "unix"
	fd, err := q.open(ctx)
	return fd, q.refused(err)
}

func unixConn(ctx context.Context, q *request) (*UnixConn, error) {
	fd, err := unix(ctx, q)
	if err != nil {
		return nil, err
	}
	return &UnixConn{conn{fd}}, nil
}

func DialUnix(network string, laddr, raddr *UnixAddr) (*UnixConn, error) {
	q := request{op: "dial", network: network, local: laddr, remote: raddr}
	return unixConn(background, &q)
}

func ListenUnixgram(network string, laddr *UnixAddr) (*UnixConn, error) {
	q := request{op: "listen", network: network, local: laddr}
	if network != "unixgram" {
		return nil, q.refused(UnknownNetworkError(network))
	}
	return unixConn(background, &q)
}

func (c *UnixConn) CloseRead() error  { return c.shut(syscall.SHUT_RD) }
func (c *UnixConn) CloseWrite() error { return c.shut(syscall.SHUT_WR) }

// unixFrom is who sent on the network; a nameless one is nil.
func (d *datagram) unixFrom(c *UnixConn) *UnixAddr {
	if len(d.from) <= 2 {
		return nil
	}
	return &UnixAddr{unixName(d.from), c.fd.net}
}

func (c *UnixConn) ReadFromUnix(b []byte) (n int, addr *UnixAddr, err error) {
	d := datagram{data: b}
	err = c.receive(&d, false)
	return d.n, d.unixFrom(c), err
}

func (c *UnixConn) ReadFrom(b []byte) (int, Addr, error) {
	n, from, err := c.ReadFromUnix(b)
	return n, orNil(from), err
}

func (c *UnixConn) ReadMsgUnix(b, oob []byte) (n, oobn, flags int, addr *UnixAddr, err error) {
	d := datagram{data: b, oob: oob}
	err = c.receive(&d, true)
	return d.n, d.oobn, d.flags, d.unixFrom(c), err
}

func (c *UnixConn) WriteToUnix(b []byte, addr *UnixAddr) (int, error) {
	d := datagram{data: b}
	err := c.send(&d, false, addr)
	return d.n, err
}

func (c *UnixConn) WriteTo(b []byte, addr Addr) (int, error) {
	return sendTo[*UnixAddr](&c.conn, b, addr)
}

func (c *UnixConn) WriteMsgUnix(b, oob []byte, addr *UnixAddr) (n, oobn int, err error) {
	d := datagram{data: b, oob: oob}
	err = c.send(&d, true, addr)
	return d.n, d.oobn, err
}

// A UnixListener removes its name when it is closed, if it has made it.
type UnixListener struct {
	fd     *netFD
	path   string
	unlink bool
	once   sync.Once
}

func unixListener(ctx context.Context, q *request) (*UnixListener, error) {
	fd, err := unix(ctx, q)
	if err == nil {
		return &UnixListener{path: fd.laddr.String(), unlink: true, fd: fd}, nil
	}
	return nil, err
}

func ListenUnix(network string, laddr *UnixAddr) (*UnixListener, error) {
	q := request{op: "listen", network: network, local: laddr}
	if network == "unixgram" {
		return nil, q.refused(UnknownNetworkError(network))
	}
	return unixListener(background, &q)
}

func (l *UnixListener) socket() listener {
	if l == nil {
		return listener{}
	}
	return listener{l.fd}
}

func (l *UnixListener) AcceptUnix() (*UnixConn, error) {
	fd, err := l.socket().accept()
	if err != nil {
		return nil, err
	}
	return &UnixConn{conn{fd}}, nil
}

func (l *UnixListener) Accept() (Conn, error) {
	if c, err := l.AcceptUnix(); err != nil {
		return nil, err
	} else {
		return c, nil
	}
}

func (l *UnixListener) SetUnlinkOnClose(unlink bool) { l.unlink = unlink }

// removeName takes the name out of its folder; an abstract one is in none.
func (l *UnixListener) removeName() {
	isFile := l.path != "" && l.path[0] != '@'
	if isFile && l.unlink {
		os.Remove(l.path)
	}
}

func (l *UnixListener) Close() error {
	s := l.socket()
	if s.fd != nil {
		l.once.Do(l.removeName)
	}
	return s.close()
}

func (l *UnixListener) Addr() Addr                            { return l.fd.laddr }
func (l *UnixListener) SetDeadline(t time.Time) error         { return l.socket().setDeadline(t) }
func (l *UnixListener) File() (*os.File, error)               { return l.socket().file() }
func (l *UnixListener) SyscallConn() (syscall.RawConn, error) { return l.socket().raw() }

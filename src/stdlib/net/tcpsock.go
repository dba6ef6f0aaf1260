package net

import (
	"context"
	"io"
	"os"
	"syscall"
	"time"
)

// Sockets of TCP.

type TCPConn struct {
	conn
}

// tuned sets what every connection has: no delay.
func tuned(fd *netFD) *TCPConn {
	fd.option(syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
	return &TCPConn{conn{fd}}
}

// keepAlive sets the probes of idle connections as a Dialer or a ListenConfig wants them.
func (c *TCPConn) keepAlive(period time.Duration, config KeepAliveConfig) {
	if !config.Enable {
		if period < 0 {
			return
		}
		config = KeepAliveConfig{Enable: true, Idle: period, Interval: period}
	}
	c.SetKeepAliveConfig(config)
}

// tcp opens the connection of a request.
func tcp(ctx context.Context, q *request, d *Dialer) (*TCPConn, error) {
	q.kind = "tcp"
	fd, err := q.open(ctx)
	if err != nil {
		return nil, q.refused(err)
	}
	c := tuned(fd)
	c.keepAlive(d.KeepAlive, d.KeepAliveConfig)
	return c, nil
}

func DialTCP(network string, laddr, raddr *TCPAddr) (*TCPConn, error) {
	q := request{op: "dial", network: network, local: laddr, remote: raddr}
	return tcp(background, &q, new(Dialer))
}

// copied words the failure to copy from or to the connection, if it was not the connection's own.
func (c *TCPConn) copied(op string, err error) error {
	if _, ours := err.(*OpError); ours || err == io.EOF {
		return err
	}
	return c.between(op, err)
}

func (c *TCPConn) ReadFrom(r io.Reader) (n int64, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err = io.Copy(plainWriter{&c.conn}, r)
	return n, c.copied("readfrom", err)
}

func (c *TCPConn) WriteTo(w io.Writer) (n int64, err error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err = io.Copy(w, plainReader{&c.conn})
	return n, c.copied("writeto", err)
}

func (c *TCPConn) CloseRead() error  { return c.shut(syscall.SHUT_RD) }
func (c *TCPConn) CloseWrite() error { return c.shut(syscall.SHUT_WR) }

// number is what the kernel takes for a truth.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *TCPConn) SetNoDelay(noDelay bool) error {
	return c.setOption(syscall.IPPROTO_TCP, syscall.TCP_NODELAY, number(noDelay))
}

func (c *TCPConn) SetLinger(sec int) error {
	return c.set(func(fd *netFD) error { return fd.linger(sec) })
}

func (c *TCPConn) SetKeepAlive(keepalive bool) error {
	return c.setOption(syscall.SOL_SOCKET, syscall.SO_KEEPALIVE, number(keepalive))
}

func (c *TCPConn) SetKeepAlivePeriod(d time.Duration) error {
	return c.probes(syscall.TCP_KEEPIDLE, seconds(d), 15)
}

func (c *TCPConn) SetKeepAliveConfig(config KeepAliveConfig) error {
	err := c.SetKeepAlive(config.Enable)
	if !config.Enable {
		return err
	}
	for _, o := range [...]struct{ option, value, usual int }{
		{syscall.TCP_KEEPIDLE, seconds(config.Idle), 15},
		{syscall.TCP_KEEPINTVL, seconds(config.Interval), 15},
		{syscall.TCP_KEEPCNT, config.Count, 9},
	} {
		if err == nil {
			err = c.probes(o.option, o.value, o.usual)
		}
	}
	return err
}

// seconds rounds up; what is negative stays so.
func seconds(d time.Duration) int {
	if d < 0 {
		return -1
	}
	return int((d + time.Second - 1) / time.Second)
}

// probes sets an option of the probes: the usual value for 0. A negative one leaves it alone.
func (c *TCPConn) probes(option, value, usual int) error {
	if value < 0 {
		return nil
	}
	if value == 0 {
		value = usual
	}
	return c.setOption(syscall.IPPROTO_TCP, option, value)
}

func (c *TCPConn) MultipathTCP() (bool, error) {
	if c.ok() {
		return false, nil
	}
	return false, syscall.EINVAL
}

type TCPListener struct {
	fd *netFD
	lc ListenConfig
}

func tcpListener(ctx context.Context, q *request, lc *ListenConfig) (*TCPListener, error) {
	q.kind = "tcp"
	fd, err := q.open(ctx)
	if err != nil {
		return nil, q.refused(err)
	}
	return &TCPListener{fd, *lc}, nil
}

func ListenTCP(network string, laddr *TCPAddr) (*TCPListener, error) {
	q := request{op: "listen", network: network, local: laddr}
	if t := transportOf(network); laddr == nil && t != nil && t.kind == "tcp" {
		q.local = &TCPAddr{}
	}
	return tcpListener(background, &q, new(ListenConfig))
}

func (l *TCPListener) socket() listener {
	if l == nil {
		return listener{}
	}
	return listener{l.fd}
}

func (l *TCPListener) AcceptTCP() (*TCPConn, error) {
	fd, err := l.socket().accept()
	if err != nil {
		return nil, err
	}
	c := tuned(fd)
	c.keepAlive(l.lc.KeepAlive, l.lc.KeepAliveConfig)
	return c, nil
}

func (l *TCPListener) Accept() (Conn, error) {
	if c, err := l.AcceptTCP(); err != nil {
		return nil, err
	} else {
		return c, nil
	}
}

func (l *TCPListener) Addr() Addr                            { return l.fd.laddr }
func (l *TCPListener) Close() error                          { return l.socket().close() }
func (l *TCPListener) SetDeadline(t time.Time) error         { return l.socket().setDeadline(t) }
func (l *TCPListener) SyscallConn() (syscall.RawConn, error) { return l.socket().raw() }
func (l *TCPListener) File() (*os.File, error)               { return l.socket().file() }

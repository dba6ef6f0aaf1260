package net

import (
	"context"
	"io"
	"os"
	"syscall"
	"time"
)

type TCPConn struct {
	conn
}

// newTCPConn sets what Go sets on every connection: no delay, and probes of idle ones.
func newTCPConn(fd *netFD) *TCPConn {
	fd.option(syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
	return &TCPConn{conn{fd}}
}

// keepAlive sets the probes as a Dialer or a ListenConfig wants them.
func (c *TCPConn) keepAlive(period time.Duration, config KeepAliveConfig) {
	if !config.Enable {
		if period < 0 {
			return
		}
		config = KeepAliveConfig{Enable: true, Idle: period, Interval: period}
	}
	c.SetKeepAliveConfig(config)
}

func dialTCP(ctx context.Context, network string, laddr, raddr *TCPAddr, d *Dialer) (*TCPConn, error) {
	for try := 0; ; try++ {
		fd, err := openSocket(ctx, network, syscall.SOCK_STREAM, laddr, raddr, d.control())
		if try < 2 && (laddr == nil || laddr.Port == 0) {
			if err == nil && isSelf(fd) {
				// The kernel connected the socket with itself: nobody listens there.
				fd.Close()
				continue
			}
			if s, ok := err.(*os.SyscallError); ok && s.Err == syscall.EADDRNOTAVAIL {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		c := newTCPConn(fd)
		c.keepAlive(d.KeepAlive, d.KeepAliveConfig)
		return c, nil
	}
}

func isSelf(fd *netFD) bool {
	l, ok1 := fd.laddr.(*TCPAddr)
	r, ok2 := fd.raddr.(*TCPAddr)
	return !ok1 || !ok2 || l.Port == r.Port && l.IP.Equal(r.IP)
}

func DialTCP(network string, laddr, raddr *TCPAddr) (*TCPConn, error) {
	return new(Dialer).dialTCP(context.Background(), network, laddr, raddr)
}

func (d *Dialer) dialTCP(ctx context.Context, network string, laddr, raddr *TCPAddr) (*TCPConn, error) {
	var err error
	switch network {
	case "tcp", "tcp4", "tcp6":
		if raddr == nil {
			err = errMissingAddress
		}
	default:
		err = UnknownNetworkError(network)
	}
	var c *TCPConn
	if err == nil {
		c, err = dialTCP(ctx, network, laddr, raddr, d)
	}
	if err != nil {
		return nil, &OpError{Op: "dial", Net: network, Source: orNil(laddr), Addr: orNil(raddr), Err: err}
	}
	return c, nil
}

// orNil makes an interface that is nil if the address is.
func orNil(a sockaddr) Addr {
	if a.missing() {
		return nil
	}
	return a
}

func (c *TCPConn) ReadFrom(r io.Reader) (int64, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err := io.Copy(plainWriter{&c.conn}, r)
	if err != nil && err != io.EOF {
		if _, ours := err.(*OpError); !ours {
			err = c.wrap("readfrom", err)
		}
	}
	return n, err
}

func (c *TCPConn) WriteTo(w io.Writer) (int64, error) {
	if !c.ok() {
		return 0, syscall.EINVAL
	}
	n, err := io.Copy(w, plainReader{&c.conn})
	if err != nil && err != io.EOF {
		if _, ours := err.(*OpError); !ours {
			err = c.wrap("writeto", err)
		}
	}
	return n, err
}

func (c *TCPConn) CloseRead() error  { return c.shut(syscall.SHUT_RD) }
func (c *TCPConn) CloseWrite() error { return c.shut(syscall.SHUT_WR) }

// option sets a socket option.
func (c *TCPConn) option(level, option, value int) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.set(c.fd.option(level, option, value))
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *TCPConn) SetNoDelay(noDelay bool) error {
	return c.option(syscall.IPPROTO_TCP, syscall.TCP_NODELAY, number(noDelay))
}

func (c *TCPConn) SetKeepAlive(keepalive bool) error {
	return c.option(syscall.SOL_SOCKET, syscall.SO_KEEPALIVE, number(keepalive))
}

// seconds rounds up; the default for 0, −1 to leave things alone if negative.
func seconds(d, byDefault time.Duration) int {
	switch {
	case d == 0:
		d = byDefault
	case d < 0:
		return -1
	}
	return int((d + time.Second - 1) / time.Second)
}

const probePeriod = 15 * time.Second

func (c *TCPConn) SetKeepAlivePeriod(d time.Duration) error {
	if n := seconds(d, probePeriod); n >= 0 {
		return c.option(syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE, n)
	}
	return nil
}

func (c *TCPConn) SetKeepAliveConfig(config KeepAliveConfig) error {
	if err := c.SetKeepAlive(config.Enable); err != nil || !config.Enable {
		return err
	}
	if err := c.SetKeepAlivePeriod(config.Idle); err != nil {
		return err
	}
	if n := seconds(config.Interval, probePeriod); n >= 0 {
		if err := c.option(syscall.IPPROTO_TCP, syscall.TCP_KEEPINTVL, n); err != nil {
			return err
		}
	}
	count := config.Count
	if count == 0 {
		count = 9
	}
	if count < 0 {
		return nil
	}
	return c.option(syscall.IPPROTO_TCP, syscall.TCP_KEEPCNT, count)
}

func (c *TCPConn) SetLinger(sec int) error {
	if !c.ok() {
		return syscall.EINVAL
	}
	return c.set(c.fd.linger(sec))
}

func (c *TCPConn) MultipathTCP() (bool, error) {
	if !c.ok() {
		return false, syscall.EINVAL
	}
	return false, nil
}

type TCPListener struct {
	fd *netFD
	lc ListenConfig
}

func listenTCP(ctx context.Context, network string, laddr *TCPAddr, lc *ListenConfig) (*TCPListener, error) {
	fd, err := openSocket(ctx, network, syscall.SOCK_STREAM, laddr, (*TCPAddr)(nil), lc.control())
	if err != nil {
		return nil, err
	}
	return &TCPListener{fd: fd, lc: *lc}, nil
}

func ListenTCP(network string, laddr *TCPAddr) (*TCPListener, error) {
	var err error
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		err = UnknownNetworkError(network)
	}
	var l *TCPListener
	if err == nil {
		if laddr == nil {
			laddr = &TCPAddr{}
		}
		l, err = listenTCP(context.Background(), network, laddr, &ListenConfig{})
	}
	if err != nil {
		return nil, &OpError{Op: "listen", Net: network, Source: nil, Addr: orNil(laddr), Err: err}
	}
	return l, nil
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
	c := newTCPConn(fd)
	c.keepAlive(l.lc.KeepAlive, l.lc.KeepAliveConfig)
	return c, nil
}

func (l *TCPListener) Accept() (Conn, error) {
	c, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (l *TCPListener) Close() error                          { return l.socket().close() }
func (l *TCPListener) Addr() Addr                            { return l.fd.laddr }
func (l *TCPListener) SetDeadline(t time.Time) error         { return l.socket().setDeadline(t) }
func (l *TCPListener) File() (*os.File, error)               { return l.socket().file() }
func (l *TCPListener) SyscallConn() (syscall.RawConn, error) { return l.socket().raw() }

package net

import (
	"os"
	"syscall"
	"time"
)

// A listener is what TCPListener and UnixListener have in common. Without a socket it refuses all.
type listener struct{ fd *netFD }

func (l listener) check() error {
	if l.fd == nil {
		return syscall.EINVAL
	}
	return nil
}

// wrap tells what failed.
func (l listener) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return &OpError{Op: op, Net: l.fd.net, Source: nil, Addr: l.fd.laddr, Err: err}
}

func (l listener) accept() (*netFD, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	fd, err := l.fd.accept()
	return fd, l.wrap("accept", err)
}

func (l listener) close() error {
	if err := l.check(); err != nil {
		return err
	}
	return l.wrap("close", l.fd.Close())
}

func (l listener) setDeadline(t time.Time) error {
	if err := l.check(); err != nil {
		return err
	}
	return l.fd.pfd.SetDeadline(t)
}

func (l listener) file() (*os.File, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	f, err := l.fd.dup()
	return f, l.wrap("file", err)
}

func (l listener) raw() (syscall.RawConn, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return &rawConn{l.fd}, nil
}

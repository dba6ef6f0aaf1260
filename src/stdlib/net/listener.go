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

// about tells what failed.
func (l listener) about(op string, err error) error {
	return failure(op, l.fd.net, nil, l.fd.laddr, err)
}

func (l listener) accept() (*netFD, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	fd, err := l.fd.accept()
	return fd, l.about("accept", err)
}

func (l listener) close() error {
	if err := l.check(); err != nil {
		return err
	}
	return l.about("close", l.fd.Close())
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
	f, err := l.fd.file()
	return f, l.about("file", err)
}

func (l listener) raw() (syscall.RawConn, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return &rawConn{l.fd}, nil
}

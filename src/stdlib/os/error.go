package os

import (
	"errors"
	"internal/poll"
	"io/fs"
	"syscall"
)

// Errors: which call failed, on what, and why.

var (
	ErrInvalid          = fs.ErrInvalid
	ErrPermission       = fs.ErrPermission
	ErrExist            = fs.ErrExist
	ErrNotExist         = fs.ErrNotExist
	ErrClosed           = fs.ErrClosed
	ErrNoDeadline       = poll.ErrNoDeadline
	ErrDeadlineExceeded = poll.ErrDeadlineExceeded
	ErrProcessDone      = errors.New("os: process already finished")
)

type SyscallError struct {
	Syscall string
	Err     error
}

func (e *SyscallError) Error() string { return e.Syscall + ": " + e.Err.Error() }
func (e *SyscallError) Unwrap() error { return e.Err }

func (e *SyscallError) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func NewSyscallError(syscall string, err error) error {
	if err == nil {
		return nil
	}
	return &SyscallError{syscall, err}
}

type LinkError struct {
	Op  string
	Old string
	New string
	Err error
}

func (e *LinkError) Error() string { return e.Op + " " + e.Old + " " + e.New + ": " + e.Err.Error() }
func (e *LinkError) Unwrap() error { return e.Err }

// underlying is the error inside one of this package's kinds.
func underlying(err error) error {
	switch e := err.(type) {
	case *PathError:
		return e.Err
	case *LinkError:
		return e.Err
	case *SyscallError:
		return e.Err
	}
	return err
}

func is(err, target error) bool {
	err = underlying(err)
	if err == target {
		return true
	}
	e, ok := err.(syscall.Errno)
	return ok && e.Is(target)
}

func IsExist(err error) bool      { return is(err, ErrExist) }
func IsNotExist(err error) bool   { return is(err, ErrNotExist) }
func IsPermission(err error) bool { return is(err, ErrPermission) }

func IsTimeout(err error) bool {
	t, ok := underlying(err).(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func pathError(op, path string, errno int) error {
	if errno == 0 {
		return nil
	}
	return &PathError{Op: op, Path: path, Err: syscall.Errno(errno)}
}

func linkError(op, from, to string, errno int) error {
	if errno == 0 {
		return nil
	}
	return &LinkError{op, from, to, syscall.Errno(errno)}
}

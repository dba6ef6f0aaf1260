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

// LinkError tells which call failed on two paths.
type LinkError struct {
	Op  string
	Old string
	New string
	Err error
}

// SyscallError tells which system call failed.
type SyscallError struct {
	Syscall string
	Err     error
}

func (on *LinkError) Error() string {
	return on.Op + " " + on.Old + " " + on.New + ": " + on.Err.Error()
}

func (in *SyscallError) Error() string { return in.Syscall + ": " + in.Err.Error() }

func (on *LinkError) Unwrap() error    { return on.Err }
func (in *SyscallError) Unwrap() error { return in.Err }

func (in *SyscallError) Timeout() bool { return expired(in.Err) }

// NewSyscallError is nil of nil.
func NewSyscallError(syscall string, err error) error {
	if err != nil {
		err = &SyscallError{syscall, err}
	}
	return err
}

// expired tells whether an error says that time is up.
func expired(err error) bool {
	timed, ok := err.(interface{ Timeout() bool })
	return ok && timed.Timeout()
}

// underlying is the error inside one of this package's kinds.
func underlying(err error) error {
	switch e := err.(type) {
	case *SyscallError:
		return e.Err
	case *LinkError:
		return e.Err
	case *PathError:
		return e.Err
	}
	return err
}

func is(err, target error) bool {
	err = underlying(err)
	if errno, ok := err.(syscall.Errno); ok && errno.Is(target) {
		return true
	}
	return err == target
}

func IsExist(err error) bool      { return is(err, ErrExist) }
func IsNotExist(err error) bool   { return is(err, ErrNotExist) }
func IsPermission(err error) bool { return is(err, ErrPermission) }
func IsTimeout(err error) bool    { return expired(underlying(err)) }

// kernels is the error for a number of the kernel's, of which 0 is none.
func kernels(errno int) error {
	if errno == 0 {
		return nil
	}
	return syscall.Errno(errno)
}

// onPath and onPaths put around an error, if there is one, what was done to what.
func onPath(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &PathError{op, path, err}
}

func onPaths(op, from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &LinkError{op, from, to, err}
}

// renamed puts the name that the program knows into the error.
func renamed(err error, name string) error {
	if e, ok := err.(*PathError); ok {
		e.Path = name
	}
	return err
}

// again repeats a call while a signal interrupts it.
func again(call func() error) error {
	err := call()
	for err == syscall.EINTR {
		err = call()
	}
	return err
}

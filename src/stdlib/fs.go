// Package fs: what files are, whoever keeps them.
package fs

import (
	"errors"
	"time"
)

var (
	ErrInvalid    = errInvalid()
	ErrPermission = errPermission()
	ErrExist      = errExist()
	ErrNotExist   = errNotExist()
	ErrClosed     = errClosed()
)

func errInvalid() error    { return errors.New("invalid argument") }
func errPermission() error { return errors.New("permission denied") }
func errExist() error      { return errors.New("file already exists") }
func errNotExist() error   { return errors.New("file does not exist") }
func errClosed() error     { return errors.New("file already closed") }

type PathError struct {
	Op   string
	Path string
	Err  error
}

func (e *PathError) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }
func (e *PathError) Unwrap() error { return e.Err }

func (e *PathError) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

type FileMode uint32

const (
	ModeDir        FileMode = 1 << (32 - 1 - iota) // d
	ModeAppend                                     // a
	ModeExclusive                                  // l
	ModeTemporary                                  // T
	ModeSymlink                                    // L
	ModeDevice                                     // D
	ModeNamedPipe                                  // p
	ModeSocket                                     // S
	ModeSetuid                                     // u
	ModeSetgid                                     // g
	ModeCharDevice                                 // c
	ModeSticky                                     // t
	ModeIrregular                                  // ?

	ModeType          = ModeDir | ModeSymlink | ModeNamedPipe | ModeSocket | ModeDevice | ModeCharDevice | ModeIrregular
	ModePerm FileMode = 0777
)

func (m FileMode) String() string {
	const kinds = "dalTLDpSugct?"
	const rights = "rwxrwxrwx"
	var buf []byte
	for i := range len(kinds) {
		if m&(1<<uint(32-1-i)) != 0 {
			buf = append(buf, kinds[i])
		}
	}
	if len(buf) == 0 {
		buf = append(buf, '-')
	}
	for i := range len(rights) {
		if m&(1<<uint(9-1-i)) != 0 {
			buf = append(buf, rights[i])
		} else {
			buf = append(buf, '-')
		}
	}
	return string(buf)
}

func (m FileMode) IsDir() bool     { return m&ModeDir != 0 }
func (m FileMode) IsRegular() bool { return m&ModeType == 0 }
func (m FileMode) Perm() FileMode  { return m & ModePerm }
func (m FileMode) Type() FileMode  { return m & ModeType }

type FileInfo interface {
	Name() string
	Size() int64
	Mode() FileMode
	ModTime() time.Time
	IsDir() bool
	Sys() any
}

type DirEntry interface {
	Name() string
	IsDir() bool
	Type() FileMode
	Info() (FileInfo, error)
}

// Package net: connections, listeners and names.
//
// Sockets are non-blocking descriptors in the poller (internal/poll); names come from the hosts file and from DNS servers, asked
// by this package itself.
package net

import (
	"context"
	"errors"
	"internal/poll"
	"io"
	"os"
	"strings"
	"time"
)

type Addr interface {
	Network() string
	String() string
}

type Conn interface {
	Read(b []byte) (n int, err error)
	Write(b []byte) (n int, err error)
	Close() error
	LocalAddr() Addr
	RemoteAddr() Addr
	SetDeadline(t time.Time) error
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

type PacketConn interface {
	ReadFrom(p []byte) (n int, addr Addr, err error)
	WriteTo(p []byte, addr Addr) (n int, err error)
	Close() error
	LocalAddr() Addr
	SetDeadline(t time.Time) error
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

type Listener interface {
	Accept() (Conn, error)
	Close() error
	Addr() Addr
}

type Error interface {
	error
	Timeout() bool
	Temporary() bool
}

var (
	ErrClosed           error = poll.ErrNetClosing
	ErrWriteToConnected       = errors.New("use of WriteTo with pre-connected connection")

	errNoSuitableAddress       = errors.New("no suitable address found")
	errMissingAddress          = errors.New("missing address")
	errCanceled          error = canceledError{}
	errTimeout           error = &timeoutError{}
	errNoSuchHost        error = &notFoundError{"no such host"}
	errUnknownPort       error = &notFoundError{"unknown port"}
)

type canceledError struct{}

func (canceledError) Error() string        { return "operation was canceled" }
func (canceledError) Is(target error) bool { return target == context.Canceled }

type timeoutError struct{}

func (*timeoutError) Error() string        { return "i/o timeout" }
func (*timeoutError) Timeout() bool        { return true }
func (*timeoutError) Temporary() bool      { return true }
func (*timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

type notFoundError struct{ text string }

func (e *notFoundError) Error() string { return e.text }

// A failure that may pass.
type temporaryError struct{ text string }

func (e *temporaryError) Error() string   { return e.text }
func (e *temporaryError) Timeout() bool   { return false }
func (e *temporaryError) Temporary() bool { return true }

// contextError words the end of a context as this package does.
func contextError(err error) error {
	switch err {
	case context.Canceled:
		return errCanceled
	case context.DeadlineExceeded:
		return errTimeout
	}
	return err
}

type OpError struct {
	Op     string
	Net    string
	Source Addr
	Addr   Addr
	Err    error
}

func (e *OpError) Unwrap() error { return e.Err }

func (e *OpError) Error() string {
	if e == nil {
		return "<nil>"
	}
	text := e.Op
	if e.Net != "" {
		text += " " + e.Net
	}
	switch {
	case e.Source != nil && e.Addr != nil:
		text += " " + e.Source.String() + "->" + e.Addr.String()
	case e.Source != nil:
		text += " " + e.Source.String()
	case e.Addr != nil:
		text += " " + e.Addr.String()
	}
	return text + ": " + e.Err.Error()
}

// cause is the error to ask, below the name of a system call.
func (e *OpError) cause() error {
	if s, ok := e.Err.(*os.SyscallError); ok {
		return s.Err
	}
	return e.Err
}

func (e *OpError) Timeout() bool {
	t, ok := e.cause().(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func (e *OpError) Temporary() bool {
	if e.Op == "accept" && isConnectionError(e.Err) {
		return true
	}
	t, ok := e.cause().(interface{ Temporary() bool })
	return ok && t.Temporary()
}

type ParseError struct {
	Type string
	Text string
}

func (e *ParseError) Error() string   { return "invalid " + e.Type + ": " + e.Text }
func (e *ParseError) Timeout() bool   { return false }
func (e *ParseError) Temporary() bool { return false }

type AddrError struct {
	Err  string
	Addr string
}

func (e *AddrError) Error() string {
	switch {
	case e == nil:
		return "<nil>"
	case e.Addr != "":
		return "address " + e.Addr + ": " + e.Err
	}
	return e.Err
}

func (e *AddrError) Timeout() bool   { return false }
func (e *AddrError) Temporary() bool { return false }

type UnknownNetworkError string

func (e UnknownNetworkError) Error() string   { return "unknown network " + string(e) }
func (e UnknownNetworkError) Timeout() bool   { return false }
func (e UnknownNetworkError) Temporary() bool { return false }

type InvalidAddrError string

func (e InvalidAddrError) Error() string   { return string(e) }
func (e InvalidAddrError) Timeout() bool   { return false }
func (e InvalidAddrError) Temporary() bool { return false }

type DNSConfigError struct {
	Err error
}

func (e *DNSConfigError) Unwrap() error   { return e.Err }
func (e *DNSConfigError) Error() string   { return "error reading DNS config: " + e.Err.Error() }
func (e *DNSConfigError) Timeout() bool   { return false }
func (e *DNSConfigError) Temporary() bool { return false }

type DNSError struct {
	UnwrapErr   error
	Err         string
	Name        string
	Server      string
	IsTimeout   bool
	IsTemporary bool
	IsNotFound  bool
}

func newDNSError(err error, name, server string) *DNSError {
	e := &DNSError{Err: err.Error(), Name: name, Server: server}
	if err, ok := err.(Error); ok {
		e.IsTimeout, e.IsTemporary = err.Timeout(), err.Temporary()
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		e.UnwrapErr = err
	}
	_, e.IsNotFound = err.(*notFoundError)
	return e
}

func (e *DNSError) Unwrap() error { return e.UnwrapErr }

func (e *DNSError) Error() string {
	if e == nil {
		return "<nil>"
	}
	text := "lookup " + e.Name
	if e.Server != "" {
		text += " on " + e.Server
	}
	return text + ": " + e.Err
}

func (e *DNSError) Timeout() bool   { return e.IsTimeout }
func (e *DNSError) Temporary() bool { return e.IsTimeout || e.IsTemporary }

// Buffers are byte slices to be written in one go.
type Buffers [][]byte

func (v *Buffers) WriteTo(w io.Writer) (n int64, err error) {
	for _, b := range *v {
		m, err := w.Write(b)
		n += int64(m)
		if err != nil {
			v.consume(n)
			return n, err
		}
	}
	v.consume(n)
	return n, nil
}

func (v *Buffers) Read(p []byte) (n int, err error) {
	for n < len(p) && len(*v) > 0 {
		m := copy(p[n:], (*v)[0])
		v.consume(int64(m))
		n += m
	}
	if len(*v) == 0 {
		err = io.EOF
	}
	return n, err
}

// consume leaves n bytes behind; a buffer that has been used up is not kept.
func (v *Buffers) consume(n int64) {
	for ; len(*v) > 0; *v = (*v)[1:] {
		first := &(*v)[0]
		size := int64(len(*first))
		if n < size {
			*first = (*first)[n:]
			return
		}
		n -= size
		*first = nil
	}
}

func JoinHostPort(host, port string) string {
	if strings.IndexByte(host, ':') >= 0 {
		return "[" + host + "]:" + port
	}
	return host + ":" + port
}

func SplitHostPort(hostport string) (host, port string, err error) {
	const noPort, colons = "missing port in address", "too many colons in address"
	fault := ""
	end := -1 // of the part in brackets
	colon := strings.LastIndexByte(hostport, ':')
	if colon < 0 {
		fault = noPort
	} else if host, port = hostport[:colon], hostport[colon+1:]; hostport[0] != '[' {
		if strings.Contains(host, ":") {
			fault = colons
		}
	} else if end = strings.IndexByte(hostport, ']'); end < 0 {
		fault = "missing ']' in address"
	} else if end+1 == colon {
		host = hostport[1:end]
	} else if strings.HasPrefix(hostport[end+1:], ":") {
		fault = colons
	} else {
		fault = noPort
	}
	switch {
	case fault != "":
	case strings.LastIndexByte(hostport, '[') > 0:
		fault = "unexpected '[' in address"
	case strings.LastIndexByte(hostport, ']') > end:
		fault = "unexpected ']' in address"
	default:
		return host, port, nil
	}
	return "", "", &AddrError{Err: fault, Addr: hostport}
}

// splitZone takes the zone off an IPv6 address.
func splitZone(s string) (host, zone string) {
	if i := strings.LastIndexByte(s, '%'); i > 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

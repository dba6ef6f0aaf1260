// Package net: connections, listeners and names.
//
// An address is a host's number, a port and a zone (place, in addr.go), or a path. What a program
// calls a network ("tcp4") is looked up once in a table of transports. Every Dial and Listen fills
// in a request (request.go): which transport, from where, to where. A request makes a socket in
// steps: options, the program's control function, bind, and connect or listen. Dialer and
// ListenConfig (dial.go) find the addresses to make requests of, and let the two families of IP
// race. Sockets are non-blocking descriptors in the poller (internal/poll) with their addresses
// (fd.go); connections are thin types around them, which word errors: failure makes all OpErrors.
//
// Names (lookup.go) come from the hosts file and from DNS servers, which are asked by the client in
// dnsclient.go. It reads and writes messages by a cursor over the wire form (dnswire.go). Addresses
// and masks themselves are in ip.go; package net/netip does the reading and writing of their text.
//
// This file holds the interfaces, the errors, Buffers, and hosts joined with ports.
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

	addressMissing       = errors.New("missing address")
	noneSuitable         = errors.New("no suitable address found")
	calledOff      error = canceledError{}
	tooLate        error = &timeoutError{}
	unknownHost    error = &absence{"no such host"}
	unknownService error = &absence{"unknown port"}
)

// A canceledError is how this package words context.Canceled.
type canceledError struct{}

func (canceledError) Is(target error) bool { return target == context.Canceled }
func (canceledError) Error() string        { return "operation was canceled" }

// A timeoutError is how this package words context.DeadlineExceeded.
type timeoutError struct{}

func (*timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
func (*timeoutError) Error() string        { return "i/o timeout" }
func (*timeoutError) Temporary() bool      { return true }
func (*timeoutError) Timeout() bool        { return true }

// An absence is the failure to find what was looked up.
type absence struct{ text string }

func (e *absence) Error() string { return e.text }

// A temporaryError may pass.
type temporaryError struct{ text string }

func (e *temporaryError) Error() string   { return e.text }
func (e *temporaryError) Temporary() bool { return true }
func (e *temporaryError) Timeout() bool   { return false }

// contextError words the end of a context as this package does.
func contextError(err error) error {
	switch err {
	case context.Canceled:
		return calledOff
	case context.DeadlineExceeded:
		return tooLate
	}
	return err
}

// OpError tells which operation failed, on what network, and between which addresses.
type OpError struct {
	Op     string
	Net    string
	Source Addr
	Addr   Addr
	Err    error
}

// failure is the OpError for err, or nil if there is no err.
func failure(op, network string, source, addr Addr, err error) error {
	if err == nil {
		return nil
	}
	return &OpError{op, network, source, addr, err}
}

func (e *OpError) Error() string {
	if e == nil {
		return "<nil>"
	}
	text := e.Op
	if e.Net != "" {
		text += " " + e.Net
	}
	before := " "
	for _, end := range [...]Addr{e.Source, e.Addr} {
		if end != nil {
			text += before + end.String()
			before = "->"
		}
	}
	return text + ": " + e.Err.Error()
}

func (e *OpError) Unwrap() error { return e.Err }

// quality asks the error, below the name of a system call, by the method that ask calls.
func quality[T any](e *OpError, ask func(T) bool) bool {
	root := e.Err
	if s, ok := root.(*os.SyscallError); ok {
		root = s.Err
	}
	able, ok := root.(T)
	return ok && ask(able)
}

func (e *OpError) Timeout() bool {
	type expiring interface{ Timeout() bool }
	return quality(e, expiring.Timeout)
}

func (e *OpError) Temporary() bool {
	type passing interface{ Temporary() bool }
	return e.Op == "accept" && isConnectionError(e.Err) || quality(e, passing.Temporary)
}

type (
	UnknownNetworkError string
	InvalidAddrError    string

	ParseError struct {
		Type string
		Text string
	}

	AddrError struct {
		Err  string
		Addr string
	}

	DNSConfigError struct {
		Err error
	}
)

func (text InvalidAddrError) Error() string    { return string(text) }
func (name UnknownNetworkError) Error() string { return "unknown network " + string(name) }
func (e *ParseError) Error() string            { return "invalid " + e.Type + ": " + e.Text }

func (e *AddrError) Error() string {
	switch {
	case e == nil:
		return "<nil>"
	case e.Addr != "":
		return "address " + e.Addr + ": " + e.Err
	}
	return e.Err
}

func (e *DNSConfigError) Error() string { return "error reading DNS config: " + e.Err.Error() }
func (e *DNSConfigError) Unwrap() error { return e.Err }

// None of these comes from waiting, and none passes.

func (InvalidAddrError) Temporary() bool    { return false }
func (UnknownNetworkError) Temporary() bool { return false }
func (*ParseError) Temporary() bool         { return false }
func (*AddrError) Temporary() bool          { return false }
func (*DNSConfigError) Temporary() bool     { return false }

func (InvalidAddrError) Timeout() bool    { return false }
func (UnknownNetworkError) Timeout() bool { return false }
func (*ParseError) Timeout() bool         { return false }
func (*AddrError) Timeout() bool          { return false }
func (*DNSConfigError) Timeout() bool     { return false }

type DNSError struct {
	UnwrapErr   error
	Err         string
	Name        string
	Server      string
	IsTimeout   bool
	IsTemporary bool
	IsNotFound  bool
}

// lookupError says that a name could not be looked up, and what err tells of the kind of failure.
func lookupError(err error, name, server string) *DNSError {
	e := &DNSError{Err: err.Error(), Name: name, Server: server}
	switch cause := err.(type) {
	case *absence:
		e.IsNotFound = true
	case Error:
		e.IsTimeout, e.IsTemporary = cause.Timeout(), cause.Temporary()
	}
	for _, end := range [...]error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, end) {
			e.UnwrapErr = err
		}
	}
	return e
}

func (e *DNSError) Temporary() bool { return e.IsTemporary || e.IsTimeout }
func (e *DNSError) Timeout() bool   { return e.IsTimeout }
func (e *DNSError) Unwrap() error   { return e.UnwrapErr }

// Error tells the server only if one was asked.
func (e *DNSError) Error() (text string) {
	if e == nil {
		return "<nil>"
	}
	text = "lookup " + e.Name
	if e.Server != "" {
		text += " on " + e.Server
	}
	return text + ": " + e.Err
}

// Buffers are byte slices to be written in one go.
type Buffers [][]byte

func (v *Buffers) WriteTo(w io.Writer) (n int64, err error) {
	for i := 0; i < len(*v) && err == nil; i++ {
		var written int
		written, err = w.Write((*v)[i])
		n += int64(written)
	}
	v.consume(n)
	return n, err
}

func (v *Buffers) Read(p []byte) (n int, err error) {
	for _, b := range *v {
		n += copy(p[n:], b)
	}
	if len(p) > 0 {
		v.consume(int64(n))
	}
	if len(*v) == 0 {
		err = io.EOF
	}
	return n, err
}

// consume leaves n bytes behind; a buffer that has been used up is not kept.
func (v *Buffers) consume(n int64) {
	spent := 0
	for _, b := range *v {
		if int64(len(b)) > n {
			break
		}
		n -= int64(len(b))
		spent++
	}
	clear((*v)[:spent])
	if *v = (*v)[spent:]; len(*v) > 0 {
		(*v)[0] = (*v)[0][n:]
	}
}

func JoinHostPort(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
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

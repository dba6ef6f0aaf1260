// Package http: clients and servers of HTTP/1 and HTTP/2.
//
// A message, Request or Response, is a start line, a Header and a body. Over HTTP/1 both are read
// through a bufio.Reader; transfer.go decides from the header how the end of the body is known, and
// body reads up to it. Writing goes the other way: a framing decides how the body is to be sent,
// writes the fields that say so, and then the body.
//
// A Server has one conn for each connection (conn.go). It reads a request, calls the handler with a
// response (answer.go), sends what is left of the answer, and begins anew. What handlers write lies
// in a buffer until it is full or they have returned; only then the head is made, as the answer's
// length and type may be known by then. Beside the handler a clientReader may wait for the client to
// go. HTTP/2 (the files that begin with h2) has a goroutine that reads frames, one for each request,
// and the same Request and ResponseWriter on top.
//
// A ServeMux (mux.go, pattern.go) finds handlers by a tree of segments of paths. Files and parts of
// them are served by fs.go, other ready-made handlers are in handlers.go.
//
// A Transport keeps links to servers (transport.go, link.go), and a Client follows redirections
// (client.go).
//
// This file has what all of them share: errors, versions, keys of contexts.
package http

import (
	"errors"
	"fmt"
	"internal/chunked"
	"io"
	"strconv"
	"strings"
	"time"
)

// ProtocolError is an error of the protocol.
type ProtocolError struct {
	ErrorString string
}

// Is makes ErrNotSupported errors.ErrUnsupported.
func (pe *ProtocolError) Is(err error) bool {
	return err == errors.ErrUnsupported && pe == ErrNotSupported
}

func (pe *ProtocolError) Error() string { return pe.ErrorString }

var (
	ErrNotSupported         = &ProtocolError{"feature not supported"}
	ErrUnexpectedTrailer    = &ProtocolError{"trailer header without chunked transfer encoding"}
	ErrMissingBoundary      = &ProtocolError{"no multipart boundary param in Content-Type"}
	ErrNotMultipart         = &ProtocolError{"request Content-Type isn't multipart/form-data"}
	ErrHeaderTooLong        = &ProtocolError{"header too long"}
	ErrShortBody            = &ProtocolError{"entity body too short"}
	ErrMissingContentLength = &ProtocolError{"missing ContentLength in HEAD response"}

	ErrMissingFile              = errors.New("http: no such file")
	ErrNoCookie                 = errors.New("http: named cookie not present")
	ErrNoLocation               = errors.New("http: no Location header in response")
	ErrBodyNotAllowed           = errors.New("http: request method or response status code does not allow body")
	ErrHijacked                 = errors.New("http: connection has been hijacked")
	ErrContentLength            = errors.New("http: wrote more than the declared Content-Length")
	ErrWriteAfterFlush          = errors.New("unused")
	ErrAbortHandler             = errors.New("net/http: abort Handler")
	ErrServerClosed             = errors.New("http: Server closed")
	ErrHandlerTimeout           = errors.New("http: Handler timeout")
	ErrBodyReadAfterClose       = errors.New("http: invalid Read on closed Body")
	ErrSkipAltProtocol          = errors.New("net/http: skip alternate protocol")
	ErrUseLastResponse          = errors.New("net/http: use last response")
	ErrSchemeMismatch           = errors.New("http: server gave HTTP response to HTTPS client")
	ErrLineTooLong              = chunked.ErrLineTooLong
	errLongHead                 = errors.New("http: request too large")
	errNilURL                   = errors.New("http: nil Request.URL")
	errNilHeader                = errors.New("http: nil Request.Header")
	errNoHost                   = errors.New("http: no Host in request URL")
	errMissingForm              = errors.New("missing form body")
	errMultipartByReader        = errors.New("http: multipart handled by MultipartReader")
	_                     error = (*ProtocolError)(nil)
)

func badString(what, val string) error { return fmt.Errorf("%s %q", what, val) }

func quote(s string) string { return strconv.Quote(s) }

func orDefault(value, usual string) string {
	if value == "" {
		return usual
	}
	return value
}

// Protocols is a set of versions of HTTP.
type Protocols struct {
	bits uint8
}

const (
	withHTTP1 = 1 << iota
	withHTTP2
	withPlainHTTP2
)

func (p Protocols) HTTP1() bool                  { return p.bits&withHTTP1 != 0 }
func (p Protocols) HTTP2() bool                  { return p.bits&withHTTP2 != 0 }
func (p Protocols) UnencryptedHTTP2() bool       { return p.bits&withPlainHTTP2 != 0 }
func (p *Protocols) SetHTTP1(ok bool)            { p.set(withHTTP1, ok) }
func (p *Protocols) SetHTTP2(ok bool)            { p.set(withHTTP2, ok) }
func (p *Protocols) SetUnencryptedHTTP2(ok bool) { p.set(withPlainHTTP2, ok) }

func (p *Protocols) set(bit uint8, ok bool) {
	p.bits &^= bit
	if ok {
		p.bits |= bit
	}
}

func (p Protocols) String() string {
	text := "{"
	for i, name := range [...]string{"HTTP1", "HTTP2", "UnencryptedHTTP2"} {
		if p.bits&(1<<i) == 0 {
			continue
		}
		if text != "{" {
			text += ","
		}
		text += name
	}
	return text + "}"
}

// HTTP2Config is how HTTP/2 is spoken; for what is 0 there is a usual value.
type HTTP2Config struct {
	MaxConcurrentStreams          int
	StrictMaxConcurrentRequests   bool
	MaxDecoderHeaderTableSize     int
	MaxEncoderHeaderTableSize     int
	MaxReadFrameSize              int
	MaxReceiveBufferPerConnection int
	MaxReceiveBufferPerStream     int
	SendPingTimeout               time.Duration
	PingTimeout                   time.Duration
	WriteByteTimeout              time.Duration
	PermitProhibitedCipherSuites  bool
	CountError                    func(errType string)
}

// PushOptions say more of a request that is promised.
type PushOptions struct {
	Method string
	Header Header
}

// Pusher is a ResponseWriter of HTTP/2: it promises the client the answer to a request that it has
// not made.
type Pusher interface {
	Push(target string, opts *PushOptions) error
}

// contextKey is a key of values in contexts.
type contextKey struct{ name string }

func (k *contextKey) String() string { return "net/http context value " + k.name }

var (
	// ServerContextKey gives a handler its *Server.
	ServerContextKey = &contextKey{"http-server"}
	// LocalAddrContextKey gives a handler the net.Addr at which the connection has come.
	LocalAddrContextKey = &contextKey{"local-addr"}
)

// NoBody is a body of no bytes.
var NoBody = noBody{}

type noBody struct{}

func (noBody) WriteTo(io.Writer) (int64, error) { return 0, nil }
func (noBody) Read([]byte) (int, error)         { return 0, io.EOF }
func (noBody) Close() error                     { return nil }

// longAgo as a deadline ends what waits.
var longAgo = time.Unix(1, 0)

// withoutPort cuts a port off.
func withoutPort(host string) string {
	if i := strings.LastIndexAny(host, ":]"); i >= 0 && host[i] == ':' {
		return host[:i]
	}
	return host
}

func hasControl(s string) bool {
	return !consistsOf(s, func(c byte) bool { return c >= ' ' && c != 0x7f })
}

// escapeNonASCII writes bytes that are not ASCII as %xx.
func escapeNonASCII(s string) string {
	if isASCII(s) {
		return s
	}
	const digits = "0123456789abcdef"
	out := []byte(s[:0])
	for len(s) > 0 {
		if c := s[0]; c >= 0x80 {
			out = append(out, '%', digits[c>>4], digits[c&15])
		} else {
			out = append(out, c)
		}
		s = s[1:]
	}
	return string(out)
}

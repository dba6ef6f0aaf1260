// Package httptrace follows what a client does for a request.
package httptrace

import (
	"context"
	"crypto/tls"
	"net"
	"net/textproto"
	"time"
)

// ClientTrace has functions that are called on the way; any may be nil.
type ClientTrace struct {
	GetConn              func(hostPort string)
	GotConn              func(GotConnInfo)
	PutIdleConn          func(err error)
	GotFirstResponseByte func()
	Got100Continue       func()
	Got1xxResponse       func(code int, header textproto.MIMEHeader) error
	DNSStart             func(DNSStartInfo)
	DNSDone              func(DNSDoneInfo)
	ConnectStart         func(network, addr string)
	ConnectDone          func(network, addr string, err error)
	WroteHeaderField     func(key string, value []string)
	WroteHeaders         func()
	Wait100Continue      func()
	WroteRequest         func(WroteRequestInfo)
	TLSHandshakeStart    func()
	TLSHandshakeDone     func(tls.ConnectionState, error)
}

type WroteRequestInfo struct {
	Err error
}

type DNSStartInfo struct {
	Host string
}

type DNSDoneInfo struct {
	Addrs     []net.IPAddr
	Err       error
	Coalesced bool
}

type GotConnInfo struct {
	Conn     net.Conn
	Reused   bool
	WasIdle  bool
	IdleTime time.Duration
}

type key struct{}

// ContextClientTrace is nil if the context has none.
func ContextClientTrace(ctx context.Context) *ClientTrace {
	t, _ := ctx.Value(key{}).(*ClientTrace)
	return t
}

// WithClientTrace adds a trace: it is called before what the context had.
func WithClientTrace(ctx context.Context, trace *ClientTrace) context.Context {
	if trace == nil {
		panic("nil trace")
	}
	if old := ContextClientTrace(ctx); old != nil {
		trace.before(old)
	}
	ctx = context.WithValue(ctx, key{}, trace)
	t := trace
	if t.DNSStart == nil && t.DNSDone == nil && t.ConnectStart == nil && t.ConnectDone == nil {
		return ctx
	}
	var start func(host string)
	if t.DNSStart != nil {
		start = func(host string) { t.DNSStart(DNSStartInfo{Host: host}) }
	}
	var done func(addrs []net.IPAddr, err error)
	if t.DNSDone != nil {
		done = func(addrs []net.IPAddr, err error) { t.DNSDone(DNSDoneInfo{Addrs: addrs, Err: err}) }
	}
	return net_withTrace(ctx, start, done, t.ConnectStart, t.ConnectDone)
}

func net_withTrace(
	ctx context.Context,
	lookUp func(host string), lookedUp func(addrs []net.IPAddr, err error),
	connect func(network, addr string), connected func(network, addr string, err error),
) context.Context

// both calls one after the other; each may be nil.
func both[T any](a, b func(T)) func(T) {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return func(t T) { a(t); b(t) }
}

func both0(a, b func()) func() {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return func() { a(); b() }
}

func both2[S, T any](a, b func(S, T)) func(S, T) {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return func(s S, t T) { a(s, t); b(s, t) }
}

// before has each function call that of old, too.
func (t *ClientTrace) before(old *ClientTrace) {
	t.GetConn = both(t.GetConn, old.GetConn)
	t.GotConn = both(t.GotConn, old.GotConn)
	t.PutIdleConn = both(t.PutIdleConn, old.PutIdleConn)
	t.GotFirstResponseByte = both0(t.GotFirstResponseByte, old.GotFirstResponseByte)
	t.Got100Continue = both0(t.Got100Continue, old.Got100Continue)
	t.DNSStart = both(t.DNSStart, old.DNSStart)
	t.DNSDone = both(t.DNSDone, old.DNSDone)
	t.ConnectStart = both2(t.ConnectStart, old.ConnectStart)
	t.WroteHeaderField = both2(t.WroteHeaderField, old.WroteHeaderField)
	t.WroteHeaders = both0(t.WroteHeaders, old.WroteHeaders)
	t.Wait100Continue = both0(t.Wait100Continue, old.Wait100Continue)
	t.WroteRequest = both(t.WroteRequest, old.WroteRequest)
	t.TLSHandshakeStart = both0(t.TLSHandshakeStart, old.TLSHandshakeStart)
	t.TLSHandshakeDone = both2(t.TLSHandshakeDone, old.TLSHandshakeDone)
	if f, g := t.ConnectDone, old.ConnectDone; g != nil {
		t.ConnectDone = func(network, addr string, err error) {
			if f != nil {
				f(network, addr, err)
			}
			g(network, addr, err)
		}
	}
	if f, g := t.Got1xxResponse, old.Got1xxResponse; g != nil {
		t.Got1xxResponse = func(code int, header textproto.MIMEHeader) error {
			if f != nil {
				if err := f(code, header); err != nil {
					return err
				}
			}
			return g(code, header)
		}
	}
}

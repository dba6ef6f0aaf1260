package http

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"internal/godebug"
	"maps"
	"math/rand/v2"
	"net"
	"net/http/httptrace"
	"net/http/internal/http2"
	"slices"
	"sync"
	"time"
)

// The connections of HTTP/2 that a Transport has. It makes connections as for HTTP/1, and hands
// those here over which the two ends have agreed to speak HTTP/2; all requests to a host go over
// one, as long as the server takes so many.

// h2transport is what a Transport needs for HTTP/2.
type h2transport struct {
	t *Transport

	mu    sync.Mutex
	conns map[string][]*h2client
}

// noCachedConn says that there is no connection for a request.
type noCachedConn struct{}

func (noCachedConn) Error() string             { return "http2: no cached connection was available" }
func (noCachedConn) IsHTTP2NoCachedConnError() {}

func isNoCachedConn(err error) bool {
	_, is := err.(interface{ IsHTTP2NoCachedConnError() })
	return is
}

// beReady has prepare called once.
func (t *Transport) beReady() {
	if !t.isReady.Load() {
		t.prepareOnce.Do(func() {
			t.prepare()
			t.isReady.Store(true)
		})
	}
}

// prepare makes ready for HTTP/2, if that is spoken and the program has nothing of its own for it.
func (t *Transport) prepare() {
	t.hadNoProtos = t.TLSNextProto == nil
	_, has := t.TLSNextProto["h2"]
	p := t.protocols()
	if has || !p.HTTP2() && !p.UnencryptedHTTP2() || godebug.Value("http2client") == "0" {
		return
	}
	t.TLSClientConfig = cmp.Or(t.TLSClientConfig, new(tls.Config))
	t.HTTP2 = cmp.Or(t.HTTP2, new(HTTP2Config))
	t.h2 = &h2transport{t: t, conns: make(map[string][]*h2client)}
	t.mu.Lock()
	if t.schemes == nil {
		t.schemes = make(map[string]RoundTripper)
	}
	if t.schemes["https"] == nil {
		t.schemes["https"] = h2cached{t.h2}
	}
	t.mu.Unlock()
	if t.TLSNextProto == nil {
		t.TLSNextProto = make(map[string]func(string, *tls.Conn) RoundTripper)
	}
	// Programs look for it, but it is not called.
	t.TLSNextProto["h2"] = func(string, *tls.Conn) RoundTripper {
		return refusing{errors.New("unexpected use of stub RoundTripper")}
	}
	t.TLSClientConfig.NextProtos = withProtocols(t.TLSClientConfig.NextProtos, p)
}

// protocols is what the transport speaks. Of itself it does not change what the program has set
// for TLS or for dialing.
func (t *Transport) protocols() Protocols {
	if t.Protocols != nil {
		return *t.Protocols
	}
	p := Protocols{withHTTP1}
	isOwn := t.TLSClientConfig != nil || t.Dial != nil || t.DialContext != nil ||
		t.DialTLS != nil || t.DialTLSContext != nil
	switch {
	case t.TLSNextProto != nil:
		p.SetHTTP2(t.TLSNextProto["h2"] != nil)
	case isOwn && !t.ForceAttemptHTTP2:
	default:
		p.SetHTTP2(!godebug.Is("http2client", "0"))
	}
	return p
}

// refusing sends nothing.
type refusing struct{ err error }

func (f refusing) RoundTripErr() error                   { return f.err }
func (f refusing) RoundTrip(*Request) (*Response, error) { return nil, f.err }

// h2cached sends requests over connections that there are.
type h2cached struct{ t *h2transport }

func (h h2cached) RoundTrip(r *Request) (*Response, error) {
	resp, err := h.t.RoundTrip(r)
	if err != nil && isNoCachedConn(err) {
		err = ErrSkipAltProtocol
	}
	return resp, err
}

// maxList is how long the header of an answer may be, in bytes; 0 is no limit that could be told.
func (t *h2transport) maxList() uint32 {
	n := t.t.MaxResponseHeaderBytes
	if n > 0 {
		n = h2list(n)
	}
	switch {
	case n <= 0:
		return 10 << 20
	case n >= 0xffffffff:
		return 0
	}
	return uint32(n)
}

// add takes a connection to a host, unless there is one that does.
func (t *h2transport) add(addr string, c net.Conn) error {
	if t.has(addr) {
		go c.Close()
		return nil
	}
	client, err := t.newClient(c, t.t.DisableKeepAlives, nil)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.canTake(addr) {
		// Somebody else was faster.
		go client.closeIfIdle()
		return nil
	}
	client.toldGetConn = true
	t.conns[addr] = append(t.conns[addr], client)
	return nil
}

func (t *h2transport) has(addr string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.canTake(addr)
}

// canTake says whether a connection to a host takes more requests. The lock is held.
func (t *h2transport) canTake(addr string) bool {
	return slices.ContainsFunc(t.conns[addr], func(c *h2client) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.canTake()
	})
}

// drop forgets a connection.
func (t *h2transport) drop(c *h2client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for addr, conns := range t.conns {
		t.conns[addr] = slices.DeleteFunc(conns, func(other *h2client) bool { return other == c })
	}
	maps.DeleteFunc(t.conns, func(_ string, conns []*h2client) bool { return len(conns) == 0 })
}

func (t *h2transport) closeUnused() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, conns := range t.conns {
		for _, c := range conns {
			c.closeIfIdle()
		}
	}
}

// get finds a connection for a request, and a place in it.
func (t *h2transport) get(trace *httptrace.ClientTrace, addr string) (*h2client, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	conns := t.conns[addr]
	i := slices.IndexFunc(conns, (*h2client).reserve)
	if i < 0 {
		return nil, noCachedConn{}
	}
	c := conns[i]
	if trace != nil && trace.GetConn != nil && !c.toldGetConn {
		trace.GetConn(addr)
	}
	c.toldGetConn = false
	return c, nil
}

// use notes that a request has got the connection, and says what a trace is told of it.
func (c *h2client) use() httptrace.GotConnInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.isUsed
	c.isUsed = true
	info := httptrace.GotConnInfo{Conn: c.conn, Reused: was, WasIdle: was && len(c.streams) == 0}
	if info.WasIdle {
		info.IdleTime = time.Since(c.lastActive)
	}
	return info
}

// RoundTrip sends a request over a connection that there is, and again over another one as long as
// the server has not looked at it.
func (t *h2transport) RoundTrip(r *Request) (*Response, error) {
	if scheme := r.URL.Scheme; scheme != "http" && scheme != "https" {
		return nil, errors.New("http2: unsupported scheme")
	}
	addr, err := addrOf(r.URL)
	for before := 0; err == nil; before++ {
		trace := httptrace.ContextClientTrace(r.Context())
		var c *h2client
		if c, err = t.get(trace, addr); err != nil {
			break
		}
		if info := c.use(); trace != nil && trace.GotConn != nil {
			trace.GotConn(info)
		}
		resp, failed := c.carry(r)
		if failed == nil {
			return resp, nil
		}
		if r, err = retried(r, failed, before); err == errH2NotEstablished {
			c.mu.Lock()
			if c.idleAlarm != nil {
				c.idleAlarm.Stop()
			}
			c.mu.Unlock()
			t.drop(c)
		}
	}
	return nil, err
}

// retried is a request to be sent once more, when it is time for that: at once, and then after one
// second, two, and so on. The error says why it is not.
func retried(r *Request, failed error, before int) (*Request, error) {
	const most = 6
	if before > most {
		return nil, failed
	}
	again, err := renewed(r, failed)
	if err == nil && before > 0 {
		pause := time.Second << (before - 1)
		err = sleep(r.Context(), pause+rand.N(pause/10))
	}
	return again, err
}

// sleep waits so long, unless the context is over before.
func sleep(ctx context.Context, d time.Duration) error {
	if _, isOver := within(ctx.Done(), d); isOver {
		return ctx.Err()
	}
	return nil
}

// renewed is a request that may be sent once more; the error says why it may not.
func renewed(r *Request, err error) (*Request, error) {
	e, isStreams := err.(http2.StreamError)
	isRefused := isStreams && e.Code == http2.RefusedStream
	if err != errH2ConnUnusable && err != errH2GotGoAway && !isRefused {
		return nil, err
	}
	again := *r
	switch {
	case r.Body == nil || r.Body == NoBody:
	case r.GetBody != nil:
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		again.Body = body
	case err != errH2ConnUnusable:
		return nil, fmt.Errorf("http2: Transport: cannot retry err [%v] after Request.Body was "+
			"written; define Request.GetBody to avoid this error", err)
	}
	return &again, nil
}

package http

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptrace"
	"net/url"
	"sync"
)

// ClientConn is one connection to a server, for requests that the program itself distributes.
// A connection of HTTP/1 takes one request at a time, one of HTTP/2 as many as the server allows.
type ClientConn struct {
	places places

	mu   sync.Mutex
	hook func(*ClientConn)
	// The hook is being called, and what it has been told last.
	isRunning           bool
	available, inFlight int
	isClosed            bool
}

// places is a connection with places for requests.
type places interface {
	Close() error
	Err() error
	RoundTrip(*Request) (*Response, error)
	Reserve() error
	Release()
	Available() int
	InFlight() int
}

// NewClientConn connects to an address, whose scheme is http or https. The connection is none of
// those of which the transport makes use.
func (t *Transport) NewClientConn(ctx context.Context, scheme, address string) (*ClientConn, error) {
	t.beReady()
	if scheme != "http" && scheme != "https" {
		return nil, fmt.Errorf("net/http: invalid scheme %q", scheme)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	to := net.JoinHostPort(host, port)
	w := &want{
		route:  route{scheme: scheme, addr: to},
		target: to,
		trace:  httptrace.ContextClientTrace(ctx),
		ctx:    ctx,
	}
	if t.Proxy != nil {
		r := &Request{
			ctx:        ctx,
			Method:     MethodGet,
			URL:        &url.URL{Scheme: scheme, Host: host, Path: "/"},
			Proto:      "HTTP/1.1",
			ProtoMajor: 1,
			ProtoMinor: 1,
			Header:     make(Header),
			Body:       NoBody,
			Host:       host,
		}
		if w.proxy, err = t.Proxy(r); err != nil {
			return nil, err
		}
	}
	c := new(ClientConn)
	// Nothing is told before all is there.
	c.mu.Lock()
	defer c.mu.Unlock()
	l, err := t.open(w)
	if err != nil {
		return nil, err
	}
	if t.speaksHTTP2(l) && t.h2 != nil {
		h2, err := t.h2.newClient(l.conn, t.DisableKeepAlives, c.changed)
		if err != nil {
			return nil, err
		}
		// Requests wait for a place.
		h2.isStrict = true
		c.places = h2places{h2}
	} else {
		l.isOwned = true
		l.free = make(chan struct{}, 1)
		l.free <- struct{}{}
		l.onChange = c.changed
		l.begin()
		c.places = linkPlace{l}
	}
	c.available = c.places.Available()
	return c, nil
}

// Close closes the connection; requests under way fail.
func (c *ClientConn) Close() error {
	defer c.changed()
	return c.places.Close()
}

// Err says why the connection cannot be used any more; nil if it can.
func (c *ClientConn) Err() error { return c.places.Err() }

// Available is how many requests may begin at once.
func (c *ClientConn) Available() int { return c.places.Available() }

// InFlight is how many places are taken, by requests or for them.
func (c *ClientConn) InFlight() int { return c.places.InFlight() }

// Reserve takes a place for the next request; it is an error if there is none.
func (c *ClientConn) Reserve() error {
	defer c.changed()
	return c.places.Reserve()
}

// Release gives a place back that has been reserved.
func (c *ClientConn) Release() {
	defer c.changed()
	c.places.Release()
}

// RoundTrip sends a request, in the place that has been reserved, or once there is one.
func (c *ClientConn) RoundTrip(req *Request) (*Response, error) {
	defer c.changed()
	if req.URL == nil && req.Method == ":ping" {
		p, ok := c.places.(interface{ Ping(context.Context) error })
		if !ok {
			return nil, errors.New("http: ClientConn does not support PING")
		}
		return nil, p.Ping(req.Context())
	}
	if err := checkForConn(req); err != nil {
		c.Release()
		return nil, err
	}
	return c.places.RoundTrip(req)
}

func checkForConn(r *Request) error {
	switch {
	case r.URL == nil:
		return errNilURL
	case r.Header == nil:
		return errNilHeader
	}
	if bad := badField(r.Header); bad != "" {
		return fmt.Errorf("http: invalid header %s", bad)
	}
	if bad := badField(r.Trailer); bad != "" {
		return fmt.Errorf("http: invalid trailer %s", bad)
	}
	if r.Method != "" && !isToken(r.Method) {
		return fmt.Errorf("http: invalid method %q", r.Method)
	}
	if r.URL.Host == "" {
		return errNoHost
	}
	return nil
}

// SetStateHook has f called when a place becomes free, a request ends, or the connection is closed.
func (c *ClientConn) SetStateHook(f func(*ClientConn)) {
	c.mu.Lock()
	c.hook = f
	c.mu.Unlock()
	c.changed()
}

// news is the hook, if there is something to tell it. Only one call of it runs at a time.
func (c *ClientConn) news(hasRun bool) func(*ClientConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.places == nil {
		return nil
	}
	if hasRun {
		c.isRunning = false
	}
	if c.hook == nil || c.isRunning {
		return nil
	}
	available, inFlight, isClosed := c.Available(), c.InFlight(), c.Err() != nil
	isNews := available > c.available || inFlight < c.inFlight || isClosed != c.isClosed
	c.available, c.inFlight, c.isClosed = available, inFlight, isClosed
	if !isNews {
		return nil
	}
	c.isRunning = true
	return c.hook
}

// changed calls the hook; what has happened meanwhile is told in a goroutine of its own.
func (c *ClientConn) changed() {
	hook := c.news(false)
	if hook == nil {
		return
	}
	hook(c)
	if hook = c.news(true); hook != nil {
		go func() {
			for hook != nil {
				hook(c)
				hook = c.news(true)
			}
		}()
	}
}

// linkPlace is the place of a connection of HTTP/1.
type linkPlace struct{ l *link }

func (p linkPlace) RoundTrip(req *Request) (*Response, error) {
	l := p.l
	ctx, cancel := context.WithCancelCause(req.Context())
	if req.Cancel != nil {
		go func() {
			select {
			case <-req.Cancel:
				cancel(errRequestCanceled)
			case <-ctx.Done():
			}
		}()
	}
	l.mu.Lock()
	if !l.isReserved {
		l.mu.Unlock()
		select {
		case <-l.free:
		case <-l.closed:
			return nil, p.Err()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		l.mu.Lock()
	}
	l.isReserved, l.inFlight = false, true
	l.mu.Unlock()
	resp, err := l.exchange(&exchange{
		r:      req,
		ctx:    ctx,
		cancel: cancel,
		trace:  httptrace.ContextClientTrace(ctx),
		answer: make(chan answer, 1),
		wrote:  make(chan error, 1),
	})
	if err != nil {
		return nil, err
	}
	resp.Request = req
	return resp, nil
}

func (p linkPlace) Close() error {
	p.l.close(errors.New("ClientConn closed"))
	return nil
}

func (p linkPlace) Err() error {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	return p.l.err
}

func (p linkPlace) Available() int {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	if p.l.err != nil || p.l.isReserved || p.l.inFlight {
		return 0
	}
	return 1
}

func (p linkPlace) InFlight() int {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	if p.l.err == nil && (p.l.isReserved || p.l.inFlight) {
		return 1
	}
	return 0
}

func (p linkPlace) Reserve() error {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	if p.l.err != nil {
		return p.l.err
	}
	select {
	case <-p.l.free:
		p.l.isReserved = true
		return nil
	default:
		return errors.New("connection is unavailable")
	}
}

func (p linkPlace) Release() {
	p.l.mu.Lock()
	defer p.l.mu.Unlock()
	if p.l.isReserved {
		p.l.isReserved = false
		p.l.free <- struct{}{}
	}
}

// becomeFree notes that the request is over, and the next one may begin.
func (l *link) becomeFree() {
	l.mu.Lock()
	l.inFlight = false
	l.free <- struct{}{}
	l.mu.Unlock()
	l.onChange()
}

// h2places are those of a connection of HTTP/2.
type h2places struct{ c *h2client }

func (p h2places) RoundTrip(r *Request) (*Response, error) { return p.c.roundTrip(r) }

func (p h2places) Ping(ctx context.Context) error { return p.c.ping(ctx) }

func (p h2places) Close() error {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	p.c.closeFor(errH2ForceClosed)
	return nil
}

func (p h2places) Err() error {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if p.c.isClosed {
		return errors.New("connection closed")
	}
	return nil
}

func (p h2places) Reserve() error {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if p.c.taken() >= p.c.maxStreams || !p.c.isUsable() {
		return errors.New("connection is unavailable")
	}
	p.c.reserved++
	return nil
}

func (p h2places) Release() {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if p.c.reserved > 0 {
		p.c.reserved--
	}
}

func (p h2places) Available() int {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if !p.c.canTake() {
		return 0
	}
	return max(0, p.c.maxStreams-p.c.taken())
}

func (p h2places) InFlight() int {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	return p.c.taken()
}

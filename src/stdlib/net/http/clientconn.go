package http

// A connection that the program holds itself. What can be done with it depends on the protocol, so
// it is one of two kinds of places: the place of a link, or those of a connection of HTTP/2. Each
// thing that may free a place ends with a look whether the hook has news to hear.

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
	isRunning bool
	told      occupancy
}

// An occupancy is how many requests a connection may take, and has.
type occupancy struct {
	available, taken int
	isClosed         bool
}

// isNews says whether places have become free, or the connection has been closed, since before.
func (o occupancy) isNews(before occupancy) bool {
	return o.available > before.available || o.taken < before.taken || o.isClosed != before.isClosed
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
	usual, known := map[string]string{"http": "80", "https": "443"}[scheme]
	host, port, err := net.SplitHostPort(address)
	if !known {
		err = fmt.Errorf("net/http: invalid scheme %q", scheme)
	}
	if err != nil {
		return nil, err
	}
	port = orDefault(port, usual)
	w := &want{ctx: ctx, trace: httptrace.ContextClientTrace(ctx), target: net.JoinHostPort(host, port)}
	w.route = route{scheme: scheme, addr: w.target}
	if t.Proxy != nil {
		if w.proxy, err = t.Proxy(asking(ctx, scheme, host)); err != nil {
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
	if c.places, err = t.placesOf(l, c.changed); err != nil {
		return nil, err
	}
	c.told.available = c.Available()
	return c, nil
}

// asking is the request of which a proxy function is asked.
func asking(ctx context.Context, scheme, host string) *Request {
	r := &Request{Method: MethodGet, Host: host, Header: make(Header), Body: NoBody, ctx: ctx}
	r.URL = &url.URL{Scheme: scheme, Host: host, Path: "/"}
	r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.1", 1, 1
	return r
}

// placesOf begins to speak over a connection that belongs to the program.
func (t *Transport) placesOf(l *link, changed func()) (places, error) {
	if t.h2 != nil && t.speaksHTTP2(l) {
		c, err := t.h2.newClient(l.conn, t.DisableKeepAlives, changed)
		if err != nil {
			return nil, err
		}
		// Requests wait for a place.
		c.isStrict = true
		return h2places{c}, nil
	}
	l.isOwned, l.onChange = true, changed
	l.free = make(chan struct{}, 1)
	l.free <- struct{}{}
	l.begin()
	return linkPlace{l}, nil
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
	if req.Method == ":ping" && req.URL == nil {
		if p, ok := c.places.(h2places); ok {
			return nil, p.c.ping(req.Context())
		}
		return nil, errors.New("http: ClientConn does not support PING")
	}
	err := checkForConn(req)
	if err == nil {
		return c.places.RoundTrip(req)
	}
	c.Release()
	return nil, err
}

func checkForConn(r *Request) error {
	if err := checkFields(r, "http", true); err != nil {
		return err
	}
	return checkTarget(r, "http")
}

// SetStateHook has f called when a place becomes free, a request ends, or the connection is closed.
func (c *ClientConn) SetStateHook(f func(*ClientConn)) {
	c.mu.Lock()
	c.hook = f
	c.mu.Unlock()
	c.changed()
}

// news is the hook, if there is something to tell it. Only one call of it runs at a time; hasRun
// says that it is over.
func (c *ClientConn) news(hasRun bool) func(*ClientConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if hasRun {
		c.isRunning = false
	}
	if c.places == nil || c.hook == nil || c.isRunning {
		return nil
	}
	before := c.told
	c.told = occupancy{c.Available(), c.InFlight(), c.Err() != nil}
	if c.isRunning = c.told.isNews(before); c.isRunning {
		return c.hook
	}
	return nil
}

// changed calls the hook; what has happened meanwhile is told in a goroutine of its own.
func (c *ClientConn) changed() {
	if hook := c.news(false); hook != nil {
		hook(c)
		if hook = c.news(true); hook != nil {
			go c.tell(hook)
		}
	}
}

// tell calls the hook as long as there is news.
func (c *ClientConn) tell(hook func(*ClientConn)) {
	for ; hook != nil; hook = c.news(true) {
		hook(c)
	}
}

// holding gives what f gives with a lock held.
func holding[T any](mu *sync.Mutex, f func() T) T {
	mu.Lock()
	defer mu.Unlock()
	return f()
}

var errNoPlace = errors.New("connection is unavailable")

// linkPlace is the place of a connection of HTTP/1.
type linkPlace struct{ l *link }

func (p linkPlace) RoundTrip(req *Request) (*Response, error) {
	l := p.l
	ctx, cancel := context.WithCancelCause(req.Context())
	watchCancel(req, ctx, cancel)
	mayGo := holding(&l.mu, func() bool {
		l.hasRequest = l.hasRequest || l.isReserved
		was := l.isReserved
		l.isReserved = false
		return was
	})
	if err := p.Err(); err != nil {
		return nil, err
	}
	if !mayGo {
		select {
		case <-l.free:
		case <-l.closed:
			return nil, p.Err()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		l.mu.Lock()
		l.hasRequest = true
		l.mu.Unlock()
	}
	resp, err := l.exchange(newExchange(req, ctx, cancel))
	if err == nil {
		resp.Request = req
	}
	return resp, err
}

func (p linkPlace) Close() error {
	p.l.close(errors.New("ClientConn closed"))
	return nil
}

func (p linkPlace) Err() error { return holding(&p.l.mu, func() error { return p.l.err }) }

func (p linkPlace) isTaken() bool { return p.l.isReserved || p.l.hasRequest }

// count is one if the connection is alive and its place is taken, or not.
func (p linkPlace) count(isTaken bool) int {
	return holding(&p.l.mu, func() int {
		if p.l.err == nil && p.isTaken() == isTaken {
			return 1
		}
		return 0
	})
}

func (p linkPlace) Available() int { return p.count(false) }
func (p linkPlace) InFlight() int  { return p.count(true) }

func (p linkPlace) Reserve() error {
	return holding(&p.l.mu, func() error {
		err := p.l.err
		if err == nil {
			select {
			case <-p.l.free:
				p.l.isReserved = true
			default:
				err = errNoPlace
			}
		}
		return err
	})
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
	l.hasRequest = false
	l.free <- struct{}{}
	l.mu.Unlock()
	l.onChange()
}

// h2places are those of a connection of HTTP/2.
type h2places struct{ c *h2client }

func (p h2places) RoundTrip(r *Request) (*Response, error) { return p.c.carry(r) }

func (p h2places) Close() error {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	p.c.closeFor(errH2ForceClosed)
	return nil
}

func (p h2places) Err() error {
	if holding(&p.c.mu, func() bool { return p.c.isClosed }) {
		return errors.New("connection closed")
	}
	return nil
}

// isFull says whether nothing can be reserved.
func (p h2places) isFull() bool { return !p.c.isUsable() || p.c.taken() >= p.c.maxStreams }

func (p h2places) Reserve() error { return p.reserve(1) }

func (p h2places) Release() { p.reserve(-1) }

// reserve changes the number of places that are reserved, if it can be changed so.
func (p h2places) reserve(more int) error {
	return holding(&p.c.mu, func() error {
		if more > 0 && p.isFull() || p.c.reserved+more < 0 {
			return errNoPlace
		}
		p.c.reserved += more
		return nil
	})
}

func (p h2places) Available() int {
	return holding(&p.c.mu, func() int {
		if p.c.canTake() {
			return max(0, p.c.maxStreams-p.c.taken())
		}
		return 0
	})
}

func (p h2places) InFlight() int { return holding(&p.c.mu, func() int { return p.c.taken() }) }

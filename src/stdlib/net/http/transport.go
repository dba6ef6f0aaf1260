package http

// The client's side: a Transport and how requests find connections.
//
// RoundTrip makes an errand of a request, which is attempted until it has an answer or must not be
// sent again. Each attempt wants a link (link.go: a connection of HTTP/1; one with something in
// other speaks another protocol, such as HTTP/2 by h2pool.go). A want is given an idle link of its
// route, or waits both for the next that becomes free and for one that is made for it, whichever
// comes first. A link that has done its work is handed over to somebody who waits, shelved among
// the idle ones, or closed. How connections are made, by whom and through which proxy, stands at
// the end.

import (
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const DefaultMaxIdleConnsPerHost = 2

// DefaultTransport is what clients use that name none.
var DefaultTransport RoundTripper = &Transport{
	Proxy:                 ProxyFromEnvironment,
	DialContext:           (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
	ForceAttemptHTTP2:     true,
	MaxIdleConns:          100,
	IdleConnTimeout:       90 * time.Second,
	TLSHandshakeTimeout:   10 * time.Second,
	ExpectContinueTimeout: time.Second,
}

// Transport keeps connections to servers, and sends each request over one of them.
type Transport struct {
	Proxy                  func(*Request) (*url.URL, error)
	OnProxyConnectResponse func(ctx context.Context, proxyURL *url.URL, connectReq *Request, connectRes *Response) error
	DialContext            func(ctx context.Context, network, addr string) (net.Conn, error)
	Dial                   func(network, addr string) (net.Conn, error)
	DialTLSContext         func(ctx context.Context, network, addr string) (net.Conn, error)
	DialTLS                func(network, addr string) (net.Conn, error)
	TLSClientConfig        *tls.Config
	TLSHandshakeTimeout    time.Duration
	DisableKeepAlives      bool
	DisableCompression     bool
	MaxIdleConns           int
	MaxIdleConnsPerHost    int
	MaxConnsPerHost        int
	IdleConnTimeout        time.Duration
	ResponseHeaderTimeout  time.Duration
	ExpectContinueTimeout  time.Duration
	TLSNextProto           map[string]func(authority string, c *tls.Conn) RoundTripper
	ProxyConnectHeader     Header
	GetProxyConnectHeader  func(ctx context.Context, proxyURL *url.URL, target string) (Header, error)
	MaxResponseHeaderBytes int64
	WriteBufferSize        int
	ReadBufferSize         int
	ForceAttemptHTTP2      bool
	HTTP2                  *HTTP2Config
	Protocols              *Protocols

	mu sync.Mutex
	// Connections that nobody uses, the last used at the end; by route, and all.
	idle map[route][]*link
	all  []*link
	// Requests that wait for a connection, and those of them that may not have a new one yet.
	waiting map[route][]*want
	toDial  map[route][]*want
	count   map[route]int
	closes  bool
	schemes map[string]RoundTripper
	// Of HTTP/2, once it has been seen whether that is spoken; nil if not.
	prepareOnce sync.Once
	isReady     atomic.Bool
	h2          *h2transport
	// The program had set nothing in TLSNextProto.
	hadNoProtos bool
	errands     map[*Request]*errand
}

// route is what connections must have in common to serve the same requests.
type route struct {
	proxy, scheme, addr string
	// Nothing but HTTP/1 will do.
	onlyHTTP1 bool
}

// Clone gives one with the same settings, and connections of its own.
func (t *Transport) Clone() *Transport {
	t.beReady()
	c := &Transport{
		// What goes through a proxy.
		Proxy: t.Proxy, OnProxyConnectResponse: t.OnProxyConnectResponse,
		ProxyConnectHeader: t.ProxyConnectHeader.Clone(), GetProxyConnectHeader: t.GetProxyConnectHeader,
		// How connections are made, and what they are like.
		Dial: t.Dial, DialContext: t.DialContext,
		DialTLS: t.DialTLS, DialTLSContext: t.DialTLSContext,
		ForceAttemptHTTP2: t.ForceAttemptHTTP2, DisableCompression: t.DisableCompression,
		ReadBufferSize: t.ReadBufferSize, WriteBufferSize: t.WriteBufferSize,
		MaxResponseHeaderBytes: t.MaxResponseHeaderBytes,
		// How many there are.
		DisableKeepAlives: t.DisableKeepAlives, MaxConnsPerHost: t.MaxConnsPerHost,
		MaxIdleConns: t.MaxIdleConns, MaxIdleConnsPerHost: t.MaxIdleConnsPerHost,
		// How long things take.
		IdleConnTimeout: t.IdleConnTimeout, TLSHandshakeTimeout: t.TLSHandshakeTimeout,
		ExpectContinueTimeout: t.ExpectContinueTimeout, ResponseHeaderTimeout: t.ResponseHeaderTimeout,
	}
	if t.HTTP2 != nil {
		own := *t.HTTP2
		c.HTTP2 = &own
	}
	if t.Protocols != nil {
		own := *t.Protocols
		c.Protocols = &own
	}
	if !t.hadNoProtos {
		c.TLSNextProto = maps.Clone(t.TLSNextProto)
	}
	if t.TLSClientConfig != nil {
		c.TLSClientConfig = t.TLSClientConfig.Clone()
	}
	return c
}

// RegisterProtocol has another RoundTripper take requests of a scheme.
func (t *Transport) RegisterProtocol(scheme string, rt RoundTripper) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.schemes[scheme]; ok {
		panic(errors.New("protocol " + scheme + " already registered"))
	}
	if t.schemes == nil {
		t.schemes = make(map[string]RoundTripper)
	}
	t.schemes[scheme] = rt
}

// CancelRequest is old; contexts do it now.
func (t *Transport) CancelRequest(req *Request) {
	t.mu.Lock()
	e := t.errands[req]
	t.mu.Unlock()
	if e != nil {
		e.giveUp(errGivenUp)
	}
}

var (
	errGivenUp        = errors.New("net/http: request canceled")
	errGivenUpWaiting = errors.New("net/http: request canceled while waiting for connection")
	errExchangeOver   = errors.New("net/http: request completed")
	errHeaderLate     = &timeoutError{"net/http: timeout awaiting response headers"}
	errServerLeft     = errors.New("http: server closed idle connection")
	errNotKept        = errors.New("http: putIdleConn: keep alives disabled")
	errUnfit          = errors.New("http: putIdleConn: connection is in bad state")
	errNoneKept       = errors.New("http: putIdleConn: CloseIdleConnections was called")
	errPoolFull       = errors.New("http: putIdleConn: too many idle connections")
	errHostFull       = errors.New("http: putIdleConn: too many idle connections for host")
	errUnusedClosed   = errors.New("http: CloseIdleConnections called")
	errReaderEnds     = errors.New("http: persistConn.readLoop exiting")
	errIdleTooLong    = errors.New("http: idle connection timeout")
	errBodyLeft       = errors.New("net/http: response body closed early")
	errGivenAway      = errors.New("read loop ending; caller owns writable underlying conn")
	errBodySpent      = errors.New("net/http: cannot rewind body after connection loss")
	errReadOnClosed   = errors.New("http: read on closed response body")
)

// trackedBody knows whether a request's body has been touched.
type trackedBody struct {
	io.ReadCloser
	isBegun bool
	isEnded atomic.Bool
}

func (b *trackedBody) Read(p []byte) (int, error) {
	b.isBegun = true
	return b.ReadCloser.Read(p)
}

func (b *trackedBody) Close() error {
	if b.isEnded.Swap(true) {
		return nil
	}
	return b.ReadCloser.Close()
}

// isFresh says whether nobody has touched it.
func (b *trackedBody) isFresh() bool { return !b.isBegun && !b.isEnded.Load() }

// withBody is the request with another body.
func (r *Request) withBody(body io.ReadCloser) *Request {
	own := *r
	own.Body = &trackedBody{ReadCloser: body}
	return &own
}

// again gives a request whose body begins anew.
func again(r *Request) (*Request, error) {
	b, ok := r.Body.(*trackedBody)
	if !ok || b.isFresh() {
		return r, nil
	}
	b.Close()
	if r.GetBody == nil {
		return nil, errBodySpent
	}
	fresh, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	return r.withBody(fresh), nil
}

// checkFields says what is missing in a request, or wrong in its fields, in the name of who. What
// goes to somebody else is not looked at.
func checkFields(r *Request, who string, isOurs bool) error {
	if r.URL == nil {
		return errNilURL
	}
	if r.Header == nil {
		return errNilHeader
	}
	for i, h := range [...]Header{r.Header, r.Trailer} {
		if bad := badField(h); bad != "" && isOurs {
			return fmt.Errorf("%s: invalid %s %s", who, [...]string{"header", "trailer"}[i], bad)
		}
	}
	return nil
}

// checkTarget says what is wrong with its method and host.
func checkTarget(r *Request, who string) error {
	if r.Method != "" && !isToken(r.Method) {
		return fmt.Errorf("%s: invalid method %q", who, r.Method)
	}
	if r.URL.Host == "" {
		return errNoHost
	}
	return nil
}

// otherFor is what takes requests of such a scheme; nil if we do.
func (t *Transport) otherFor(r *Request) RoundTripper {
	if r.URL.Scheme == "https" && r.needsHTTP1() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.schemes[r.URL.Scheme]
}

// RoundTrip sends a request over a connection that is there, or over a new one.
func (t *Transport) RoundTrip(req *Request) (*Response, error) {
	t.beReady()
	isOurs := req.URL != nil && (req.URL.Scheme == "http" || req.URL.Scheme == "https")
	if err := checkFields(req, "net/http", isOurs); err != nil {
		req.shutBody()
		return nil, err
	}
	r := req
	if r.Body != nil && r.Body != NoBody {
		r = r.withBody(r.Body)
	}
	if other := t.otherFor(r); other != nil {
		resp, err := other.RoundTrip(r)
		if err == ErrSkipAltProtocol {
			r, err = again(r)
		} else {
			return resp, err
		}
		if err != nil {
			return nil, err
		}
	}
	err := checkTarget(r, "net/http")
	if !isOurs {
		err = badString("unsupported protocol scheme", r.URL.Scheme)
	}
	if err != nil {
		r.shutBody()
		return nil, err
	}
	e := t.newErrand(req, r)
	watchCancel(req, e.ctx, e.giveUp)
	resp, err := e.run()
	if err != nil {
		e.giveUp(err)
		return nil, err
	}
	resp.Request = req
	return resp, nil
}

// An errand is a request on its way to an answer.
type errand struct {
	t     *Transport
	asked *Request
	// What is sent: a copy, with another body at each attempt that needs one.
	r    *Request
	ctx  context.Context
	stop context.CancelCauseFunc
}

// newErrand also notes it for CancelRequest.
func (t *Transport) newErrand(asked, r *Request) *errand {
	e := &errand{t: t, asked: asked, r: r}
	e.ctx, e.stop = context.WithCancelCause(r.Context())
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.errands == nil {
		t.errands = make(map[*Request]*errand)
	}
	t.errands[asked] = e
	return e
}

// giveUp ends it, also if all went well.
func (e *errand) giveUp(why error) {
	e.stop(why)
	e.t.mu.Lock()
	delete(e.t.errands, e.asked)
	e.t.mu.Unlock()
}

// watchCancel gives a request up when the program closes its channel.
func watchCancel(r *Request, ctx context.Context, giveUp func(error)) {
	if r.Cancel == nil {
		return
	}
	go func() {
		select {
		case <-ctx.Done():
		case <-r.Cancel:
			giveUp(errGivenUp)
		}
	}()
}

// run attempts it until there is an answer, or the request must not be sent again.
func (e *errand) run() (*Response, error) {
	for {
		resp, mayRetry, err := e.attempt()
		if err == nil {
			return resp, nil
		}
		if !mayRetry {
			e.r.shutBody()
			return nil, err
		}
		r, err := again(e.r)
		if err != nil {
			return nil, err
		}
		e.r = r
	}
}

// attempt sends it once.
func (e *errand) attempt() (resp *Response, mayRetry bool, err error) {
	if e.ctx.Err() != nil {
		return nil, false, context.Cause(e.ctx)
	}
	x := newExchange(e.r, e.ctx, e.giveUp)
	l, err := e.t.connect(x)
	if err != nil {
		return nil, false, err
	}
	if l.other == nil {
		if resp, err = l.exchange(x); err != nil {
			mayRetry = l.mayRetry(e.r, err)
		}
		return resp, mayRetry, plain(err)
	}
	if resp, err = l.other.RoundTrip(e.r); err == nil {
		e.giveUp(errExchangeOver)
	} else if mayRetry = isNoCachedConn(err); mayRetry {
		// The connection takes no more requests.
		if e.t.unshelve(l) {
			e.t.lost(l.route)
		}
	}
	return resp, mayRetry, err
}

// plain is an error without what only we know of it.
func plain(err error) error {
	if e, ok := err.(nothingWritten); ok {
		err = e.error
	}
	if e, ok := err.(serverError); ok {
		err = e.error
	}
	return err
}

// newExchange is one attempt to send a request.
func newExchange(r *Request, ctx context.Context, giveUp context.CancelCauseFunc) *exchange {
	x := &exchange{r: r, ctx: ctx, cancel: giveUp, trace: httptrace.ContextClientTrace(ctx)}
	x.answer, x.wrote = make(chan answer, 1), make(chan error, 1)
	return x
}

// want is a request that waits for a connection.
type want struct {
	route  route
	target string
	proxy  *url.URL
	trace  *httptrace.ClientTrace
	got    chan *link
	err    chan error
	ctx    context.Context
	stop   context.CancelFunc

	mu     sync.Mutex
	isDone bool
}

// give is false if the request no longer waits.
func (w *want) give(l *link, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isDone {
		return false
	}
	w.isDone = true
	if err != nil {
		w.err <- err
	} else {
		w.got <- l
	}
	return true
}

// addrOf is the address of a URL's host.
func addrOf(u *url.URL) (string, error) {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host, err := asciiHost(u.Hostname())
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(host, port), nil
}

// connect finds a connection for a request, or makes one.
func (t *Transport) connect(x *exchange) (*link, error) {
	addr, err := addrOf(x.r.URL)
	if err != nil {
		return nil, err
	}
	to := route{scheme: x.r.URL.Scheme, addr: addr, onlyHTTP1: x.r.needsHTTP1()}
	var proxy *url.URL
	if t.Proxy != nil {
		if proxy, err = t.Proxy(x.r); err != nil {
			return nil, err
		}
	}
	if proxy != nil {
		to.proxy = proxy.String()
		if to.scheme == "http" && (proxy.Scheme == "http" || proxy.Scheme == "https") {
			// Such a proxy takes requests to any host.
			to.addr = ""
		}
	}
	if x.trace != nil && x.trace.GetConn != nil {
		x.trace.GetConn(addr)
	}
	w := &want{route: to, target: addr, proxy: proxy, trace: x.trace}
	w.got, w.err = make(chan *link, 1), make(chan error, 1)
	w.ctx, w.stop = context.WithCancel(context.WithoutCancel(x.ctx))
	t.queue(w)
	select {
	case l := <-w.got:
		if l.other == nil {
			l.traceGot(x.trace)
		}
		return l, nil
	case err := <-w.err:
		if x.ctx.Err() != nil {
			err = x.cause(errGivenUpWaiting)
		}
		return nil, err
	case <-x.ctx.Done():
		w.mu.Lock()
		wasDone := w.isDone
		w.isDone = true
		w.mu.Unlock()
		w.stop()
		if wasDone {
			select {
			case l := <-w.got:
				if l.other == nil {
					t.putBack(l)
				}
			default:
			}
		}
		return nil, x.cause(errGivenUpWaiting)
	}
}

// queue gives an idle connection, or has one made and waits for whichever comes first.
func (t *Transport) queue(w *want) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closes = false
	for !t.DisableKeepAlives && len(t.idle[w.route]) > 0 {
		links := t.idle[w.route]
		l := links[len(links)-1]
		if l.other != nil {
			// Others may use it at the same time.
			w.give(l, nil)
			return
		}
		t.dropIdle(l)
		if t.IdleConnTimeout > 0 && time.Since(l.restsSince) > t.IdleConnTimeout {
			go l.close(errIdleTooLong)
			continue
		}
		if !l.hasFailed() && w.give(l, nil) {
			return
		}
	}
	if t.waiting == nil {
		t.waiting = make(map[route][]*want)
		t.toDial = make(map[route][]*want)
		t.count = make(map[route]int)
	}
	if !t.DisableKeepAlives {
		t.waiting[w.route] = append(slices.DeleteFunc(t.waiting[w.route], isOver), w)
	}
	if t.MaxConnsPerHost > 0 && t.count[w.route] >= t.MaxConnsPerHost {
		t.toDial[w.route] = append(slices.DeleteFunc(t.toDial[w.route], isOver), w)
		return
	}
	t.count[w.route]++
	go t.makeFor(w)
}

func isOver(w *want) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.isDone
}

func (t *Transport) makeFor(w *want) {
	defer w.stop()
	l, err := t.dial(w)
	if err == nil {
		// Others may use it at the same time as w, or w does not need it any more.
		if !w.give(l, nil) || l.other != nil {
			t.putBack(l)
		}
		return
	}
	w.give(nil, err)
	t.lost(w.route)
}

// putBack keeps a connection that nobody uses, or closes it.
func (t *Transport) putBack(l *link) {
	if err := t.put(l); err != nil {
		l.close(err)
	}
}

// lost lets others that wait for a connection have one, when one has gone.
func (t *Transport) lost(to route) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count[to]--
	for queue := t.toDial[to]; len(queue) > 0; queue = queue[1:] {
		t.toDial[to] = queue[1:]
		if w := queue[0]; !isOver(w) {
			t.count[to]++
			go t.makeFor(w)
			break
		}
	}
	if len(t.toDial[to]) == 0 {
		delete(t.toDial, to)
	}
	if t.count[to] == 0 {
		delete(t.count, to)
	}
}

// put keeps a connection for the next request, or says why not.
func (t *Transport) put(l *link) error {
	switch {
	case t.DisableKeepAlives, t.MaxIdleConnsPerHost < 0:
		return errNotKept
	case l.hasFailed():
		return errUnfit
	}
	l.mu.Lock()
	l.wasUsed = true
	l.mu.Unlock()
	if l.isOwned {
		l.becomeFree()
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.handOver(l) {
		return nil
	}
	return t.shelve(l)
}

// handOver gives a connection to those who wait for one: to the first if only one can use it, else
// to all, and then it is still to be shelved, unless it has been. The lock is held.
func (t *Transport) handOver(l *link) bool {
	isShared := l.other != nil
	if isShared && slices.Contains(t.all, l) {
		return true
	}
	queue := t.waiting[l.route]
	for i, w := range queue {
		if w.give(l, nil) && !isShared {
			t.waiting[l.route] = queue[i+1:]
			return true
		}
	}
	delete(t.waiting, l.route)
	return false
}

// shelve puts a connection among the idle ones if there is room. The lock is held.
func (t *Transport) shelve(l *link) error {
	switch here := len(t.idle[l.route]); {
	case t.closes:
		return errNoneKept
	case here >= cmp.Or(t.MaxIdleConnsPerHost, DefaultMaxIdleConnsPerHost):
		return errHostFull
	case t.idle == nil:
		t.idle = make(map[route][]*link)
	}
	l.restsSince = time.Now()
	t.all = append(t.all, l)
	t.idle[l.route] = append(t.idle[l.route], l)
	if most := t.MaxIdleConns; most != 0 && len(t.all) > most {
		oldest := t.all[0]
		t.dropIdle(oldest)
		go oldest.close(errPoolFull)
	}
	switch {
	case t.IdleConnTimeout <= 0 || l.other != nil:
	case l.timer != nil:
		l.timer.Reset(t.IdleConnTimeout)
	default:
		l.timer = time.AfterFunc(t.IdleConnTimeout, l.closeIfIdle)
	}
	return nil
}

// unshelve takes a connection from the idle ones, and says whether it was one.
func (t *Transport) unshelve(l *link) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dropIdle(l)
}

// dropIdle is called with the lock held; whether the connection was idle.
func (t *Transport) dropIdle(l *link) bool {
	i := slices.Index(t.all, l)
	if i < 0 {
		return false
	}
	t.all = slices.Delete(t.all, i, i+1)
	if l.timer != nil {
		l.timer.Stop()
	}
	links := t.idle[l.route]
	if i := slices.Index(links, l); i >= 0 {
		links = slices.Delete(links, i, i+1)
	}
	if len(links) == 0 {
		delete(t.idle, l.route)
	} else {
		t.idle[l.route] = links
	}
	return true
}

func (l *link) closeIfIdle() {
	if l.t.unshelve(l) {
		l.close(errIdleTooLong)
	}
}

// CloseIdleConnections closes those that nobody uses, and others as soon as nobody does.
func (t *Transport) CloseIdleConnections() {
	t.beReady()
	t.mu.Lock()
	all := t.all
	t.all, t.idle = nil, nil
	t.closes = true
	t.mu.Unlock()
	for _, l := range all {
		l.close(errUnusedClosed)
	}
	if t.h2 != nil {
		t.h2.closeUnused()
	}
}

func (t *Transport) maxHeader() int64 {
	if t.MaxResponseHeaderBytes != 0 {
		return t.MaxResponseHeaderBytes
	}
	return 10 << 20
}

// A dialer makes connections; the program may have its own.
type dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// ownDialer is the program's, which may be of the old kind, without a context; nil if it has none.
func ownDialer(d dialer, old func(network, addr string) (net.Conn, error)) dialer {
	if d == nil && old != nil {
		return func(_ context.Context, network, addr string) (net.Conn, error) { return old(network, addr) }
	}
	return d
}

// dial connects to an address. What the dialer has done if it gives nothing is told in the words
// of what.
func (d dialer) dial(ctx context.Context, addr, what string) (net.Conn, error) {
	c, err := d(ctx, "tcp", addr)
	if c == nil && err == nil {
		err = errors.New("net/http: Transport." + what + " returned (nil, nil)")
	}
	return c, err
}

// dialTo makes the connection itself.
func (t *Transport) dialTo(ctx context.Context, addr string) (net.Conn, error) {
	what := "Dial hook"
	if t.DialContext != nil {
		what = "DialContext hook"
	}
	d := ownDialer(t.DialContext, t.Dial)
	if d == nil {
		d = new(net.Dialer).DialContext
	}
	return d.dial(ctx, addr, what)
}

// dialTLS makes one by what the program has for that; it is false if it has nothing.
func (t *Transport) dialTLS(ctx context.Context, addr string) (c net.Conn, has bool, err error) {
	if d := ownDialer(t.DialTLSContext, t.DialTLS); d != nil {
		has = true
		c, err = d.dial(ctx, addr, "DialTLS or DialTLSContext")
	}
	return c, has, err
}

// open makes a connection, perhaps to a proxy.
func (t *Transport) open(w *want) (l *link, err error) {
	l = &link{
		t:      t,
		route:  w.route,
		target: w.target,
		next:   make(chan *exchange, 1),
		closed: make(chan struct{}),
	}
	if w.proxy == nil {
		err = t.direct(w, l)
	} else {
		err = t.byProxy(w, l)
	}
	return l, err
}

// dial makes a connection, and begins to speak over it.
func (t *Transport) dial(w *want) (*link, error) {
	l, err := t.open(w)
	if err == nil {
		l.other, err = t.otherProto(l)
	}
	switch {
	case err != nil:
		return nil, err
	case l.other == nil:
		l.begin()
	}
	return l, nil
}

// direct connects to the host.
func (t *Transport) direct(w *want, l *link) (err error) {
	if w.route.scheme != "https" {
		l.conn, err = t.dialTo(w.ctx, w.route.addr)
		return err
	}
	c, has, err := t.dialTLS(w.ctx, w.route.addr)
	if err != nil {
		return err
	}
	if l.conn = c; has {
		return t.secureOwn(w, l)
	}
	if l.conn, err = t.dialTo(w.ctx, w.route.addr); err != nil {
		return err
	}
	host, _, _ := net.SplitHostPort(w.route.addr)
	return t.secure(w, l, host)
}

// secureOwn sees to the TLS of a connection that the program has made, and perhaps left to us.
func (t *Transport) secureOwn(w *want, l *link) error {
	c, ok := l.conn.(secured)
	if !ok {
		return nil
	}
	trace := w.trace
	if trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	var state tls.ConnectionState
	err := shakeHands(w.ctx, c)
	if err == nil {
		state = c.ConnectionState()
		l.tls = &state
	} else {
		go l.conn.Close()
	}
	if trace != nil && trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(state, err)
	}
	return err
}

// byProxy connects to the proxy, and has it connect to the host if that speaks TLS.
func (t *Transport) byProxy(w *want, l *link) (err error) {
	port := map[string]string{
		"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080",
	}[w.proxy.Scheme]
	wrap := func(err error) error { return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err} }
	if port == "" {
		return wrap(errors.New(
			"net/http: proxies of scheme " + w.proxy.Scheme + " are not on offer here"))
	}
	addr := w.proxy.Host
	if w.proxy.Port() == "" {
		addr = net.JoinHostPort(w.proxy.Hostname(), port)
	}
	if l.conn, err = t.dialTo(w.ctx, addr); err != nil {
		return wrap(err)
	}
	switch w.proxy.Scheme {
	case "https":
		if err := t.secure(w, l, w.proxy.Hostname()); err != nil {
			return wrap(err)
		}
		l.tls = nil
	case "socks5", "socks5h":
		if err := socks(w.ctx, l.conn, w.proxy.User, w.target); err != nil {
			l.conn.Close()
			return err
		}
		if w.route.scheme == "http" {
			return nil
		}
		host, _, _ := net.SplitHostPort(w.route.addr)
		return t.secure(w, l, host)
	}
	if user := w.proxy.User; user != nil {
		password, _ := user.Password()
		l.proxyCredentials = "Basic " + credentials(user.Username(), password)
	}
	if w.route.scheme == "http" {
		l.byProxy = true
		return nil
	}
	if err := t.tunnel(w, l); err != nil {
		return err
	}
	l.proxyCredentials = ""
	host, _, _ := net.SplitHostPort(w.route.addr)
	return t.secure(w, l, host)
}

// takesZip says whether an answer came as gzip; then its header tells of what comes out of that.
func takesZip(resp *Response) bool {
	if !equalFold(resp.Header.Get("Content-Encoding"), "gzip") {
		return false
	}
	for _, field := range [...]string{"Content-Length", "Content-Encoding"} {
		resp.Header.Del(field)
	}
	resp.Uncompressed, resp.ContentLength = true, -1
	return true
}

// unzipped is the body of an answer that came as gzip.
type unzipped struct {
	body *replyBody
	zip  *gzip.Reader
	err  error
}

func (u *unzipped) Read(p []byte) (int, error) {
	if u.body.isClosed() {
		return 0, errReadOnClosed
	}
	if u.zip == nil && u.err == nil {
		u.zip, u.err = gzip.NewReader(u.body)
	}
	if u.err != nil {
		return 0, u.err
	}
	return u.zip.Read(p)
}

func (u *unzipped) Close() error { return u.body.Close() }

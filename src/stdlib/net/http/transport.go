package http

import (
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
	inFlight    map[*Request]context.CancelCauseFunc
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
		Proxy:                  t.Proxy,
		OnProxyConnectResponse: t.OnProxyConnectResponse,
		DialContext:            t.DialContext,
		Dial:                   t.Dial,
		DialTLSContext:         t.DialTLSContext,
		DialTLS:                t.DialTLS,
		TLSHandshakeTimeout:    t.TLSHandshakeTimeout,
		DisableKeepAlives:      t.DisableKeepAlives,
		DisableCompression:     t.DisableCompression,
		MaxIdleConns:           t.MaxIdleConns,
		MaxIdleConnsPerHost:    t.MaxIdleConnsPerHost,
		MaxConnsPerHost:        t.MaxConnsPerHost,
		IdleConnTimeout:        t.IdleConnTimeout,
		ResponseHeaderTimeout:  t.ResponseHeaderTimeout,
		ExpectContinueTimeout:  t.ExpectContinueTimeout,
		ProxyConnectHeader:     t.ProxyConnectHeader.Clone(),
		GetProxyConnectHeader:  t.GetProxyConnectHeader,
		MaxResponseHeaderBytes: t.MaxResponseHeaderBytes,
		WriteBufferSize:        t.WriteBufferSize,
		ReadBufferSize:         t.ReadBufferSize,
		ForceAttemptHTTP2:      t.ForceAttemptHTTP2,
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
	cancel := t.inFlight[req]
	t.mu.Unlock()
	if cancel != nil {
		cancel(errRequestCanceled)
	}
}

var (
	errRequestCanceled     = errors.New("net/http: request canceled")
	errRequestCanceledConn = errors.New("net/http: request canceled while waiting for connection")
	errRequestDone         = errors.New("net/http: request completed")
	errTimeout             = &timeoutError{"net/http: timeout awaiting response headers"}
	errServerClosedIdle    = errors.New("http: server closed idle connection")
	errKeepAlivesDisabled  = errors.New("http: putIdleConn: keep alives disabled")
	errConnBroken          = errors.New("http: putIdleConn: connection is in bad state")
	errCloseIdle           = errors.New("http: putIdleConn: CloseIdleConnections was called")
	errTooManyIdle         = errors.New("http: putIdleConn: too many idle connections")
	errTooManyIdleHost     = errors.New("http: putIdleConn: too many idle connections for host")
	errCloseIdleConns      = errors.New("http: CloseIdleConnections called")
	errReadLoopExiting     = errors.New("http: persistConn.readLoop exiting")
	errIdleConnTimeout     = errors.New("http: idle connection timeout")
	errClosedEarly         = errors.New("net/http: response body closed early")
	errCallerOwnsConn      = errors.New("read loop ending; caller owns writable underlying conn")
	errCannotRewind        = errors.New("net/http: cannot rewind body after connection loss")
	errReadOnClosed        = errors.New("http: read on closed response body")
)

// trackedBody knows whether a request's body has been touched.
type trackedBody struct {
	io.ReadCloser
	didRead  bool
	didClose atomic.Bool
}

func (b *trackedBody) Read(p []byte) (int, error) {
	b.didRead = true
	return b.ReadCloser.Read(p)
}

func (b *trackedBody) Close() error {
	if b.didClose.Swap(true) {
		return nil
	}
	return b.ReadCloser.Close()
}

// again gives a request whose body begins anew.
func again(r *Request) (*Request, error) {
	b, ok := r.Body.(*trackedBody)
	if !ok || !b.didRead && !b.didClose.Load() {
		return r, nil
	}
	if !b.didClose.Load() {
		r.closeBody()
	}
	if r.GetBody == nil {
		return nil, errCannotRewind
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	c := *r
	c.Body = &trackedBody{ReadCloser: body}
	return &c, nil
}

// check says why a request cannot be sent.
func (t *Transport) check(r *Request) error {
	switch {
	case r.URL == nil:
		return errNilURL
	case r.Header == nil:
		return errNilHeader
	}
	if r.URL.Scheme == "http" || r.URL.Scheme == "https" {
		if bad := badField(r.Header); bad != "" {
			return fmt.Errorf("net/http: invalid header %s", bad)
		}
		if bad := badField(r.Trailer); bad != "" {
			return fmt.Errorf("net/http: invalid trailer %s", bad)
		}
	}
	return nil
}

// otherFor is what takes requests of such a scheme; nil if we do.
func (t *Transport) otherFor(r *Request) RoundTripper {
	if r.URL.Scheme == "https" && r.requiresHTTP1() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.schemes[r.URL.Scheme]
}

func (t *Transport) RoundTrip(req *Request) (resp *Response, err error) {
	t.beReady()
	if err := t.check(req); err != nil {
		req.closeBody()
		return nil, err
	}
	r := req
	if r.Body != nil && r.Body != NoBody {
		c := *r
		c.Body = &trackedBody{ReadCloser: r.Body}
		r = &c
	}
	if other := t.otherFor(r); other != nil {
		if resp, err := other.RoundTrip(r); err != ErrSkipAltProtocol {
			return resp, err
		}
		if r, err = again(r); err != nil {
			return nil, err
		}
	}
	switch scheme := r.URL.Scheme; {
	case scheme != "http" && scheme != "https":
		err = badString("unsupported protocol scheme", scheme)
	case r.Method != "" && !isToken(r.Method):
		err = fmt.Errorf("net/http: invalid method %q", r.Method)
	case r.URL.Host == "":
		err = errNoHost
	}
	if err != nil {
		r.closeBody()
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	cancel = t.fly(req, cancel)
	defer func() {
		if err != nil {
			cancel(err)
		}
	}()
	if req.Cancel != nil {
		go func() {
			select {
			case <-req.Cancel:
				cancel(errRequestCanceled)
			case <-ctx.Done():
			}
		}()
	}
	for {
		if ctx.Err() != nil {
			r.closeBody()
			return nil, context.Cause(ctx)
		}
		x := &exchange{
			r:      r,
			ctx:    ctx,
			cancel: cancel,
			trace:  httptrace.ContextClientTrace(ctx),
			answer: make(chan answer, 1),
			wrote:  make(chan error, 1),
		}
		l, err := t.connect(x)
		if err != nil {
			r.closeBody()
			return nil, err
		}
		if l.other != nil {
			resp, err := l.other.RoundTrip(r)
			if err == nil {
				cancel(errRequestDone)
				resp.Request = req
				return resp, nil
			}
			if !isNoCachedConn(err) {
				if b, ok := r.Body.(*trackedBody); ok && !b.didClose.Load() {
					r.closeBody()
				}
				return nil, err
			}
			// The connection takes no more requests.
			t.mu.Lock()
			wasIdle := t.dropIdle(l)
			t.mu.Unlock()
			if wasIdle {
				t.lost(l.route)
			}
			if r, err = again(r); err != nil {
				return nil, err
			}
			continue
		}
		resp, err := l.exchange(x)
		if err == nil {
			resp.Request = req
			return resp, nil
		}
		if !l.mayRetry(r, err) {
			if e, ok := err.(nothingWritten); ok {
				err = e.error
			}
			if e, ok := err.(serverError); ok {
				err = e.error
			}
			if b, ok := r.Body.(*trackedBody); ok && !b.didClose.Load() {
				r.closeBody()
			}
			return nil, err
		}
		if r, err = again(r); err != nil {
			return nil, err
		}
	}
}

// fly notes a request for CancelRequest, until it has been cancelled or is over.
func (t *Transport) fly(r *Request, cancel context.CancelCauseFunc) context.CancelCauseFunc {
	var whole context.CancelCauseFunc = func(err error) {
		cancel(err)
		t.mu.Lock()
		delete(t.inFlight, r)
		t.mu.Unlock()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.inFlight == nil {
		t.inFlight = make(map[*Request]context.CancelCauseFunc)
	}
	t.inFlight[r] = whole
	return whole
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
	to := route{scheme: x.r.URL.Scheme, addr: addr, onlyHTTP1: x.r.requiresHTTP1()}
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
			err = x.cause(errRequestCanceledConn)
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
		return nil, x.cause(errRequestCanceledConn)
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
		if t.IdleConnTimeout > 0 && time.Since(l.idleAt) > t.IdleConnTimeout {
			go l.close(errIdleConnTimeout)
			continue
		}
		if !l.isBroken() && w.give(l, nil) {
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
	if err != nil {
		w.give(nil, err)
		t.lost(w.route)
		return
	}
	if !w.give(l, nil) || l.other != nil {
		t.putBack(l)
	}
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
	if t.DisableKeepAlives || t.MaxIdleConnsPerHost < 0 {
		return errKeepAlivesDisabled
	}
	if l.isBroken() {
		return errConnBroken
	}
	l.mu.Lock()
	l.isReused = true
	l.mu.Unlock()
	if l.isOwned {
		l.becomeFree()
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.other != nil && slices.Contains(t.all, l) {
		return nil
	}
	for queue := t.waiting[l.route]; len(queue) > 0; queue = queue[1:] {
		t.waiting[l.route] = queue[1:]
		if queue[0].give(l, nil) && l.other == nil {
			return nil
		}
	}
	delete(t.waiting, l.route)
	if t.closes {
		return errCloseIdle
	}
	most := t.MaxIdleConnsPerHost
	if most == 0 {
		most = DefaultMaxIdleConnsPerHost
	}
	if len(t.idle[l.route]) >= most {
		return errTooManyIdleHost
	}
	if t.idle == nil {
		t.idle = make(map[route][]*link)
	}
	t.idle[l.route] = append(t.idle[l.route], l)
	t.all = append(t.all, l)
	l.idleAt = time.Now()
	if t.MaxIdleConns != 0 && len(t.all) > t.MaxIdleConns {
		oldest := t.all[0]
		t.dropIdle(oldest)
		go oldest.close(errTooManyIdle)
	}
	if t.IdleConnTimeout > 0 && l.other == nil {
		if l.timer == nil {
			l.timer = time.AfterFunc(t.IdleConnTimeout, l.closeIfIdle)
		} else {
			l.timer.Reset(t.IdleConnTimeout)
		}
	}
	return nil
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
	l.t.mu.Lock()
	wasIdle := l.t.dropIdle(l)
	l.t.mu.Unlock()
	if wasIdle {
		l.close(errIdleConnTimeout)
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
		l.close(errCloseIdleConns)
	}
	if t.h2 != nil {
		t.h2.closeIdle()
	}
}

func (t *Transport) maxHeader() int64 {
	if t.MaxResponseHeaderBytes != 0 {
		return t.MaxResponseHeaderBytes
	}
	return 10 << 20
}

// dialTo makes the connection itself.
func (t *Transport) dialTo(ctx context.Context, addr string) (c net.Conn, err error) {
	hook := ""
	switch {
	case t.DialContext != nil:
		hook = "DialContext"
		c, err = t.DialContext(ctx, "tcp", addr)
	case t.Dial != nil:
		hook = "Dial"
		c, err = t.Dial("tcp", addr)
	default:
		return new(net.Dialer).DialContext(ctx, "tcp", addr)
	}
	if c == nil && err == nil {
		err = errors.New("net/http: Transport." + hook + " hook returned (nil, nil)")
	}
	return c, err
}

// dialTLS makes one by what the program has for that; it is false if it has nothing.
func (t *Transport) dialTLS(ctx context.Context, addr string) (c net.Conn, has bool, err error) {
	switch {
	case t.DialTLSContext != nil:
		c, err = t.DialTLSContext(ctx, "tcp", addr)
	case t.DialTLS != nil:
		c, err = t.DialTLS("tcp", addr)
	default:
		return nil, false, nil
	}
	if c == nil && err == nil {
		err = errors.New("net/http: Transport.DialTLS or DialTLSContext returned (nil, nil)")
	}
	return c, true, err
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
	if err != nil {
		return nil, err
	}
	if l.other, err = t.otherProto(l); err != nil {
		return nil, err
	}
	if l.other == nil {
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
		l.proxyAuth = "Basic " + basicAuth(user.Username(), password)
	}
	if w.route.scheme == "http" {
		l.byProxy = true
		return nil
	}
	if err := t.tunnel(w, l); err != nil {
		return err
	}
	l.proxyAuth = ""
	host, _, _ := net.SplitHostPort(w.route.addr)
	return t.secure(w, l, host)
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

package httputil

// A reverse proxy. ServeHTTP goes through these steps, and the first that has an error ends them:
// outgoing makes the request that is sent for the one that came; exchange sends it, and passes on
// what the server says before its answer; then the answer goes to the client, or, if both sides
// change to another protocol, all that either of them says.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// ProxyRequest is a request that came in, and what is to be sent for it.
type ProxyRequest struct {
	In  *http.Request
	Out *http.Request
}

// SetURL sends it to target; the path is added to that of target.
func (r *ProxyRequest) SetURL(target *url.URL) {
	sendTo(r.Out, target)
	r.Out.Host = ""
}

// SetXForwarded tells the server who has asked, and how.
func (r *ProxyRequest) SetXForwarded() {
	h := r.Out.Header
	clients, ok := clientsOf(r.In, h[forwardedFor])
	if h.Del(forwardedFor); ok {
		h.Set(forwardedFor, clients)
	}
	h.Set("X-Forwarded-Host", r.In.Host)
	scheme := "http"
	if r.In.TLS != nil {
		scheme = "https"
	}
	h.Set("X-Forwarded-Proto", scheme)
}

const forwardedFor = "X-Forwarded-For"

// clientsOf adds the client's address, if it is known, to those before.
func clientsOf(r *http.Request, before []string) (string, bool) {
	ip, _, err := net.SplitHostPort(r.RemoteAddr)
	return strings.Join(append(slices.Clip(before), ip), ", "), err == nil
}

// BufferPool has buffers for copies.
type BufferPool interface {
	Get() []byte
	Put([]byte)
}

// ReverseProxy is a handler that has another server answer.
type ReverseProxy struct {
	// Rewrite, or Director, says where to.
	Rewrite func(*ProxyRequest)

	Transport      http.RoundTripper
	FlushInterval  time.Duration
	ErrorLog       *log.Logger
	BufferPool     BufferPool
	ModifyResponse func(*http.Response) error
	ErrorHandler   func(http.ResponseWriter, *http.Request, error)

	Director func(*http.Request)
}

// NewSingleHostReverseProxy sends all requests to target, with the path added to that of target.
func NewSingleHostReverseProxy(target *url.URL) *ReverseProxy {
	return &ReverseProxy{Director: func(r *http.Request) { sendTo(r, target) }}
}

// sendTo adds what a request asks for to target. Exactly one slash goes between both paths; whether
// they have one is told by how they are written, since a slash may be part of a name.
func sendTo(r *http.Request, target *url.URL) {
	u := r.URL
	before, behind := target.EscapedPath(), u.EscapedPath()
	extra, missing := 0, ""
	switch ends, begins := strings.HasSuffix(before, "/"), strings.HasPrefix(behind, "/"); {
	case ends && begins:
		extra = 1
	case !ends && !begins:
		missing = "/"
	}
	if target.RawPath != "" || u.RawPath != "" {
		u.RawPath = before + missing + behind[extra:]
	}
	u.Path = target.Path + missing + u.Path[extra:]
	u.Scheme, u.Host = target.Scheme, target.Host
	queries := []string{target.RawQuery, u.RawQuery}
	u.RawQuery = strings.Join(slices.DeleteFunc(queries, func(q string) bool { return q == "" }), "&")
}

// add adds fields to a header, whose names get a prefix.
func add(to http.Header, prefix string, from map[string][]string) {
	for name, values := range from {
		for _, v := range values {
			to.Add(prefix+name, v)
		}
	}
}

// ofConnection are fields that are for one connection only: RFC 7230, section 6.1.
var ofConnection = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// forwarded are fields that only we tell the server, not the client.
var forwarded = []string{"Forwarded", forwardedFor, "X-Forwarded-Host", "X-Forwarded-Proto"}

func drop(h http.Header, names []string) {
	for _, name := range names {
		h.Del(name)
	}
}

// dropOfConnection drops fields that are for one connection, those too that the header says are.
func dropOfConnection(h http.Header) {
	drop(h, slices.Collect(elements(h["Connection"])))
	drop(h, ofConnection)
}

// elements goes through lists with commas.
func elements(lists []string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for e := range strings.SplitSeq(strings.Join(lists, ","), ",") {
			if e = textproto.TrimString(e); e != "" && !yield(e) {
				return
			}
		}
	}
}

func has(lists []string, word string) bool {
	for e := range elements(lists) {
		if strings.EqualFold(e, word) {
			return true
		}
	}
	return false
}

// protocolOf is the protocol to which a message changes; it is bad if it is not printable.
func protocolOf(h http.Header) (protocol string, isBad bool) {
	if has(h["Connection"], "Upgrade") {
		protocol = h.Get("Upgrade")
	}
	return protocol, strings.ContainsFunc(protocol, func(r rune) bool { return r < ' ' || r > '~' })
}

// cleanQuery drops what this package and the server might understand differently.
func cleanQuery(u *url.URL) {
	if values, err := url.ParseQuery(u.RawQuery); err != nil {
		u.RawQuery = values.Encode()
	}
}

func (p *ReverseProxy) logf(format string, args ...any) {
	to := p.ErrorLog
	if to == nil {
		to = log.Default()
	}
	to.Printf(format, args...)
}

// outgoing is what is sent for a request.
func (p *ReverseProxy) outgoing(ctx context.Context, r *http.Request) (*http.Request, error) {
	if (p.Director != nil) == (p.Rewrite != nil) {
		return nil, errors.New("ReverseProxy must have exactly one of Director or Rewrite set")
	}
	out := r.Clone(ctx)
	h := out.Header
	if h == nil {
		h = http.Header{}
		out.Header = h
	}
	if r.ContentLength == 0 {
		out.Body = nil
	}
	if p.Director != nil {
		if p.Director(out); out.Form != nil {
			cleanQuery(out.URL)
		}
		h = out.Header
	}
	out.Close = false
	protocol, isBad := protocolOf(h)
	if isBad {
		return nil, fmt.Errorf("client tried to switch to invalid protocol %q", protocol)
	}
	dropOfConnection(h)
	if has(r.Header["Te"], "trailers") {
		h.Set("Te", "trailers")
	}
	if protocol != "" {
		h.Set("Connection", "Upgrade")
		h.Set("Upgrade", protocol)
	}
	if p.Rewrite != nil {
		drop(h, forwarded)
		cleanQuery(out.URL)
		both := ProxyRequest{r, out}
		p.Rewrite(&both)
		out = both.Out
	} else if before, ok := h[forwardedFor]; !ok || before != nil { // nil: it is not to be told
		if clients, ok := clientsOf(r, before); ok {
			h.Set(forwardedFor, clients)
		}
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		// We are nobody's agent.
		out.Header.Set("User-Agent", "")
	}
	return out, nil
}

func (p *ReverseProxy) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	ctx := req.Context()
	if n, ok := rw.(http.CloseNotifier); ok && ctx.Done() == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		go cancelIf(n.CloseNotify(), ctx, cancel)
	}
	out, err := p.outgoing(ctx, req)
	if err != nil {
		p.fail(rw, req, err)
		return
	}
	if out.Body != nil {
		defer out.Body.Close()
	}
	if err := p.pass(rw, req, out); err != nil {
		p.fail(rw, out, err)
	}
}

// cancelIf cancels a context when the client has gone.
func cancelIf(gone <-chan bool, ctx context.Context, cancel func()) {
	select {
	case <-ctx.Done():
	case <-gone:
		cancel()
	}
}

var errConnect = errors.New("client sent unsupported CONNECT request")

// fail answers in place of the server.
func (p *ReverseProxy) fail(w http.ResponseWriter, r *http.Request, err error) {
	if p.ErrorHandler != nil {
		p.ErrorHandler(w, r, err)
		return
	}
	p.logf("http: proxy error: %v", err)
	status := http.StatusBadGateway
	if err == errConnect {
		status = http.StatusMethodNotAllowed
	}
	w.WriteHeader(status)
}

// pass has the server answer out, and passes the answer on.
func (p *ReverseProxy) pass(rw http.ResponseWriter, in, out *http.Request) error {
	if out.Method == http.MethodConnect {
		return errConnect
	}
	resp, err := p.exchange(rw, out)
	if err != nil {
		return err
	}
	changes := resp.StatusCode == http.StatusSwitchingProtocols
	if !changes {
		dropOfConnection(resp.Header)
	}
	if p.ModifyResponse != nil {
		if err := p.ModifyResponse(resp); err != nil {
			resp.Body.Close()
			return err
		}
	}
	if changes {
		return p.tunnel(rw, out, resp)
	}
	p.answer(rw, in, resp)
	return nil
}

// exchange sends a request. The client gets at once what comes before the answer.
func (p *ReverseProxy) exchange(rw http.ResponseWriter, out *http.Request) (*http.Response, error) {
	to := p.Transport
	if to == nil {
		to = http.DefaultTransport
	}
	e := &early{to: rw}
	defer e.end()
	trace := &httptrace.ClientTrace{Got1xxResponse: e.pass}
	return to.RoundTrip(out.WithContext(httptrace.WithClientTrace(out.Context(), trace)))
}

// early passes on what comes before an answer, until it is ended.
type early struct {
	mu sync.Mutex
	to http.ResponseWriter
}

func (e *early) pass(code int, header textproto.MIMEHeader) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.to == nil {
		return nil
	}
	h := e.to.Header()
	add(h, "", header)
	e.to.WriteHeader(code)
	clear(h)
	return nil
}

func (e *early) end() {
	e.mu.Lock()
	e.to = nil
	e.mu.Unlock()
}

// answer passes an answer on, with the trailer.
func (p *ReverseProxy) answer(rw http.ResponseWriter, in *http.Request, resp *http.Response) {
	h := rw.Header()
	add(h, "", resp.Header)
	announced := slices.Collect(maps.Keys(resp.Trailer))
	if len(announced) > 0 {
		h.Add("Trailer", strings.Join(announced, ", "))
	}
	rw.WriteHeader(resp.StatusCode)
	if err := p.copyBody(rw, resp); err != nil {
		defer resp.Body.Close()
		if in.Context().Value(http.ServerContextKey) != nil {
			// The client must see that the answer is cut.
			panic(http.ErrAbortHandler)
		}
		p.logf("suppressing panic for copyResponse error in test; copy error: %v", err)
		return
	}
	// Once the body is closed the trailer is known.
	resp.Body.Close()
	if len(resp.Trailer) == 0 {
		return
	}
	http.NewResponseController(rw).Flush()
	prefix := ""
	if len(resp.Trailer) != len(announced) {
		prefix = http.TrailerPrefix
	}
	add(h, prefix, resp.Trailer)
}

// copyBody copies the body, and has the copy flushed as the proxy says. What comes bit by bit is
// flushed at once.
func (p *ReverseProxy) copyBody(rw http.ResponseWriter, resp *http.Response) error {
	interval := p.FlushInterval
	if resp.ContentLength == -1 {
		interval = -1
	} else if t, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); t == "text/event-stream" {
		interval = -1
	}
	var to io.Writer = rw
	if interval != 0 {
		f := &flusher{w: rw, flush: http.NewResponseController(rw).Flush, interval: interval}
		f.start()
		defer f.stop()
		to = f
	}
	var buf []byte
	if pool := p.BufferPool; pool != nil {
		buf = pool.Get()
		defer pool.Put(buf)
	}
	if len(buf) == 0 {
		buf = make([]byte, 32<<10)
	}
	// All goes through the buffer: neither side may do the copying itself.
	_, err := io.CopyBuffer(struct{ io.Writer }{to}, loud{p, resp.Body}, buf)
	return err
}

// loud logs errors of reading.
type loud struct {
	p    *ReverseProxy
	body io.Reader
}

func (l loud) Read(b []byte) (int, error) {
	n, err := l.body.Read(b)
	if err != nil && err != io.EOF && err != context.Canceled {
		l.p.logf("httputil: ReverseProxy read error during body copy: %v", err)
	}
	return n, err
}

// flusher flushes what is written some time later, or at once if interval is negative.
type flusher struct {
	w        io.Writer
	flush    func() error
	interval time.Duration

	mu    sync.Mutex
	timer *time.Timer // of the flush that is planned; nil if there is none
}

func (f *flusher) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.w.Write(b)
	switch {
	case f.interval < 0:
		f.flush()
	case f.timer == nil:
		f.plan()
	}
	return n, err
}

// start has the header flushed, even if no body comes.
func (f *flusher) start() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plan()
}

func (f *flusher) plan() {
	f.timer = time.AfterFunc(f.interval, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.timer != nil {
			f.timer = nil
			f.flush()
		}
	})
}

// stop drops a flush that is planned.
func (f *flusher) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer != nil {
		f.timer.Stop()
		f.timer = nil
	}
}

// tunnel passes on what both sides say once another protocol is spoken.
func (p *ReverseProxy) tunnel(rw http.ResponseWriter, out *http.Request, resp *http.Response) error {
	asked, _ := protocolOf(out.Header)
	given, isBad := protocolOf(resp.Header)
	server, ok := resp.Body.(io.ReadWriteCloser)
	switch {
	case isBad:
		return fmt.Errorf("backend tried to switch to invalid protocol %q", given)
	case !strings.EqualFold(asked, given):
		return fmt.Errorf("backend tried to switch protocol %q when %q was requested", given, asked)
	case !ok:
		return errors.New("internal error: 101 switching protocols response with non-writable body")
	}
	client, buf, err := http.NewResponseController(rw).Hijack()
	if errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("can't switch protocols using non-Hijacker ResponseWriter type %T", rw)
	}
	defer server.Close()
	if err != nil {
		return fmt.Errorf("Hijack failed on protocol switch: %v", err)
	}
	defer client.Close()
	unwatch := context.AfterFunc(out.Context(), func() { server.Close() })
	defer unwatch()
	add(rw.Header(), "", resp.Header)
	resp.Header, resp.Body = rw.Header(), nil
	if err := resp.Write(buf); err != nil {
		return fmt.Errorf("response write: %v", err)
	}
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("response flush: %v", err)
	}
	ended := make(chan bool, 2)
	pass := func(to io.Writer, from io.Reader) { ended <- copyToEnd(to, from) }
	go pass(server, client)
	go pass(client, server)
	if <-ended {
		<-ended
	}
	return nil
}

// copyToEnd copies until from ends, and says whether it could tell the receiver just that, so that
// the other way may go on.
func copyToEnd(to io.Writer, from io.Reader) bool {
	if _, err := io.Copy(to, from); err != nil {
		return false
	}
	half, ok := to.(interface{ CloseWrite() error })
	return ok && half.CloseWrite() == nil
}

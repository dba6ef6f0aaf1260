package httputil

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
	if ip, _, err := net.SplitHostPort(r.In.RemoteAddr); err == nil {
		h.Set("X-Forwarded-For", strings.Join(append(slices.Clone(h["X-Forwarded-For"]), ip), ", "))
	} else {
		h.Del("X-Forwarded-For")
	}
	h.Set("X-Forwarded-Host", r.In.Host)
	h.Set("X-Forwarded-Proto", "http")
}

// BufferPool has buffers for copies.
type BufferPool interface {
	Get() []byte
	Put([]byte)
}

// ReverseProxy is a handler that has another server answer.
type ReverseProxy struct {
	// Either of these says where to.
	Rewrite  func(*ProxyRequest)
	Director func(*http.Request)

	Transport      http.RoundTripper
	FlushInterval  time.Duration
	ErrorLog       *log.Logger
	BufferPool     BufferPool
	ModifyResponse func(*http.Response) error
	ErrorHandler   func(http.ResponseWriter, *http.Request, error)
}

func NewSingleHostReverseProxy(target *url.URL) *ReverseProxy {
	return &ReverseProxy{Director: func(r *http.Request) { sendTo(r, target) }}
}

// joinPaths puts exactly one slash between two paths.
func joinPaths(a, b string) string {
	return strings.TrimSuffix(a, "/") + "/" + strings.TrimPrefix(b, "/")
}

func sendTo(r *http.Request, target *url.URL) {
	u := r.URL
	if target.RawPath != "" || u.RawPath != "" {
		u.RawPath = joinPaths(target.EscapedPath(), u.EscapedPath())
	}
	u.Path = joinPaths(target.Path, u.Path)
	u.Scheme, u.Host = target.Scheme, target.Host
	between := ""
	if target.RawQuery != "" && u.RawQuery != "" {
		between = "&"
	}
	u.RawQuery = target.RawQuery + between + u.RawQuery
}

func add(to, from http.Header) {
	for name, values := range from {
		for _, v := range values {
			to.Add(name, v)
		}
	}
}

// ofConnection are fields that are for one connection only: RFC 7230, section 6.1.
var ofConnection = []string{
	"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade",
}

func elements(values []string) (all []string) {
	for _, v := range values {
		for e := range strings.SplitSeq(v, ",") {
			if e = textproto.TrimString(e); e != "" {
				all = append(all, e)
			}
		}
	}
	return all
}

func has(values []string, word string) bool {
	return slices.ContainsFunc(elements(values), func(e string) bool { return strings.EqualFold(e, word) })
}

func dropOfConnection(h http.Header) {
	for _, name := range append(elements(h["Connection"]), ofConnection...) {
		h.Del(name)
	}
}

// upgrade is the protocol to which a message changes.
func upgrade(h http.Header) string {
	if has(h["Connection"], "Upgrade") {
		return h.Get("Upgrade")
	}
	return ""
}

func isPrintable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

func (p *ReverseProxy) logf(format string, args ...any) {
	if p.ErrorLog != nil {
		p.ErrorLog.Printf(format, args...)
		return
	}
	log.Printf(format, args...)
}

func (p *ReverseProxy) fail(w http.ResponseWriter, r *http.Request, err error) {
	if p.ErrorHandler != nil {
		p.ErrorHandler(w, r, err)
		return
	}
	p.logf("http: proxy error: %v", err)
	w.WriteHeader(http.StatusBadGateway)
}

// modify is false if the answer is not wanted.
func (p *ReverseProxy) modify(w http.ResponseWriter, resp *http.Response, r *http.Request) bool {
	if p.ModifyResponse == nil {
		return true
	}
	if err := p.ModifyResponse(resp); err != nil {
		resp.Body.Close()
		p.fail(w, r, err)
		return false
	}
	return true
}

// outgoing is what is sent for a request.
func (p *ReverseProxy) outgoing(ctx context.Context, r *http.Request) (*http.Request, error) {
	if (p.Director != nil) == (p.Rewrite != nil) {
		return nil, errors.New("ReverseProxy must have exactly one of Director or Rewrite set")
	}
	out := r.Clone(ctx)
	if r.ContentLength == 0 {
		out.Body = nil
	}
	if out.Header == nil {
		out.Header = make(http.Header)
	}
	if p.Director != nil {
		p.Director(out)
		if out.Form != nil {
			out.URL.RawQuery = cleanQuery(out.URL.RawQuery)
		}
	}
	out.Close = false
	protocol := upgrade(out.Header)
	if !isPrintable(protocol) {
		return nil, fmt.Errorf("client tried to switch to invalid protocol %q", protocol)
	}
	dropOfConnection(out.Header)
	if has(r.Header["Te"], "trailers") {
		out.Header.Set("Te", "trailers")
	}
	if protocol != "" {
		out.Header.Set("Connection", "Upgrade")
		out.Header.Set("Upgrade", protocol)
	}
	if p.Rewrite != nil {
		for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
			out.Header.Del(name)
		}
		out.URL.RawQuery = cleanQuery(out.URL.RawQuery)
		both := &ProxyRequest{In: r, Out: out}
		p.Rewrite(both)
		out = both.Out
	} else if ip, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		before, ok := out.Header["X-Forwarded-For"]
		// Nil says that it is not to be told.
		if !ok || before != nil {
			out.Header.Set("X-Forwarded-For", strings.Join(append(slices.Clone(before), ip), ", "))
		}
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		// We are nobody's agent.
		out.Header.Set("User-Agent", "")
	}
	return out, nil
}

// cleanQuery drops what this package and the server might understand differently.
func cleanQuery(s string) string {
	if values, err := url.ParseQuery(s); err != nil {
		return values.Encode()
	}
	return s
}

func (p *ReverseProxy) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	ctx := req.Context()
	if n, ok := rw.(http.CloseNotifier); ok && ctx.Done() == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		gone := n.CloseNotify()
		go func() {
			select {
			case <-gone:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	out, err := p.outgoing(ctx, req)
	if err != nil {
		p.fail(rw, req, err)
		return
	}
	if out.Body != nil {
		defer out.Body.Close()
	}
	if out.Method == http.MethodConnect {
		err := errors.New("client sent unsupported CONNECT request")
		if p.ErrorHandler != nil {
			p.ErrorHandler(rw, out, err)
			return
		}
		p.logf("http: proxy error: %v", err)
		rw.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	resp, err := p.roundTrip(rw, out)
	if err != nil {
		p.fail(rw, out, err)
		return
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		if p.modify(rw, resp, out) {
			p.tunnel(rw, out, resp)
		}
		return
	}
	dropOfConnection(resp.Header)
	if p.modify(rw, resp, out) {
		p.answer(rw, req, resp)
	}
}

// roundTrip also passes on what comes before the answer.
func (p *ReverseProxy) roundTrip(rw http.ResponseWriter, out *http.Request) (*http.Response, error) {
	var mu sync.Mutex
	isDone := false
	trace := &httptrace.ClientTrace{Got1xxResponse: func(code int, header textproto.MIMEHeader) error {
		mu.Lock()
		defer mu.Unlock()
		if !isDone {
			h := rw.Header()
			add(h, http.Header(header))
			rw.WriteHeader(code)
			clear(h)
		}
		return nil
	}}
	t := p.Transport
	if t == nil {
		t = http.DefaultTransport
	}
	resp, err := t.RoundTrip(out.WithContext(httptrace.WithClientTrace(out.Context(), trace)))
	mu.Lock()
	isDone = true
	mu.Unlock()
	return resp, err
}

func (p *ReverseProxy) answer(rw http.ResponseWriter, req *http.Request, resp *http.Response) {
	h := rw.Header()
	add(h, resp.Header)
	announced := len(resp.Trailer)
	if announced > 0 {
		h.Add("Trailer", strings.Join(slices.Collect(maps.Keys(resp.Trailer)), ", "))
	}
	rw.WriteHeader(resp.StatusCode)
	if err := p.copyBody(rw, resp); err != nil {
		defer resp.Body.Close()
		if req.Context().Value(http.ServerContextKey) == nil {
			p.logf("suppressing panic for copyResponse error in test; copy error: %v", err)
			return
		}
		// The client must see that the answer is cut.
		panic(http.ErrAbortHandler)
	}
	// Then the trailer is known.
	resp.Body.Close()
	if len(resp.Trailer) > 0 {
		http.NewResponseController(rw).Flush()
	}
	if len(resp.Trailer) == announced {
		add(h, resp.Trailer)
		return
	}
	for name, values := range resp.Trailer {
		for _, v := range values {
			h.Add(http.TrailerPrefix+name, v)
		}
	}
}

func (p *ReverseProxy) copyBody(rw http.ResponseWriter, resp *http.Response) error {
	interval := p.FlushInterval
	if t, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); t == "text/event-stream" || resp.ContentLength == -1 {
		// What comes bit by bit is passed on at once.
		interval = -1
	}
	var to io.Writer = rw
	if interval != 0 {
		f := &flusher{w: rw, flush: http.NewResponseController(rw).Flush, interval: interval}
		defer f.stop()
		f.later()
		to = f
	}
	var buf []byte
	if p.BufferPool != nil {
		buf = p.BufferPool.Get()
		defer p.BufferPool.Put(buf)
	}
	if len(buf) == 0 {
		buf = make([]byte, 32<<10)
	}
	for {
		n, err := resp.Body.Read(buf)
		if err != nil && err != io.EOF && err != context.Canceled {
			p.logf("httputil: ReverseProxy read error during body copy: %v", err)
		}
		if n > 0 {
			written, err := to.Write(buf[:n])
			if err != nil {
				return err
			}
			if written != n {
				return io.ErrShortWrite
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// flusher flushes what is written some time later, or at once if interval is negative.
type flusher struct {
	w        io.Writer
	flush    func() error
	interval time.Duration

	mu    sync.Mutex
	timer *time.Timer
	isDue bool
}

func (f *flusher) Write(b []byte) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err = f.w.Write(b)
	if f.interval < 0 {
		f.flush()
	} else if !f.isDue {
		f.timer.Reset(f.interval)
		f.isDue = true
	}
	return n, err
}

// later has the header flushed when it is time.
func (f *flusher) later() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.isDue = true
	f.timer = time.AfterFunc(f.interval, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.isDue {
			f.flush()
			f.isDue = false
		}
	})
}

func (f *flusher) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.isDue = false
	f.timer.Stop()
}

// tunnel passes on what both sides say once another protocol is spoken.
func (p *ReverseProxy) tunnel(rw http.ResponseWriter, req *http.Request, resp *http.Response) {
	asked, given := upgrade(req.Header), upgrade(resp.Header)
	if !isPrintable(given) {
		p.fail(rw, req, fmt.Errorf("backend tried to switch to invalid protocol %q", given))
		return
	}
	if !strings.EqualFold(asked, given) {
		p.fail(rw, req, fmt.Errorf("backend tried to switch protocol %q when %q was requested", given, asked))
		return
	}
	server, ok := resp.Body.(io.ReadWriteCloser)
	if !ok {
		p.fail(rw, req, errors.New("internal error: 101 switching protocols response with non-writable body"))
		return
	}
	client, buf, err := http.NewResponseController(rw).Hijack()
	if errors.Is(err, http.ErrNotSupported) {
		p.fail(rw, req, fmt.Errorf("can't switch protocols using non-Hijacker ResponseWriter type %T", rw))
		return
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-req.Context().Done():
		case <-done:
		}
		server.Close()
	}()
	if err != nil {
		p.fail(rw, req, fmt.Errorf("Hijack failed on protocol switch: %v", err))
		return
	}
	defer client.Close()
	add(rw.Header(), resp.Header)
	resp.Header = rw.Header()
	resp.Body = nil
	if err := resp.Write(buf); err != nil {
		p.fail(rw, req, fmt.Errorf("response write: %v", err))
		return
	}
	if err := buf.Flush(); err != nil {
		p.fail(rw, req, fmt.Errorf("response flush: %v", err))
		return
	}
	ended := make(chan bool, 2)
	pass := func(to, from io.ReadWriter) {
		_, err := io.Copy(to, from)
		half, ok := to.(interface{ CloseWrite() error })
		// The other way may go on if this one has only come to its end.
		ended <- err == nil && ok && half.CloseWrite() == nil
	}
	go pass(server, client)
	go pass(client, server)
	if <-ended {
		<-ended
	}
}

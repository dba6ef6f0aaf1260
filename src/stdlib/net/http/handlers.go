package http

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"
)

// Error answers with a text and a status.
func Error(w ResponseWriter, error string, code int) {
	h := w.Header()
	h.Del("Content-Length")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	fmt.Fprintln(w, error)
}

func NotFound(w ResponseWriter, r *Request) { Error(w, "404 page not found", StatusNotFound) }

func NotFoundHandler() Handler { return HandlerFunc(NotFound) }

// StripPrefix answers requests whose path begins so as if it did not.
func StripPrefix(prefix string, h Handler) Handler {
	if prefix == "" {
		return h
	}
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		p, ok := strings.CutPrefix(r.URL.Path, prefix)
		raw, rawOK := strings.CutPrefix(r.URL.RawPath, prefix)
		if !ok || !rawOK && r.URL.RawPath != "" {
			NotFound(w, r)
			return
		}
		h.ServeHTTP(w, r.withURL(func(u *url.URL) { u.Path, u.RawPath = p, raw }))
	})
}

// withURL is the request with another URL.
func (r *Request) withURL(change func(u *url.URL)) *Request {
	c := *r
	u := *r.URL
	change(&u)
	c.URL = &u
	return &c
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// Redirect sends the client elsewhere; a path may be relative to that of the request.
func Redirect(w ResponseWriter, r *Request, to string, code int) {
	if u, err := url.Parse(to); err == nil && u.Scheme == "" && u.Host == "" {
		from := orDefault(r.URL.EscapedPath(), "/")
		if to == "" || to[0] != '/' {
			dir, _ := path.Split(from)
			to = dir + to
		}
		query := ""
		if i := strings.IndexByte(to, '?'); i >= 0 {
			to, query = to[:i], to[i:]
		}
		clean := path.Clean(to)
		if strings.HasSuffix(to, "/") && !strings.HasSuffix(clean, "/") {
			clean += "/"
		}
		to = clean + query
	}
	h := w.Header()
	_, hasType := h["Content-Type"]
	h.Set("Location", escapeNonASCII(to))
	if !hasType && (r.Method == MethodGet || r.Method == MethodHead) {
		h.Set("Content-Type", "text/html; charset=utf-8")
	}
	w.WriteHeader(code)
	if !hasType && r.Method == MethodGet {
		fmt.Fprintln(w, `<a href="`+htmlEscapes.Replace(to)+`">`+StatusText(code)+"</a>.\n")
	}
}

func RedirectHandler(url string, code int) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) { Redirect(w, r, url, code) })
}

// AllowQuerySemicolons takes semicolons in a query for ampersands.
func AllowQuerySemicolons(h Handler) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		if strings.Contains(r.URL.RawQuery, ";") {
			r = r.withURL(func(u *url.URL) { u.RawQuery = strings.ReplaceAll(u.RawQuery, ";", "&") })
		}
		h.ServeHTTP(w, r)
	})
}

// MaxBytesHandler lets bodies of requests have at most so many bytes.
func MaxBytesHandler(h Handler, n int64) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		c := *r
		c.Body = MaxBytesReader(w, r.Body, n)
		h.ServeHTTP(w, &c)
	})
}

// generalOptions answers OPTIONS of the server itself.
func generalOptions(w ResponseWriter, r *Request) {
	w.Header().Set("Content-Length", "0")
	if r.ContentLength != 0 {
		io.Copy(io.Discard, MaxBytesReader(w, r.Body, 4<<10))
	}
}

// TimeoutHandler answers with 503 and msg if h takes longer.
func TimeoutHandler(h Handler, dt time.Duration, msg string) Handler {
	msg = orDefault(msg, "<html><head><title>Timeout</title></head><body><h1>Timeout</h1></body></html>")
	return &timeoutHandler{h, dt, msg}
}

type timeoutHandler struct {
	handler Handler
	limit   time.Duration
	text    string
}

func (h *timeoutHandler) ServeHTTP(w ResponseWriter, r *Request) {
	ctx, cancel := context.WithTimeout(r.Context(), h.limit)
	defer cancel()
	r = r.WithContext(ctx)
	kept := &timeoutWriter{w: w, header: make(Header), r: r}
	done := make(chan struct{})
	panicked := make(chan any, 1)
	go func() {
		defer func() {
			if e := recover(); e != nil {
				panicked <- e
			}
		}()
		h.handler.ServeHTTP(kept, r)
		close(done)
	}()
	select {
	case e := <-panicked:
		panic(e)
	case <-done:
		kept.mu.Lock()
		defer kept.mu.Unlock()
		maps.Copy(w.Header(), kept.header)
		if kept.code == 0 {
			kept.code = StatusOK
		}
		w.WriteHeader(kept.code)
		w.Write(kept.text.Bytes())
	case <-ctx.Done():
		kept.mu.Lock()
		defer kept.mu.Unlock()
		w.WriteHeader(StatusServiceUnavailable)
		kept.err = ctx.Err()
		if kept.err == context.DeadlineExceeded {
			io.WriteString(w, h.text)
			kept.err = ErrHandlerTimeout
		}
	}
}

// timeoutWriter keeps an answer until it is whole.
type timeoutWriter struct {
	w      ResponseWriter
	r      *Request
	header Header

	mu   sync.Mutex
	text bytes.Buffer
	code int
	err  error
}

func (w *timeoutWriter) Header() Header { return w.header }

func (w *timeoutWriter) Push(target string, opts *PushOptions) error {
	if p, ok := w.w.(Pusher); ok {
		return p.Push(target, opts)
	}
	return ErrNotSupported
}

func (w *timeoutWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	if w.code == 0 {
		w.code = StatusOK
	}
	return w.text.Write(p)
}

func (w *timeoutWriter) WriteHeader(code int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	checkCode(code)
	switch {
	case w.err != nil:
	case w.code != 0:
		logf(w.r, "http: superfluous response.WriteHeader call from %s", caller())
	default:
		w.code = code
	}
}

// ResponseController does to a ResponseWriter what the interface does not have.
type ResponseController struct {
	w ResponseWriter
}

func NewResponseController(rw ResponseWriter) *ResponseController { return &ResponseController{rw} }

// reach looks for a T in a writer, or in what it wraps.
func reach[T any](w ResponseWriter) (t T, err error) {
	for {
		if t, ok := w.(T); ok {
			return t, nil
		}
		inner, ok := w.(interface{ Unwrap() ResponseWriter })
		if !ok {
			return t, fmt.Errorf("%w", ErrNotSupported)
		}
		w = inner.Unwrap()
	}
}

func (c *ResponseController) Flush() error {
	for w := c.w; ; {
		switch t := w.(type) {
		case interface{ FlushError() error }:
			return t.FlushError()
		case Flusher:
			t.Flush()
			return nil
		case interface{ Unwrap() ResponseWriter }:
			w = t.Unwrap()
		default:
			return fmt.Errorf("%w", ErrNotSupported)
		}
	}
}

func (c *ResponseController) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w, err := reach[Hijacker](c.w)
	if err != nil {
		return nil, nil, err
	}
	return w.Hijack()
}

func (c *ResponseController) SetReadDeadline(deadline time.Time) error {
	w, err := reach[interface{ SetReadDeadline(time.Time) error }](c.w)
	if err != nil {
		return err
	}
	return w.SetReadDeadline(deadline)
}

func (c *ResponseController) SetWriteDeadline(deadline time.Time) error {
	w, err := reach[interface{ SetWriteDeadline(time.Time) error }](c.w)
	if err != nil {
		return err
	}
	return w.SetWriteDeadline(deadline)
}

func (c *ResponseController) EnableFullDuplex() error {
	w, err := reach[interface{ EnableFullDuplex() error }](c.w)
	if err != nil {
		return err
	}
	return w.EnableFullDuplex()
}

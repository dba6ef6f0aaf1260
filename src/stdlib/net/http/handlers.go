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

// Handlers that answer by themselves, and handlers that stand before others: these hand on a copy
// of the request, or a ResponseWriter of their own.

// Error answers with a text and a status.
func Error(w ResponseWriter, error string, code int) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Del("Content-Length")
	w.WriteHeader(code)
	fmt.Fprintln(w, error)
}

// NotFound answers that there is nothing.
func NotFound(w ResponseWriter, r *Request) { Error(w, "404 page not found", StatusNotFound) }

// onCopy hands on what change makes of a copy of the request and of its URL; false: nothing.
func onCopy(h Handler, change func(w ResponseWriter, r *Request, u *url.URL) bool) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		c, u := *r, *r.URL
		c.URL = &u
		if change(w, &c, &u) {
			h.ServeHTTP(w, &c)
		} else {
			NotFound(w, r)
		}
	})
}

// StripPrefix answers requests whose path begins so as if it did not.
func StripPrefix(prefix string, h Handler) Handler {
	if prefix == "" {
		return h
	}
	return onCopy(h, func(_ ResponseWriter, _ *Request, u *url.URL) bool {
		var hadPath, hadRaw bool
		isRaw := u.RawPath != ""
		u.Path, hadPath = strings.CutPrefix(u.Path, prefix)
		u.RawPath, hadRaw = strings.CutPrefix(u.RawPath, prefix)
		return hadPath && (hadRaw || !isRaw)
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

// AllowQuerySemicolons takes semicolons in a query for ampersands.
func AllowQuerySemicolons(h Handler) Handler {
	withAmpersands := onCopy(h, func(_ ResponseWriter, _ *Request, u *url.URL) bool {
		u.RawQuery = strings.ReplaceAll(u.RawQuery, ";", "&")
		return true
	})
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		to := h
		if strings.IndexByte(r.URL.RawQuery, ';') >= 0 {
			to = withAmpersands
		}
		to.ServeHTTP(w, r)
	})
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// Redirect sends the client elsewhere; a path may be relative to that of the request.
func Redirect(w ResponseWriter, r *Request, url string, code int) {
	url = seenFrom(r, url)
	h := w.Header()
	h.Set("Location", escapeNonASCII(url))
	isGet := r.Method == MethodGet
	// A handler that has set the type writes a text of its own.
	writes := !h.has("Content-Type") && (isGet || r.Method == MethodHead)
	if writes {
		h.Set("Content-Type", "text/html; charset=utf-8")
	}
	w.WriteHeader(code)
	if writes && isGet {
		fmt.Fprintf(w, "<a href=\"%s\">%s</a>.\n\n", htmlEscapes.Replace(url), StatusText(code))
	}
}

// seenFrom makes the path of an address that names no host absolute, and clean.
func seenFrom(r *Request, to string) string {
	if u, err := url.Parse(to); err != nil || u.Scheme != "" || u.Host != "" {
		return to
	}
	if !strings.HasPrefix(to, "/") {
		folder, _ := path.Split(orDefault(r.URL.EscapedPath(), "/"))
		to = folder + to
	}
	to, query, asks := strings.Cut(to, "?")
	if to = cleaned(to); asks {
		to += "?" + query
	}
	return to
}

// cleaned is path.Clean that leaves a slash at the end.
func cleaned(p string) string {
	clean := path.Clean(p)
	if strings.HasSuffix(p, "/") && clean != "/" {
		return clean + "/"
	}
	return clean
}

func RedirectHandler(url string, code int) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) { Redirect(w, r, url, code) })
}

func NotFoundHandler() Handler { return HandlerFunc(NotFound) }

// generalOptions answers OPTIONS of the server itself.
func generalOptions(w ResponseWriter, r *Request) {
	header := w.Header()
	header.Set("Content-Length", "0")
	if r.ContentLength == 0 {
		return
	}
	io.Copy(io.Discard, MaxBytesReader(w, r.Body, 4<<10))
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
	kept := &timeoutWriter{w: w, r: r.WithContext(ctx), header: make(Header)}
	// Tells with what the handler panicked; nil if it has returned.
	over := make(chan any, 1)
	go func() {
		defer func() {
			if e := recover(); e != nil {
				over <- e
			}
		}()
		h.handler.ServeHTTP(kept, kept.r)
		over <- nil
	}()
	select {
	case e := <-over:
		if e != nil {
			panic(e)
		}
		kept.send()
	case <-ctx.Done():
		kept.giveUp(ctx.Err(), h.text)
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

// locked is called by all that may happen at the same time as giving up.
func (w *timeoutWriter) locked(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	do()
}

// send sends what was kept.
func (w *timeoutWriter) send() {
	w.locked(func() {
		w.begin()
		to := w.w
		maps.Copy(to.Header(), w.header)
		to.WriteHeader(w.code)
		to.Write(w.text.Bytes())
	})
}

// giveUp sends the text instead, if it is for the time that the handler is given up.
func (w *timeoutWriter) giveUp(why error, text string) {
	w.locked(func() {
		w.err = why
		w.w.WriteHeader(StatusServiceUnavailable)
		if why == context.DeadlineExceeded {
			w.err = ErrHandlerTimeout
			io.WriteString(w.w, text)
		}
	})
}

// begin is WriteHeader of a handler that has not called it. The lock is held.
func (w *timeoutWriter) begin() {
	if w.code == 0 {
		w.code = StatusOK
	}
}

func (w *timeoutWriter) Header() Header { return w.header }

func (w *timeoutWriter) Push(target string, opts *PushOptions) error {
	p, ok := w.w.(Pusher)
	if !ok {
		return ErrNotSupported
	}
	return p.Push(target, opts)
}

func (w *timeoutWriter) Write(p []byte) (n int, err error) {
	w.locked(func() {
		if err = w.err; err == nil {
			w.begin()
			n, err = w.text.Write(p)
		}
	})
	return n, err
}

func (w *timeoutWriter) WriteHeader(code int) {
	w.locked(func() {
		checkCode(code)
		if w.err == nil && w.code != 0 {
			logf(w.r, "http: superfluous response.WriteHeader call from %s", caller())
		} else if w.err == nil {
			w.code = code
		}
	})
}

// ResponseController does to a ResponseWriter what the interface does not have.
type ResponseController struct {
	w ResponseWriter
}

func NewResponseController(rw ResponseWriter) *ResponseController { return &ResponseController{rw} }

// What a writer may be able to do besides.
type (
	flushesOrFails interface{ FlushError() error }
	hasReadLimit   interface{ SetReadDeadline(time.Time) error }
	hasWriteLimit  interface{ SetWriteDeadline(time.Time) error }
	isFullDuplex   interface{ EnableFullDuplex() error }
)

// reach calls do with a writer, with what it wraps, and so on, until one of them can do it.
func (c *ResponseController) reach(do func(w ResponseWriter) (can bool, err error)) error {
	for w := c.w; ; {
		if can, err := do(w); can {
			return err
		}
		outer, ok := w.(interface{ Unwrap() ResponseWriter })
		if !ok {
			return fmt.Errorf("%w", ErrNotSupported)
		}
		w = outer.Unwrap()
	}
}

// with calls do with the first of the writers that is a T.
func with[T any](c *ResponseController, do func(T) error) error {
	return c.reach(func(w ResponseWriter) (can bool, err error) {
		t, can := w.(T)
		if can {
			err = do(t)
		}
		return can, err
	})
}

// Flush sends what has been written so far.
func (c *ResponseController) Flush() error {
	return c.reach(func(w ResponseWriter) (can bool, err error) {
		if f, ok := w.(flushesOrFails); ok {
			return true, f.FlushError()
		}
		f, can := w.(Flusher)
		if can {
			f.Flush()
		}
		return can, nil
	})
}

// Hijack gives the connection away.
func (c *ResponseController) Hijack() (conn net.Conn, buf *bufio.ReadWriter, err error) {
	err = with(c, func(h Hijacker) (err error) {
		conn, buf, err = h.Hijack()
		return err
	})
	return conn, buf, err
}

func (c *ResponseController) SetReadDeadline(deadline time.Time) error {
	return with(c, func(w hasReadLimit) error { return w.SetReadDeadline(deadline) })
}

func (c *ResponseController) SetWriteDeadline(deadline time.Time) error {
	return with(c, func(w hasWriteLimit) error { return w.SetWriteDeadline(deadline) })
}

// EnableFullDuplex has a handler read its request while it answers.
func (c *ResponseController) EnableFullDuplex() error {
	return with(c, func(w isFullDuplex) error { return w.EnableFullDuplex() })
}

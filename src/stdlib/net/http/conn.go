package http

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http/internal/http2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// conn is a connection to a client.
type conn struct {
	server *Server
	conn   net.Conn
	tls    *tls.ConnectionState
	remote string
	cancel context.CancelFunc
	// The first error of writing.
	writeErr error
	in       *connReader
	bufr     *bufio.Reader
	bufw     *bufio.Writer
	// Of the last request.
	method string
	// Through which handlers write, one after the other.
	body *bufio.Writer
	// No deadline is set but by us, and these may be.
	ownDeadlines               bool
	hasDeadline, wroteDeadline bool
	// What is being answered.
	now atomic.Pointer[response]
	// The state, with the second since which it holds.
	state atomic.Uint64

	mu         sync.Mutex
	isHijacked bool
}

func (c *conn) hijacked() bool {
	c.mu.Lock()
	is := c.isHijacked
	c.mu.Unlock()
	return is
}

func (c *conn) setState(state ConnState) {
	switch state {
	case StateNew:
		c.server.track(c, true)
	case StateHijacked, StateClosed:
		c.server.track(c, false)
	}
	c.state.Store(uint64(time.Now().Unix()<<8) | uint64(state))
	if f := c.server.ConnState; f != nil {
		f(c.conn, state)
	}
}

func (c *conn) stateNow() (state ConnState, since int64) {
	packed := c.state.Load()
	return ConnState(packed & 0xff), int64(packed >> 8)
}

// connWriter notes the first error, and tells the handler.
type connWriter struct{ c *conn }

func (w connWriter) Write(p []byte) (n int, err error) {
	if n, err = w.c.conn.Write(p); err != nil && w.c.writeErr == nil {
		w.c.writeErr = err
		w.c.cancel()
	}
	return n, err
}

// connReader reads for the server. While a handler runs that has asked for the context of its
// request, it waits for a byte beside it, to find out whether the client has gone.
type connReader struct {
	conn net.Conn

	mu   sync.Mutex
	cond *sync.Cond
	// Nil once the connection belongs to somebody else.
	owner *conn
	// The byte that came meanwhile.
	hasByte bool
	first   [1]byte
	reading bool
	aborted bool
	// It may wait for a byte, and somebody wants to know.
	mayWatch, isAsked bool
	// So many bytes may be read yet.
	left int64
}

const noLimit = 1<<63 - 1

func newConnReader(c *conn) *connReader {
	r := &connReader{conn: c.conn, owner: c}
	r.cond = sync.NewCond(&r.mu)
	return r
}

func (r *connReader) disown() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owner = nil
}

// watch says that nothing of the request is left to be read.
func (r *connReader) watch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading {
		panic("invalid concurrent Body.Read call")
	}
	r.mayWatch = true
	r.begin()
}

// ask says that somebody wants to know whether the client has gone.
func (r *connReader) ask() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isAsked = true
	r.begin()
}

// begin begins to wait for a byte, if it may and shall. The lock is held.
func (r *connReader) begin() {
	if !r.mayWatch || !r.isAsked || r.hasByte || r.reading || r.owner == nil {
		return
	}
	r.reading = true
	r.conn.SetReadDeadline(time.Time{})
	go r.await()
}

func (r *connReader) await() {
	n, err := r.conn.Read(r.first[:])
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hasByte = n == 1
	if e, ok := err.(net.Error); err != nil && !(ok && r.aborted && e.Timeout()) {
		r.hangUp()
	}
	r.aborted = false
	r.reading = false
	r.cond.Broadcast()
}

// abort ends what watch began.
func (r *connReader) abort() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mayWatch, r.isAsked = false, false
	if !r.reading {
		return
	}
	r.aborted = true
	r.conn.SetReadDeadline(longAgo)
	for r.reading {
		r.cond.Wait()
	}
	r.conn.SetReadDeadline(time.Time{})
}

// hangUp tells the handler that the client has gone. The lock is held.
func (r *connReader) hangUp() {
	if r.owner == nil {
		return
	}
	r.owner.cancel()
	if w := r.owner.now.Load(); w != nil {
		w.closeNotify()
	}
}

func (r *connReader) Read(p []byte) (n int, err error) {
	r.mu.Lock()
	switch {
	case r.owner == nil:
		r.mu.Unlock()
		return r.conn.Read(p)
	case r.reading:
		hijacked := r.owner.hijacked()
		r.mu.Unlock()
		if hijacked {
			panic("invalid Body.Read call. After hijacked, the original Request must not be used")
		}
		panic("invalid concurrent Body.Read call")
	case r.left <= 0:
		err = io.EOF
		fallthrough
	case len(p) == 0:
		r.mu.Unlock()
		return 0, err
	case r.hasByte:
		p[0] = r.first[0]
		r.hasByte = false
		r.mu.Unlock()
		return 1, nil
	}
	p = p[:min(int64(len(p)), r.left)]
	r.reading = true
	r.mu.Unlock()
	n, err = r.conn.Read(p)
	r.mu.Lock()
	r.reading = false
	if err != nil {
		r.hangUp()
	}
	r.left -= int64(n)
	r.cond.Broadcast()
	r.mu.Unlock()
	return n, err
}

var readers, writers sync.Pool

func takeReader(r io.Reader) *bufio.Reader {
	if b, ok := readers.Get().(*bufio.Reader); ok {
		b.Reset(r)
		return b
	}
	return bufio.NewReader(r)
}

func takeWriter(w io.Writer) *bufio.Writer {
	if b, ok := writers.Get().(*bufio.Writer); ok {
		b.Reset(w)
		return b
	}
	return bufio.NewWriter(w)
}

// giveBack writes what is buffered, and gives the buffers back.
func (c *conn) giveBack() {
	if c.bufr != nil {
		c.bufr.Reset(nil)
		readers.Put(c.bufr)
		c.bufr = nil
	}
	if c.bufw != nil {
		c.bufw.Flush()
		c.bufw.Reset(nil)
		writers.Put(c.bufw)
		c.bufw = nil
	}
}

func (c *conn) close() {
	c.giveBack()
	c.conn.Close()
}

// linger lets the client read the answer before what it still sends makes the kernel reset the connection.
func (c *conn) linger() {
	c.giveBack()
	if half, ok := c.conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
	time.Sleep(500 * time.Millisecond)
}

// readDeadline sets when reading must be over: in so long, or never for 0.
func (c *conn) readDeadline(d time.Duration) {
	var t time.Time
	if d > 0 {
		t = time.Now().Add(d)
	}
	c.readUntil(t)
}

// readUntil sets when reading must be over; never for the zero time.
func (c *conn) readUntil(t time.Time) {
	if isNever := t.IsZero(); !isNever || c.hasDeadline || !c.ownDeadlines {
		c.hasDeadline = !isNever
		c.conn.SetReadDeadline(t)
	}
}

// readRequest reads the next request.
func (c *conn) readRequest(ctx context.Context) (*response, error) {
	if c.hijacked() {
		return nil, ErrHijacked
	}
	var until time.Time
	if d := c.server.ReadTimeout; d > 0 {
		until = time.Now().Add(d)
	}
	if d := c.server.WriteTimeout; d > 0 {
		defer func() {
			c.wroteDeadline = true
			c.conn.SetWriteDeadline(time.Now().Add(d))
		}()
	}
	c.in.left = c.server.maxHeader()
	if c.method == MethodPost {
		// Old browsers send an end of a line behind the body.
		for begin, _ := c.bufr.Peek(4); len(begin) > 0 && (begin[0] == '\r' || begin[0] == '\n'); begin = begin[1:] {
			c.bufr.Discard(1)
		}
	}
	r, err := readRequest(c.bufr, c.server.maxFields())
	if err != nil {
		if c.in.left <= 0 {
			err = errTooLarge
		}
		return nil, err
	}
	isUpgrade := r.isUpgrade()
	isPRI := r.ProtoMajor == 2 && r.ProtoMinor == 0 && r.Method == "PRI" && r.RequestURI == "*"
	if r.ProtoMajor != 1 && !isPRI {
		return nil, errUnsupportedVersion
	}
	c.method = r.Method
	c.in.left = noLimit
	hosts := r.Header["Host"]
	switch {
	case len(hosts) == 0 && r.ProtoAtLeast(1, 1) && !isUpgrade && r.Method != MethodConnect:
		return nil, badRequest("missing required Host header")
	case len(hosts) == 1 && !isHost(hosts[0]):
		return nil, badRequest("malformed Host header")
	}
	for name, values := range r.Header {
		if !isToken(name) {
			return nil, badRequest("invalid header name")
		}
		for _, v := range values {
			if !isFieldValue(v) {
				return nil, badRequest("invalid header value")
			}
		}
	}
	delete(r.Header, "Host")
	r.RemoteAddr = c.remote
	r.TLS = c.tls
	w := &response{
		conn:    c,
		base:    ctx,
		req:     r,
		header:  make(Header),
		length:  -1,
		old:     r.keepsOldAlive(),
		asked:   r.wantsClose(),
		closing: isUpgrade,
	}
	if b, ok := r.Body.(*body); ok {
		w.reqBody = b
		b.mayStop = true
	}
	r.answer = w
	c.readUntil(until)
	w.out.w = w
	if c.body == nil {
		c.body = bufio.NewWriterSize(&w.out, beforeChunks)
	} else {
		c.body.Reset(&w.out)
	}
	w.buf = c.body
	return w, nil
}

// refuse answers what could not be read as a request.
func (c *conn) refuse(err error) {
	const header = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	switch e := err.(type) {
	case statusError:
		fmt.Fprintf(c.conn, "HTTP/1.1 %d %s: %s%s%d %s: %s",
			e.code, StatusText(e.code), e.text, header, e.code, StatusText(e.code), e.text)
		return
	case *unsupported:
		const code = StatusNotImplemented
		fmt.Fprintf(c.conn, "HTTP/1.1 %d %s%sUnsupported transfer encoding", code, StatusText(code), header)
		return
	}
	if err == errTooLarge {
		const text = "431 Request Header Fields Too Large"
		io.WriteString(c.conn, "HTTP/1.1 "+text+header+text)
		c.linger()
		return
	}
	if err != io.EOF && !isHangUp(err) {
		const text = "400 Bad Request"
		io.WriteString(c.conn, "HTTP/1.1 "+text+header+text)
	}
}

// sawPreface reads what a client of HTTP/2 says first, if it does.
func (c *conn) sawPreface() bool {
	has := func(preface string) bool {
		c.in.left = int64(len(preface) - c.bufr.Buffered())
		begin, err := c.bufr.Peek(len(preface))
		c.in.left = noLimit
		return err == nil && string(begin) == preface
	}
	if !has("PRI * HTTP/2.0") || !has(http2.Preface) {
		return false
	}
	c.bufr.Discard(len(http2.Preface))
	return true
}

// serve serves a connection.
func (c *conn) serve(ctx context.Context) {
	if addr := c.conn.RemoteAddr(); addr != nil {
		c.remote = addr.String()
	}
	ctx = context.WithValue(ctx, LocalAddrContextKey, c.conn.LocalAddr())
	// What a handler that panics leaves.
	var left *response
	defer func() {
		if e := recover(); e != nil && e != ErrAbortHandler {
			stack := make([]byte, 64<<10)
			stack = stack[:runtime.Stack(stack, false)]
			c.server.logf("http: panic serving %v: %v\n%s", c.remote, e, stack)
		}
		if left != nil {
			left.cancel()
			left.noContinue(true)
		}
		if !c.hijacked() {
			if left != nil {
				c.in.abort()
				left.reqBody.Close()
			}
			c.close()
			c.setState(StateClosed)
		}
	}()
	if !c.shakeHands(ctx) {
		return
	}
	ctx, c.cancel = context.WithCancel(ctx)
	defer c.cancel()
	// Hooks are given the connection, and may set deadlines of their own.
	_, isTCP := c.conn.(*net.TCPConn)
	c.ownDeadlines = isTCP && c.server.ConnContext == nil && c.server.ConnState == nil
	c.in = newConnReader(c)
	c.bufr = takeReader(c.in)
	c.bufw = takeWriter(connWriter{c})
	if d := c.server.headerTimeout(); d > 0 {
		c.readDeadline(d)
	}
	protos := c.server.protocols()
	if c.tls == nil && protos.UnencryptedHTTP2() && c.server.h2 != nil && c.sawPreface() {
		c.serveHTTP2(ctx, true)
		return
	}
	if !protos.HTTP1() {
		return
	}
	for {
		w, err := c.readRequest(ctx)
		if c.in.left != c.server.maxHeader() {
			c.setState(StateActive)
		}
		if c.server.isEnding.Load() {
			return
		}
		if err != nil {
			c.refuse(err)
			return
		}
		if w.req.expectsContinue() {
			if w.req.ProtoAtLeast(1, 1) && w.req.ContentLength != 0 {
				w.expected = &expected{w: w, body: w.req.Body}
				w.mayContinue.Store(true)
				w.req.Body = w.expected
			}
		} else if w.req.Header.get("Expect") != "" {
			w.Header().Set("Connection", "close")
			w.WriteHeader(StatusExpectationFailed)
			w.finish()
			return
		}
		c.now.Store(w)
		if w.reqBody.isLeft() {
			w.reqBody.atEnd(c.in.watch)
		} else {
			c.in.watch()
		}
		left = w
		c.server.serveHTTP(w, w.req)
		left = nil
		w.cancel()
		if c.hijacked() {
			c.in.disown()
			return
		}
		w.finish()
		if c.wroteDeadline || !c.ownDeadlines {
			c.wroteDeadline = false
			c.conn.SetWriteDeadline(time.Time{})
		}
		if !w.goesOn() {
			if w.tooLarge || w.reqBody.hasStopped() {
				c.linger()
			}
			return
		}
		c.setState(StateIdle)
		c.now.Store(nil)
		if !c.server.keepsAlive() {
			return
		}
		c.readDeadline(c.server.idleTimeout())
		if _, err := c.bufr.Peek(4); err != nil {
			return
		}
		c.readDeadline(c.server.headerTimeout())
	}
}

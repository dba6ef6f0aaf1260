package http

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http/internal/http2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Connections to clients over HTTP/1. The goroutine that serves one reads a request, calls the handler,
// ends the answer, and begins anew.

// conn is a connection to a client.
type conn struct {
	server *Server
	conn   net.Conn
	tls    *tls.ConnectionState
	remote string
	cancel context.CancelFunc
	// The first error of writing.
	writeErr error
	in       *clientReader
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

// giveAway gives the connection to a handler, once, with its buffers.
func (c *conn) giveAway() (*bufio.ReadWriter, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isHijacked {
		return nil, ErrHijacked
	}
	c.in.abort()
	c.isHijacked = true
	c.conn.SetDeadline(time.Time{})
	if err := c.keepByte(); err != nil {
		return nil, err
	}
	c.bufw.Reset(c.conn)
	c.become(StateHijacked)
	return bufio.NewReadWriter(c.bufr, c.bufw), nil
}

// keepByte puts a byte that was read beside the handler into the buffer.
func (c *conn) keepByte() (err error) {
	if c.in.keptOne {
		if _, err = c.bufr.Peek(1 + c.bufr.Buffered()); err != nil {
			err = fmt.Errorf("unexpected Peek failure reading buffered byte: %v", err)
		}
	}
	return err
}

// become tells the program, too; the server knows only connections that are its own.
func (c *conn) become(state ConnState) {
	if isOwn := state < StateHijacked; !isOwn || state == StateNew {
		c.server.track(c, isOwn)
	}
	c.noteState(state)
	if tell := c.server.ConnState; tell != nil {
		tell(c.conn, state)
	}
}

// noteState packs a state with the second since which it holds.
func (c *conn) noteState(state ConnState) {
	c.state.Store(uint64(time.Now().Unix()<<8) | uint64(state))
}

// isIdle says whether a client waits for nothing; one that has never sent anything is not going to.
func (c *conn) isIdle() bool {
	packed := c.state.Load()
	since, state := int64(packed>>8), ConnState(packed&0xff)
	isSilent := state == StateNew && time.Now().Unix()-since > 5
	return since != 0 && (isSilent || state == StateIdle)
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

// clientReader reads for the server. While a handler runs that has asked for the context of its
// request, it waits for a byte beside it, to find out whether the client has gone.
type clientReader struct {
	conn net.Conn

	mu sync.Mutex
	// Waits for reading to be over.
	cond *sync.Cond
	// Nil once the connection belongs to somebody else.
	owner *conn
	// The byte that came meanwhile.
	keptOne bool
	first   [1]byte
	// Somebody reads; we have had that end.
	reading bool
	aborted bool
	// It may wait for a byte, and somebody wants to know.
	mayWatch, isAsked bool
	// So many bytes may be read yet.
	left int64
}

const noLimit = 1<<63 - 1

func newClientReader(c *conn) *clientReader {
	r := &clientReader{conn: c.conn, owner: c}
	r.cond = sync.NewCond(&r.mu)
	return r
}

func (r *clientReader) disown() {
	r.mu.Lock()
	r.owner = nil
	r.mu.Unlock()
}

// watch says that nothing of the request is left to be read.
func (r *clientReader) watch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading {
		panic("invalid concurrent Body.Read call")
	}
	r.mayWatch = true
	r.begin()
}

// ask says that somebody wants to know whether the client has gone.
func (r *clientReader) ask() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isAsked = true
	r.begin()
}

// begin begins to wait for a byte, if it may and shall. The lock is held.
func (r *clientReader) begin() {
	wants := r.mayWatch && r.isAsked && r.owner != nil
	if wants && !r.keptOne && !r.reading {
		r.reading = true
		r.conn.SetReadDeadline(time.Time{})
		go r.await()
	}
}

func (r *clientReader) await() { r.fill(r.first[:], true) }

// fill reads, and says then that nobody does. What is read beside a handler is kept.
func (r *clientReader) fill(p []byte, isBeside bool) (n int, err error) {
	n, err = r.conn.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	isOurs := isBeside && r.aborted && hasTimedOut(err)
	if r.reading, r.aborted = false, false; isBeside {
		r.keptOne = n > 0
	} else {
		r.left -= int64(n)
	}
	if err != nil && !isOurs {
		r.hangUp()
	}
	r.cond.Broadcast()
	return n, err
}

// abort has whoever reads stop.
func (r *clientReader) abort() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isAsked, r.mayWatch = false, false
	if r.reading {
		r.interrupt()
	}
}

// interrupt lets reading go on no longer, and waits until nobody reads. The lock is held.
func (r *clientReader) interrupt() {
	r.aborted = true
	r.conn.SetReadDeadline(longAgo)
	for r.reading {
		r.cond.Wait()
	}
	r.conn.SetReadDeadline(time.Time{})
}

// hangUp tells the handler that the client has gone. The lock is held.
func (r *clientReader) hangUp() {
	if c := r.owner; c != nil {
		c.cancel()
		if w := c.now.Load(); w != nil {
			w.tellGone()
		}
	}
}

func (r *clientReader) Read(p []byte) (n int, err error) {
	r.mu.Lock()
	c, isBusy, left := r.owner, r.reading, r.left
	room := min(int64(len(p)), left)
	reads := false
	if c != nil && !isBusy && room > 0 {
		if r.keptOne {
			r.keptOne = false
			n = copy(p, r.first[:])
		} else {
			r.reading, reads = true, true
		}
	}
	r.mu.Unlock()
	switch {
	case reads:
		return r.fill(p[:room], false)
	case c == nil:
		return r.conn.Read(p)
	case isBusy && c.hijacked():
		panic("invalid Body.Read call. After hijacked, the original Request must not be used")
	case isBusy:
		panic("invalid concurrent Body.Read call")
	case left <= 0:
		return 0, io.EOF
	}
	return n, nil
}

var readers, writers sync.Pool

func takeReader(r io.Reader) *bufio.Reader {
	b, ok := readers.Get().(*bufio.Reader)
	if !ok {
		return bufio.NewReader(r)
	}
	b.Reset(r)
	return b
}

func takeWriter(w io.Writer) *bufio.Writer {
	b, ok := writers.Get().(*bufio.Writer)
	if !ok {
		return bufio.NewWriter(w)
	}
	b.Reset(w)
	return b
}

// giveBack writes what is buffered, and gives the buffers back.
func (c *conn) giveBack() {
	r, w := c.bufr, c.bufw
	c.bufr, c.bufw = nil, nil
	if w != nil {
		w.Flush()
		w.Reset(nil)
		writers.Put(w)
	}
	if r != nil {
		r.Reset(nil)
		readers.Put(r)
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

// receive reads the next request.
func (c *conn) receive(ctx context.Context) (*response, error) {
	if c.hijacked() {
		return nil, ErrHijacked
	}
	s := c.server
	var until time.Time
	if s.ReadTimeout > 0 {
		until = time.Now().Add(s.ReadTimeout)
	}
	if s.WriteTimeout > 0 {
		// It counts from when the request has been read.
		defer func() {
			c.wroteDeadline = true
			c.conn.SetWriteDeadline(time.Now().Add(s.WriteTimeout))
		}()
	}
	c.in.left = s.maxHeader()
	c.skipLines()
	r, err := parseRequest(c.bufr, s.maxFields())
	switch {
	case err != nil && c.in.left <= 0:
		return nil, errLongHead
	case err != nil:
		return nil, err
	}
	c.method = r.Method
	c.in.left = noLimit
	if err = r.fault(); err != nil {
		return nil, err
	}
	delete(r.Header, "Host")
	r.RemoteAddr, r.TLS = c.remote, c.tls
	c.readUntil(until)
	return c.newResponse(ctx, r), nil
}

// skipLines skips what old browsers send behind the body of a form: an end of a line.
func (c *conn) skipLines() {
	if c.method != MethodPost {
		return
	}
	begin, _ := c.bufr.Peek(4)
	c.bufr.Discard(len(begin) - len(bytes.TrimLeft(begin, "\r\n")))
}

// fault says why a request that could be read is still refused.
func (r *Request) fault() error {
	isPRI := r.Method == "PRI" && r.RequestURI == "*" && r.ProtoMajor == 2 && r.ProtoMinor == 0
	if r.ProtoMajor != 1 && !isPRI {
		return errUnsupportedVersion
	}
	host, hasHost := r.Header.get("Host"), r.Header.has("Host")
	needsHost := r.ProtoAtLeast(1, 1) && r.Method != MethodConnect && !r.isUpgrade()
	why := ""
	switch {
	case needsHost && !hasHost:
		why = "missing required Host header"
	case !isHost(host):
		why = "malformed Host header"
	default:
		_, part := r.Header.findBad(false)
		why = [...]string{"", "invalid header name", "invalid header value"}[part]
	}
	if why == "" {
		return nil
	}
	return denied{StatusBadRequest, why}
}

// newResponse is how a handler answers that request; its buffer is that of the one before.
func (c *conn) newResponse(ctx context.Context, r *Request) *response {
	w := &response{conn: c, base: ctx, req: r, header: make(Header), length: -1}
	w.old, w.asked, w.closing = r.keepsOldAlive(), r.asksToClose(), r.isUpgrade()
	r.answer = w
	if b, ok := r.Body.(*body); ok {
		b.mayStop = true
		w.coming = b
	}
	w.out.w = w
	if c.body != nil {
		c.body.Reset(&w.out)
	} else {
		c.body = bufio.NewWriterSize(&w.out, beforeChunks)
	}
	w.buf = c.body
	return w
}

// refuse answers what could not be read as a request.
func (c *conn) refuse(err error) {
	code, more, text := StatusBadRequest, "", ""
	switch e := err.(type) {
	case denied:
		code, more = e.code, ": "+e.text
	case *unsupported:
		code, text = StatusNotImplemented, "Unsupported transfer encoding"
	default:
		if err == errLongHead {
			code = StatusRequestHeaderFieldsTooLarge
		} else if err == io.EOF || isHangUp(err) {
			return
		}
	}
	line := strconv.Itoa(code) + " " + StatusText(code) + more
	io.WriteString(c.conn, "HTTP/1.1 "+line+"\r\nContent-Type: text/plain; charset=utf-8\r\n"+
		"Connection: close\r\n\r\n"+orDefault(text, line))
	if err == errLongHead {
		c.linger()
	}
}

// sawPreface reads what a client of HTTP/2 says first, if it does. A client of HTTP/1 is not waited
// for longer than its first line takes.
func (c *conn) sawPreface() bool {
	defer func() { c.in.left = noLimit }()
	for _, begin := range [...]string{"PRI * HTTP/2.0", http2.Preface} {
		c.in.left = int64(len(begin) - c.bufr.Buffered())
		if have, _ := c.bufr.Peek(len(begin)); string(have) != begin {
			return false
		}
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
		c.end(left)
	}()
	if !c.shakeHands(ctx) {
		return
	}
	ctx, c.cancel = context.WithCancel(ctx)
	defer c.cancel()
	if !c.begin(ctx) {
		return
	}
	for {
		w := c.next(ctx)
		if w == nil {
			return
		}
		left = w
		c.server.serveHTTP(w, w.req)
		left = nil
		if !c.settle(w) || !c.await() {
			return
		}
	}
}

// end closes a connection that was not given away; left is what a handler that has panicked leaves.
func (c *conn) end(left *response) {
	isOurs := !c.hijacked()
	if left != nil {
		left.cancel()
		left.noContinue(true)
		if isOurs {
			c.in.abort()
			left.coming.Close()
		}
	}
	if isOurs {
		c.close()
		c.become(StateClosed)
	}
}

// begin makes ready to read requests of HTTP/1; false: there will be none.
func (c *conn) begin(ctx context.Context) bool {
	s := c.server
	// Hooks are given the connection, and may set deadlines of their own.
	_, isTCP := c.conn.(*net.TCPConn)
	c.ownDeadlines = isTCP && s.ConnContext == nil && s.ConnState == nil
	c.in = newClientReader(c)
	c.bufr, c.bufw = takeReader(c.in), takeWriter(connWriter{c})
	if d := s.headerTimeout(); d > 0 {
		c.readDeadline(d)
	}
	speaks := s.protocols()
	if speaks.UnencryptedHTTP2() && s.h2 != nil && c.tls == nil && c.sawPreface() {
		c.serveHTTP2(ctx, true)
		return false
	}
	return speaks.HTTP1()
}

// next is the next request that a handler is to answer; nil if there is none.
func (c *conn) next(ctx context.Context) *response {
	w, err := c.receive(ctx)
	if c.in.left != c.server.maxHeader() {
		c.become(StateActive)
	}
	switch {
	case c.server.isEnding.Load():
		return nil
	case err != nil:
		c.refuse(err)
		return nil
	case !w.meetsExpectation():
		w.Header().Set("Connection", "close")
		w.WriteHeader(StatusExpectationFailed)
		w.finish()
		return nil
	}
	c.now.Store(w)
	if w.coming.isLeft() {
		w.coming.atEnd(c.in.watch)
	} else {
		c.in.watch()
	}
	return w
}

// meetsExpectation knows one expectation only: to be told that the body may come.
func (w *response) meetsExpectation() bool {
	r := w.req
	if !r.asksBeforeBody() {
		return r.Header.get("Expect") == ""
	}
	if r.ContentLength != 0 && r.ProtoAtLeast(1, 1) {
		w.expected = &expected{w: w, body: r.Body}
		r.Body = w.expected
		w.mayContinue.Store(true)
	}
	return true
}

// settle ends an answer; it is false if the connection ends with it, or is not ours any more.
func (c *conn) settle(w *response) bool {
	w.cancel()
	if c.hijacked() {
		c.in.disown()
		return false
	}
	w.finish()
	if !c.ownDeadlines || c.wroteDeadline {
		c.conn.SetWriteDeadline(time.Time{})
		c.wroteDeadline = false
	}
	goesOn := w.goesOn()
	if !goesOn && (w.tooLarge || w.coming.hasStopped()) {
		c.linger()
	}
	return goesOn
}

// await waits for another request to begin.
func (c *conn) await() bool {
	c.become(StateIdle)
	c.now.Store(nil)
	if !c.server.keepsAlive() {
		return false
	}
	c.readDeadline(c.server.idleLimit())
	_, err := c.bufr.Peek(4)
	if err == nil {
		c.readDeadline(c.server.headerTimeout())
	}
	return err == nil
}

package http

import (
	"bufio"
	"errors"
	"fmt"
	"net/http/internal/http2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Answers over HTTP/2, as handlers see them, and promises of answers.

// h2answer is a ResponseWriter of HTTP/2: what handlers write goes through buf to chunk, and on to
// the stream.
type h2answer struct {
	stream *h2stream
	r      *Request
	buf    *bufio.Writer
	// What the handler sees, and what it was when the head was written.
	header, sent Header
	status       int
	// The head has been written; has been sent.
	hasHead, sentHead bool
	// The handler has returned; nothing may come any more.
	isDone, isOver bool
	// What the handler has announced, and written, in bytes.
	length, written int64
	// Fields that come behind the body.
	trailers []string

	notifyMu sync.Mutex
	notify   chan bool
}

var h2buffers sync.Pool

type h2chunks struct{ w *h2answer }

func (o h2chunks) Write(p []byte) (n int, err error) { return o.w.write(p) }

func newAnswer(st *h2stream, r *Request) *h2answer {
	w := &h2answer{stream: st, r: r}
	if b, ok := h2buffers.Get().(*bufio.Writer); ok {
		b.Reset(h2chunks{w})
		w.buf = b
	} else {
		w.buf = bufio.NewWriterSize(h2chunks{w}, 4<<10)
	}
	return w
}

// use panics if the handler has returned.
func (w *h2answer) use(name string) {
	if w.isOver {
		panic(name + " called after Handler finished")
	}
}

func (w *h2answer) Header() Header {
	w.use("Header")
	if w.header == nil {
		w.header = make(Header)
	}
	return w.header
}

func (w *h2answer) WriteHeader(code int) {
	w.use("WriteHeader")
	if w.hasHead {
		return
	}
	checkCode(code)
	if code >= 200 {
		w.hasHead = true
		w.status = code
		if len(w.header) > 0 {
			w.sent = w.header.Clone()
		}
		return
	}
	h := w.header
	if h.has("Content-Length") || h.has("Transfer-Encoding") {
		h = h.Clone()
		h.Del("Content-Length")
		h.Del("Transfer-Encoding")
	}
	c := w.stream.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	w.stream.sendHead(code, h, nil, false)
}

func (w *h2answer) Write(p []byte) (n int, err error) {
	if err := w.mayWrite(len(p)); err != nil {
		return 0, err
	}
	return w.buf.Write(p)
}

func (w *h2answer) WriteString(s string) (n int, err error) {
	if err := w.mayWrite(len(s)); err != nil {
		return 0, err
	}
	return w.buf.WriteString(s)
}

// mayWrite says why so many bytes cannot be written; if they can, they count.
func (w *h2answer) mayWrite(n int) error {
	if w.use("Write"); !w.hasHead {
		w.WriteHeader(StatusOK)
	}
	mayHaveBody := hasBody(w.status)
	if mayHaveBody {
		w.written += int64(n)
	}
	switch isLimited := w.length != 0; {
	case !mayHaveBody:
		return ErrBodyNotAllowed
	case isLimited && w.length < w.written:
		return errors.New("http2: handler wrote more than declared Content-Length")
	}
	return nil
}

func (w *h2answer) Flush() { w.FlushError() }

// FlushError sends what has been written so far. That all has been sent with the head, as there is no
// body, is no error.
func (w *h2answer) FlushError() error {
	w.use("Header")
	if w.buf.Buffered() > 0 {
		return w.buf.Flush()
	}
	isFirst, st := !w.sentHead, w.stream
	if _, err := w.write(nil); err != nil {
		return err
	}
	select {
	case <-st.closed:
		if !isFirst || st.endReason != errHandlerComplete {
			return st.endReason
		}
	default:
	}
	return nil
}

// finish sends what is left.
func (w *h2answer) finish() {
	w.isDone = true
	w.FlushError()
	w.isOver = true
	w.buf.Reset(nil)
	h2buffers.Put(w.buf)
}

// write is chunk, and says why a stream has been closed.
func (w *h2answer) write(p []byte) (n int, err error) {
	if n, err = w.chunk(p); err == errStreamClosed {
		err = w.stream.endReason
	}
	return n, err
}

// chunk sends a part of the body, behind the head.
func (w *h2answer) chunk(p []byte) (n int, err error) {
	if !w.hasHead {
		w.WriteHeader(StatusOK)
	}
	if w.isDone {
		w.promote()
	}
	isHead := w.r.Method == MethodHead
	st := w.stream
	c := st.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if !w.sentHead {
		w.sentHead = true
		extra := w.headFields(p, isHead)
		ends := w.isDone && len(w.trailers) == 0 && len(p) == 0 || isHead
		if err := st.sendHead(w.status, w.sent, extra, ends); err != nil || ends {
			return 0, err
		}
	}
	if isHead {
		return len(p), nil
	}
	if len(p) == 0 && !w.isDone {
		return 0, nil
	}
	hasTrailer := slices.ContainsFunc(w.trailers, w.header.has)
	if ends := w.isDone && !hasTrailer; len(p) > 0 || ends {
		if err := c.send(&st.h2half, p, ends, st.check); err != nil {
			return 0, err
		}
	}
	if w.isDone && hasTrailer {
		return len(p), st.sendTrailer(w.header, w.trailers)
	}
	return len(p), nil
}

// headFields are the fields that the handler has not set itself; what it has set for the connection
// is taken out. The lock is held.
func (w *h2answer) headFields(p []byte, isHead bool) (extra []http2.Field) {
	length := w.sent.Get("Content-Length")
	if length != "" {
		w.sent.Del("Content-Length")
		if n, err := strconv.ParseUint(length, 10, 63); err == nil {
			w.length = int64(n)
		} else {
			length = ""
		}
	}
	mayHaveBody := hasBody(w.status)
	if length == "" && w.isDone && mayHaveBody && !w.sent.has("Content-Length") &&
		(len(p) > 0 || !isHead) {
		length = strconv.Itoa(len(p))
	}
	if w.sent.Get("Content-Encoding") == "" && !w.sent.has("Content-Type") && mayHaveBody &&
		len(p) > 0 {
		extra = append(extra, http2.Field{Name: "content-type", Value: DetectContentType(p)})
	}
	if length != "" {
		extra = append(extra, http2.Field{Name: "content-length", Value: length})
	}
	if !w.sent.has("Date") {
		extra = append(extra, http2.Field{Name: "date", Value: date()})
	}
	for _, v := range w.sent["Trailer"] {
		eachElement(v, w.announce)
	}
	if w.sent.has("Connection") {
		if w.sent.Get("Connection") == "close" {
			w.stream.conn.goAway(http2.NoError)
		}
		delete(w.sent, "Connection")
	}
	return extra
}

// announce notes a field that is to come behind the body.
func (w *h2answer) announce(name string) {
	name = CanonicalHeaderKey(name)
	if !isTrailer(name) {
		w.stream.conn.server.logf("ignoring invalid trailer %q", name)
	} else if !slices.Contains(w.trailers, name) {
		w.trailers = append(w.trailers, name)
	}
}

// promote announces those fields whose names say that they come behind the body.
func (w *h2answer) promote() {
	for name, values := range w.header {
		if name, ok := strings.CutPrefix(name, TrailerPrefix); ok {
			w.announce(name)
			w.header[CanonicalHeaderKey(name)] = values
		}
	}
	slices.Sort(w.trailers)
}

// check says why nothing can be sent.
func (st *h2stream) check() error {
	switch {
	case st.conn.isOver:
		return errClientGone
	case st.state == streamClosed:
		return errStreamClosed
	}
	return nil
}

// sendHead sends the head of an answer. The lock is held.
func (st *h2stream) sendHead(code int, h Header, extra []http2.Field, ends bool) error {
	c := st.conn
	if err := c.awaitRoom(st.check); err != nil {
		return err
	}
	st.wroteHead = true
	c.encode(http2.Field{Name: ":status", Value: strconv.Itoa(code)})
	c.encodeHeader(h, sortedNames(h))
	for _, f := range extra {
		c.block = c.encoder.Append(c.block, f.Name, f.Value)
	}
	st.putHead(ends)
	return nil
}

// sendTrailer sends what comes behind the body, and ends the stream. The lock is held.
func (st *h2stream) sendTrailer(h Header, names []string) error {
	c := st.conn
	if err := c.awaitRoom(st.check); err != nil {
		return err
	}
	c.encode()
	c.encodeHeader(h, names)
	if len(c.block) == 0 {
		c.endOut(st)
		return nil
	}
	st.putHead(true)
	return nil
}

// putHead puts the block to what is written.
func (st *h2stream) putHead(ends bool) {
	c := st.conn
	c.out = http2.AppendHeaders(c.out, st.id, c.block, ends, http2.StartFrame)
	if ends {
		c.endOut(st)
	}
	c.flush()
}

// encodeHeader adds fields to the block; those that cannot be sent are left out.
func (c *h2conn) encodeHeader(h Header, names []string) {
	for _, key := range names {
		name, ok := lowerName(key)
		if !ok || !http2.IsName(name) {
			continue
		}
		for _, v := range h[key] {
			if isFieldValue(v) && (name != "transfer-encoding" || v == "trailers") {
				c.block = c.encoder.Append(c.block, name, v)
			}
		}
	}
}

func (w *h2answer) EnableFullDuplex() error { return nil }

// setDeadline has f called at a time, in place of when it was to be.
func (w *h2answer) setDeadline(timer **time.Timer, at time.Time, f func()) {
	left := time.Until(at)
	if left < 0 && !at.IsZero() {
		f()
		return
	}
	w.stream.conn.locked(func() {
		old := *timer
		if isLate := old != nil && !old.Stop(); isLate {
			return
		}
		if *timer = nil; !at.IsZero() {
			*timer = time.AfterFunc(left, f)
		}
	})
}

func (w *h2answer) SetReadDeadline(t time.Time) error {
	w.setDeadline(&w.stream.readTimer, t, w.stream.readTimeout)
	return nil
}

func (w *h2answer) SetWriteDeadline(t time.Time) error {
	w.setDeadline(&w.stream.writeTimer, t, w.stream.writeTimeout)
	return nil
}

// CloseNotify tells when the stream has been closed.
func (w *h2answer) CloseNotify() <-chan bool {
	w.use("CloseNotify")
	w.notifyMu.Lock()
	defer w.notifyMu.Unlock()
	if w.notify == nil {
		w.notify = w.stream.tellClosed()
	}
	return w.notify
}

// tellClosed gives a value when the stream has been closed.
func (st *h2stream) tellClosed() chan bool {
	told := make(chan bool, 1)
	go func() {
		<-st.closed
		told <- true
	}()
	return told
}

// Push promises the client the answer to a request that it has not made.
func (w *h2answer) Push(target string, opts *PushOptions) error {
	st := w.stream
	if st.isPushed() {
		return errRecursivePush
	}
	var asked PushOptions
	if opts != nil {
		asked = *opts
	}
	method := orDefault(asked.Method, MethodGet)
	u, err := w.promised(target)
	if err == nil {
		err = checkPromise(method, asked.Header)
	}
	if err != nil {
		return err
	}
	header := asked.Header.Clone()
	if header == nil {
		header = Header{}
	}
	st.conn.mu.Lock()
	defer st.conn.mu.Unlock()
	return st.conn.push(st, method, u, header)
}

// promised is the URL of what is promised: of the same scheme, and the same host if it names none.
func (w *h2answer) promised(target string) (*url.URL, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	scheme := "http"
	if w.r.TLS != nil {
		scheme = "https"
	}
	if u.Scheme == "" {
		if !strings.HasPrefix(target, "/") {
			return nil, fmt.Errorf("target must be an absolute URL or an absolute path: %q", target)
		}
		u.Scheme, u.Host = scheme, w.r.Host
		return u, nil
	}
	if u.Scheme != scheme {
		err = fmt.Errorf("cannot push URL with scheme %q from request with scheme %q", u.Scheme, scheme)
	} else if u.Host == "" {
		err = errors.New("URL must have a host")
	}
	return u, err
}

// checkPromise refuses requests that a client would not make without a body.
func checkPromise(method string, h Header) error {
	for name := range h {
		switch lower := strings.ToLower(name); {
		case strings.HasPrefix(name, ":"):
			return fmt.Errorf("promised request headers cannot include pseudo header %q", name)
		case slices.Contains(notPromised[:], lower):
			return fmt.Errorf("promised request headers cannot include %q", name)
		}
	}
	err := checkRequestHeader(h)
	if err == nil && method != MethodGet && method != MethodHead {
		err = fmt.Errorf("method %q must be GET or HEAD", method)
	}
	return err
}

var notPromised = [...]string{"content-length", "content-encoding", "trailer", "te", "expect", "host"}

// push sends the promise, and begins to answer. The lock is held.
func (c *h2conn) push(st *h2stream, method string, u *url.URL, header Header) error {
	if err := st.check(); err != nil {
		return err
	}
	if !c.pushes {
		return ErrNotSupported
	}
	if err := c.awaitRoom(st.check); err != nil {
		return err
	}
	if c.pushed+1 > int(c.maxPushed) {
		return errPushLimit
	}
	if c.lastPushed+2 >= 1<<31 {
		c.goAway(http2.NoError)
		return errPushLimit
	}
	c.lastPushed += 2
	promised := c.newStream(c.lastPushed, usualRank(c.knowsRanks && !c.hasProxy))
	promised.state = streamHalfRemote
	promised.length = 0
	uri := u.RequestURI()
	c.encode(
		http2.Field{Name: ":method", Value: method},
		http2.Field{Name: ":scheme", Value: u.Scheme},
		http2.Field{Name: ":authority", Value: u.Host},
		http2.Field{Name: ":path", Value: uri},
	)
	c.encodeHeader(header, sortedNames(header))
	r, why := c.requestOf(promised, method, u.Scheme, u.Host, uri, "", header)
	if why != "" {
		return errors.New("http2: " + why)
	}
	c.out = http2.AppendPromise(c.out, st.id, promised.id, c.block)
	c.flush()
	c.handlers++
	go c.handle(newAnswer(promised, r), c.server.serveHTTP)
	return nil
}

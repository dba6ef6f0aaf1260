package http

import (
	"context"
	"errors"
	"fmt"
	"internal/godebug"
	"io"
	"net/http/internal/http2"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Streams of a server: a request each, with its answer.

// The states of a stream. One that is promised begins half closed.
const (
	streamOpen = iota
	// We have sent all.
	streamHalfLocal
	// The other side has.
	streamHalfRemote
	streamClosed
)

// h2stream is a request and its answer.
type h2stream struct {
	h2half
	conn   *h2conn
	ctx    context.Context
	cancel context.CancelFunc
	state  int
	// The request has a body; what comes behind it has come.
	hasBody, sawTrailer bool
	// The head of the answer has been sent; the client waits to be told that it may send the body.
	wroteHead, needsContinue bool
	// How much of the body has come, and how much is to come, −1 if that is not known.
	got, length int64
	// Fields behind the body, and those of the request, which has announced them.
	trailer, announced    Header
	readTimer, writeTimer *time.Timer
	// Closed, and set before, when the stream is closed.
	closed    chan struct{}
	endReason error
}

func (c *h2conn) newStream(id uint32, rank http2.Rank) *h2stream {
	st := &h2stream{conn: c, length: -1, closed: make(chan struct{})}
	st.init(&c.h2link, id, c.config.MaxReceiveBufferPerStream)
	st.rank = rank
	st.ctx, st.cancel = context.WithCancel(c.ctx)
	if limit := c.server.WriteTimeout; limit > 0 {
		st.writeTimer = time.AfterFunc(limit, st.writeTimeout)
	}
	c.streams[id] = st
	if *c.tally(st)++; c.opened+c.pushed == 1 {
		c.tellState(StateActive)
	}
	return st
}

// tally is the count of streams of its kind.
func (c *h2conn) tally(st *h2stream) *int {
	if st.isPushed() {
		return &c.pushed
	}
	return &c.opened
}

func (st *h2stream) isPushed() bool { return st.id%2 == 0 }

// schedule starts a handler, or keeps the request until another one is done.
func (c *h2conn) schedule(st *h2stream, r *Request, handler HandlerFunc) error {
	most := c.config.MaxConcurrentStreams
	w := newAnswer(st, r)
	start := func() bool {
		if c.handlers >= most {
			return false
		}
		c.handlers++
		go c.handle(w, handler)
		return true
	}
	switch {
	case start():
		return nil
	case len(c.unstarted) > 4*most:
		return c.wrongConn("too_many_early_resets", http2.EnhanceYourCalm)
	}
	c.unstarted = append(c.unstarted, func() bool {
		if st.state != streamClosed {
			return start()
		}
		// Nobody waits for it any more.
		st.discard()
		return true
	})
	return nil
}

// handle calls the handler, in a goroutine of its own.
func (c *h2conn) handle(w *h2answer, handler HandlerFunc) {
	panicked := true
	defer func() {
		st := w.stream
		var e any
		if panicked {
			e = recover()
		}
		st.cancel()
		if w.r.MultipartForm != nil {
			w.r.MultipartForm.RemoveAll()
		}
		c.locked(st.discard)
		if !panicked {
			w.finish()
		} else {
			c.locked(func() {
				if st.state != streamClosed {
					c.control(http2.AppendReset(c.out, st.id, http2.InternalError))
					c.closeStream(st, errHandlerPanicked)
				}
			})
			if e != nil && e != ErrAbortHandler {
				stack := make([]byte, 64<<10)
				stack = stack[:runtime.Stack(stack, false)]
				c.server.logf("http2: panic serving %v: %v\n%s", c.conn.RemoteAddr(), e, stack)
			}
		}
		c.locked(func() {
			c.handlers--
			for len(c.unstarted) > 0 && c.unstarted[0]() {
				c.unstarted = c.unstarted[1:]
			}
		})
	}()
	handler(w, w.r)
	panicked = false
}

func headerTooLong(w ResponseWriter, _ *Request) {
	w.WriteHeader(StatusRequestHeaderFieldsTooLarge)
	io.WriteString(w, "<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>")
}

// discard closes the body: what is unread does not count any more.
func (st *h2stream) discard() {
	if !st.hasBody || st.body.broken != nil {
		return
	}
	st.body.drop(errBodyClosed)
	st.cond.Broadcast()
	if unread := st.body.size(); unread > 0 {
		st.conn.consumed(nil, unread)
	}
}

// reset ends a stream, of which nothing need be known.
func (c *h2conn) reset(e http2.StreamError) {
	if c.mute {
		return
	}
	c.control(http2.AppendReset(c.out, e.StreamID, e.Code))
	if st := c.streams[e.StreamID]; st != nil {
		c.closeStream(st, e)
	}
}

// endOut is called when all of an answer has been sent.
func (c *h2conn) endOut(st *h2stream) {
	switch st.state {
	case streamOpen:
		// The client need not send what is left of its request.
		st.state = streamHalfLocal
		c.reset(http2.StreamError{StreamID: st.id, Code: http2.NoError})
	case streamHalfRemote:
		c.closeStream(st, errHandlerComplete)
	}
}

func (c *h2conn) closeStream(st *h2stream, err error) {
	if st.state == streamClosed {
		return
	}
	st.state = streamClosed
	c.forget(st)
	st.body.end(err, nil)
	st.endReason = err
	if e, ok := err.(http2.StreamError); ok {
		if st.endReason = e.Cause; e.Cause == nil {
			st.endReason = errStreamClosed
		}
	}
	st.cancel()
	close(st.closed)
	c.giveUp(&st.h2half)
	c.room.Broadcast()
	c.settle()
}

// forget takes a stream from the list. The connection is idle without any.
func (c *h2conn) forget(st *h2stream) {
	for _, timer := range []*time.Timer{st.readTimer, st.writeTimer} {
		if timer != nil {
			timer.Stop()
		}
	}
	delete(c.streams, st.id)
	*c.tally(st)--
	if len(c.streams) > 0 {
		return
	}
	c.tellState(StateIdle)
	if limit := c.h2.idleLimit; limit > 0 && c.idleAlarm != nil && !c.isOver {
		c.idleAlarm.Reset(limit)
	}
	if !c.server.keepsAlive() {
		c.goAway(http2.NoError)
	}
}

func (st *h2stream) readTimeout() {
	st.conn.locked(func() {
		if st.hasBody {
			st.body.end(fmt.Errorf("%w", os.ErrDeadlineExceeded), nil)
			st.cond.Broadcast()
		}
	})
}

func (st *h2stream) writeTimeout() {
	st.conn.locked(func() {
		st.conn.reset(http2.StreamError{
			StreamID: st.id, Code: http2.InternalError, Cause: os.ErrDeadlineExceeded,
		})
	})
}

// extendsConnect says whether CONNECT may name a protocol, such as that of WebSockets. RFC 8441.
func extendsConnect() bool { return godebug.Value("http2xconnect") == "1" }

// newRequest makes the request of a header.
func (c *h2conn) newRequest(st *h2stream, f *http2.Frame) (*Request, error) {
	wrong := func(name string) error { return c.wrongStream(name, st.id, http2.ProtocolError) }
	method, scheme, path := f.Pseudo("method"), f.Pseudo("scheme"), f.Pseudo("path")
	host, protocol := f.Pseudo("authority"), f.Pseudo("protocol")
	switch {
	case protocol != "" && !extendsConnect():
		return nil, wrong("bad_connect")
	case method == MethodConnect:
		if protocol == "" && (path != "" || scheme != "" || host == "") {
			return nil, wrong("bad_connect")
		}
	case method == "" || path == "" || scheme != "https" && scheme != "http":
		return nil, wrong("bad_path_method")
	}
	header := make(Header)
	for _, field := range f.Regular() {
		name := CanonicalHeaderKey(field.Name)
		header[name] = append(header[name], field.Value)
	}
	if host == "" {
		host = header.Get("Host")
	}
	if protocol != "" {
		header.Set(":protocol", protocol)
	}
	r, why := c.requestOf(st, method, scheme, host, path, protocol, header)
	if why != "" {
		return nil, wrong(why)
	}
	isOpen := st.state == streamOpen
	if lengths, ok := header["Content-Length"]; ok {
		if n, err := strconv.ParseUint(lengths[0], 10, 63); err == nil {
			r.ContentLength = int64(n)
		}
		if !isOpen && r.ContentLength != 0 {
			return nil, wrong("bodyless_content_length")
		}
		for _, again := range lengths[1:] {
			if again != lengths[0] {
				return nil, wrong("duplicate_content_length")
			}
		}
		header["Content-Length"] = lengths[:1]
	} else if isOpen {
		r.ContentLength = -1
	}
	st.hasBody, st.body.isOpen = isOpen, isOpen
	st.length = r.ContentLength
	return r, nil
}

// requestOf makes a request; why says what is wrong with it.
func (c *h2conn) requestOf(
	st *h2stream, method, scheme, host, path, protocol string, header Header,
) (r *Request, why string) {
	if st.needsContinue = listHas(header["Expect"], "100-continue"); st.needsContinue {
		delete(header, "Expect")
	}
	if cookies := header["Cookie"]; len(cookies) > 1 {
		header["Cookie"] = []string{strings.Join(cookies, "; ")}
	}
	for _, list := range header["Trailer"] {
		for name := range strings.SplitSeq(list, ",") {
			name = CanonicalHeaderKey(strings.Trim(name, " \t"))
			switch name {
			case "Transfer-Encoding", "Trailer", "Content-Length":
				continue
			}
			if st.announced == nil {
				st.announced = make(Header)
			}
			st.announced[name] = nil
		}
	}
	delete(header, "Trailer")
	if strings.Contains(host, "@") && (scheme == "http" || scheme == "https") {
		return nil, "userinfo_in_authority"
	}
	u, uri := &url.URL{Host: host}, host
	if method != MethodConnect || protocol != "" {
		if path == "" || path[0] != '/' && path != "*" {
			return nil, "bad_path"
		}
		var err error
		if u, err = url.ParseRequestURI(path); err != nil {
			return nil, "bad_path"
		}
		uri = path
	}
	return &Request{
		ctx:        st.ctx,
		Method:     method,
		URL:        u,
		Proto:      "HTTP/2.0",
		ProtoMajor: 2,
		Header:     header,
		RequestURI: uri,
		Trailer:    st.announced,
		Body:       &h2body{stream: st},
		Host:       host,
		RemoteAddr: c.remote,
		TLS:        c.tls,
	}, ""
}

var connectionFields = []string{
	"Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Upgrade",
}

// checkRequestHeader refuses fields that are of a connection, for which HTTP/2 has no use.
func checkRequestHeader(h Header) error {
	isThere := func(name string) bool { _, ok := h[name]; return ok }
	if i := slices.IndexFunc(connectionFields, isThere); i >= 0 {
		return fmt.Errorf("request header %q is not valid in HTTP/2", connectionFields[i])
	}
	switch strings.Join(h["Te"], "\n") {
	case "", "trailers":
		return nil
	}
	return errors.New(`request header "TE" may only be "trailers" in HTTP/2`)
}

// h2body is the body of a request.
type h2body struct {
	stream *h2stream
	sawEnd bool
}

func (b *h2body) Read(p []byte) (n int, err error) {
	st := b.stream
	c := st.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if st.needsContinue {
		st.needsContinue = false
		if !st.wroteHead && st.state != streamClosed && !c.mute {
			c.encode(http2.Field{Name: ":status", Value: "100"})
			c.out = http2.AppendHeaders(c.out, st.id, c.block, false, http2.StartFrame)
			c.flush()
		}
	}
	if !st.hasBody || b.sawEnd {
		return 0, io.EOF
	}
	n, err = st.read(p)
	b.sawEnd = err == io.EOF
	if n > 0 && !c.isOver {
		if st.state == streamHalfRemote || st.state == streamClosed {
			c.consumed(nil, n)
		} else {
			c.consumed(&st.h2half, n)
		}
	}
	return n, err
}

func (b *h2body) Close() error {
	b.stream.conn.locked(b.stream.discard)
	return nil
}

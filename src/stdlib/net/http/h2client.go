package http

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"net"
	"net/http/httptrace"
	"net/http/internal/http2"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A client's end of a connection of HTTP/2, over which many requests go at the same time. A
// goroutine reads frames; a request with a body has a goroutine that sends it, and sees to the end
// of the stream. Other requests end by what comes: nobody waits for them but the caller.

var (
	errH2ConnClosed     = errors.New("http2: client conn is closed")
	errH2ConnUnusable   = errors.New("http2: client conn not usable")
	errH2NotEstablished = errors.New("http2: client conn could not be established")
	errH2GotGoAway      = errors.New(
		"http2: Transport received Server's graceful shutdown GOAWAY")
	errH2ForceClosed  = errors.New("http2: client connection force closed via ClientConn.Close")
	errH2Lost         = errors.New("http2: client connection lost")
	errH2StopBody     = errors.New("http2: aborting request body write")
	errH2BodyTooLong  = errors.New("http2: request body larger than specified content length")
	errH2AnswerClosed = errors.New("http2: response body closed")
	errH2AnswerHeader = errors.New(
		"http2: response header list larger than advertised limit")
	errH2RequestHeader = errors.New("request header list larger than peer's advertised limit")
	errH2NoExtended    = errors.New("net/http: extended connect not supported by peer")
	errH2ReadAtOnce    = errors.New("http2: concurrent read on response body")
	errH2Timeout       = &h2timeout{}

	// errH2StopReading ends the reading without an error.
	errH2StopReading = errors.New("client connection is closing")
)

type h2timeout struct{}

func (*h2timeout) Error() string   { return "http2: timeout awaiting response headers" }
func (*h2timeout) Timeout() bool   { return true }
func (*h2timeout) Temporary() bool { return true }

// h2client is a client's end of a connection.
type h2client struct {
	h2link
	t      *h2transport
	config *HTTP2Config
	tls    *tls.ConnectionState
	reader *http2.Reader

	streams map[uint32]*h2exchange
	nextID  uint32
	// Requests that have been promised a place, and that wait for one.
	reserved, pending int
	// A request has had it; GetConn of a trace has been called for it.
	isUsed, toldGetConn bool
	// For one request only; for those that there are; a GOAWAY has been said by us; it is closed,
	// for want of requests.
	singleUse, noReuse, closing, isClosed, closedIdle bool
	// The other side's GOAWAY.
	goAway *http2.GoAwayError
	// Of the first settings.
	sawSettings  bool
	settingsSeen chan struct{}
	wantsAck     bool
	// What the server allows: streams at a time, bytes of a header, and protocols in CONNECT.
	maxStreams int
	maxHeader  uint64
	extends    bool
	// Requests wait for a place, in place of going over another connection.
	isStrict bool
	pings    map[[8]byte]chan struct{}
	// Streams that we have ended, which count until the server has shown that it is there; not
	// every server wants to be asked for that.
	resets    int
	noPings   bool
	readSince uint32
	idleTime  time.Duration
	idleTimer *time.Timer
	// When a request last began or ended, and when the last one did.
	lastActive, lastIdle time.Time
	// Closed, and set before, when nothing is read any more.
	readDone chan struct{}
	readErr  error
	// Called when there may be more, or less, places.
	onChange func()
}

// h2exchange is a request and its answer.
type h2exchange struct {
	h2half
	c     *h2client
	r     *Request
	ctx   context.Context
	trace *httptrace.ClientTrace
	// Stops watching the context; fires when the answer is late.
	unwatch func() bool
	late    *time.Timer

	resp *Response
	// Closed when the answer's header has come, when the request is given up, and when all is over.
	gotHead, aborted, done chan struct{}
	isAborted, isOver      bool
	abortErr               error
	isHead, wantsZip       bool
	reqBody                io.ReadCloser
	// −1 if it is not known.
	reqLen int64
	// Not nil once the body is being closed; closed behind that.
	bodyClosed chan struct{}
	go100      chan struct{}
	// A goroutine sends the body.
	uploads           bool
	sentHead, sentEnd bool
	// What has come: the first byte, the header, the fields behind the body, the end.
	sawByte, sawHead, sawTrailer, sawEnd bool
	ignores                              bool
	// Bytes of answers that were none yet.
	early   int64
	trailer Header
	// What is left of the body, −1 if that is not known, and what reading it gives.
	left    int64
	bodyErr error
}

// newClient begins to speak over a connection; onChange may be nil.
func (t *h2transport) newClient(nc net.Conn, singleUse bool, onChange func()) *h2client {
	config := h2config(t.t.HTTP2, false)
	c := &h2client{
		t:            t,
		config:       config,
		streams:      make(map[uint32]*h2exchange),
		nextID:       1,
		singleUse:    singleUse,
		isStrict:     config.StrictMaxConcurrentRequests,
		settingsSeen: make(chan struct{}),
		wantsAck:     true,
		maxStreams:   100,
		maxHeader:    math.MaxUint64,
		pings:        make(map[[8]byte]chan struct{}),
		lastActive:   time.Now(),
		idleTime:     t.t.IdleConnTimeout,
		readDone:     make(chan struct{}),
		onChange:     onChange,
	}
	c.init(nc, config)
	c.in = http2.NewInWindow(
		int32(min(config.MaxReceiveBufferPerConnection+http2.StartWindow, math.MaxInt32)))
	table := uint32(config.MaxDecoderHeaderTableSize)
	c.reader = http2.NewReader(bufio.NewReader(nc), uint32(config.MaxReadFrameSize), table)
	c.reader.Count = config.CountError
	c.reader.MaxList = t.maxList()
	if s, ok := nc.(interface{ ConnectionState() tls.ConnectionState }); ok {
		state := s.ConnectionState()
		c.tls = &state
	}
	settings := []http2.Setting{
		{ID: http2.EnablePush, Val: 0},
		{ID: http2.InitialWindowSize, Val: uint32(config.MaxReceiveBufferPerStream)},
		{ID: http2.MaxFrameSize, Val: uint32(config.MaxReadFrameSize)},
	}
	if n := t.maxList(); n != 0 {
		settings = append(settings, http2.Setting{ID: http2.MaxHeaderListSize, Val: n})
	}
	if table != http2.StartTable {
		settings = append(settings, http2.Setting{ID: http2.HeaderTableSize, Val: table})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = append(c.out, http2.Preface...)
	c.out = http2.AppendSettings(c.out, settings...)
	c.out = http2.AppendWindow(c.out, 0, uint32(config.MaxReceiveBufferPerConnection))
	c.flush()
	if c.idleTime != 0 {
		c.idleTimer = time.AfterFunc(c.idleTime, c.closeIfIdle)
	}
	go c.readAll()
	return c
}

func (c *h2client) count(what string) {
	if f := c.config.CountError; f != nil {
		f(what)
	}
}

// canTake says whether another request may begin; it may have to wait. The lock is held.
func (c *h2client) canTake() bool {
	switch {
	case c.singleUse && c.nextID > 1:
		return false
	case c.nextID == 1 && c.reserved == 0 && c.isClosed && !c.closedIdle:
		// So that a request is told why it cannot be used.
		return true
	}
	return (c.isStrict || c.taken() < c.maxStreams) && c.isUsable()
}

func (c *h2client) isUsable() bool {
	isOld := c.idleTime != 0 && !c.lastIdle.IsZero() &&
		time.Since(c.lastIdle.Round(0)) > c.idleTime
	return c.goAway == nil && !c.isClosed && !c.closing && !c.noReuse && !isOld &&
		int64(c.nextID)+2*int64(c.pending) < math.MaxInt32
}

// taken is how many places are taken.
func (c *h2client) taken() int { return len(c.streams) + c.reserved + c.resets }

// reserve takes a place for a request, which gives it back when it begins.
func (c *h2client) reserve() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.canTake() {
		return false
	}
	c.reserved++
	return true
}

func (c *h2client) changed() {
	if c.onChange != nil {
		go c.onChange()
	}
}

// closeConn closes the connection below, when what is there has been written; TLS would say so
// first, and may wait for that.
func (c *h2client) closeConn() {
	c.drain()
	timer := time.AfterFunc(250*time.Millisecond, func() {
		if t, ok := c.conn.(*tls.Conn); ok {
			t.NetConn().Close()
		}
	})
	defer timer.Stop()
	c.conn.Close()
	c.changed()
}

func (c *h2client) closeIfIdle() {
	c.mu.Lock()
	isIdle := len(c.streams) == 0 && c.reserved == 0
	if isIdle {
		c.isClosed, c.closedIdle = true, true
	}
	c.mu.Unlock()
	if isIdle {
		c.closeConn()
	}
}

// closeFor ends all requests with an error. The lock is held.
func (c *h2client) closeFor(err error) {
	c.isClosed = true
	for _, x := range c.streams {
		x.abort(err)
	}
	c.room.Broadcast()
	go c.closeConn()
}

// goAwayAndClose says why before. The lock is held.
func (c *h2client) goAwayAndClose(code http2.ErrCode) {
	wasClosed := c.isClosed
	c.closing, c.isClosed = true, true
	if wasClosed {
		return
	}
	c.count("conn_close_error_" + code.Token())
	c.control(http2.AppendGoAway(c.out, 0, code, ""))
	go func() {
		c.drain()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.closeFor(fmt.Errorf("http2: closing connection with %v", code))
	}()
}

// ping waits for the answer to a ping.
func (c *h2client) ping(ctx context.Context) error {
	var data [8]byte
	rand.Read(data[:])
	answered := make(chan struct{})
	c.mu.Lock()
	c.pings[data] = answered
	c.control(http2.AppendPing(c.out, false, data[:]))
	c.mu.Unlock()
	select {
	case <-answered:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.readDone:
		return c.readErr
	}
}

// checkHealth closes the connection if the server does not answer.
func (c *h2client) checkHealth() {
	ctx, cancel := context.WithTimeout(context.Background(), c.config.PingTimeout)
	defer cancel()
	if c.ping(ctx) != nil {
		c.count("conn_close_lost_ping")
		c.mu.Lock()
		defer c.mu.Unlock()
		c.closeFor(errH2Lost)
	}
}

// realLength is how long the body of a request is, −1 if that is not known.
func realLength(r *Request) int64 {
	switch {
	case r.Body == nil || r.Body == NoBody:
		return 0
	case r.ContentLength != 0:
		return r.ContentLength
	}
	return -1
}

// roundTrip sends a request and waits for the header of the answer.
func (c *h2client) roundTrip(r *Request) (*Response, error) {
	ctx := r.Context()
	h := r.Header
	x := &h2exchange{
		c:       c,
		r:       r,
		ctx:     ctx,
		trace:   httptrace.ContextClientTrace(ctx),
		gotHead: make(chan struct{}),
		aborted: make(chan struct{}),
		done:    make(chan struct{}),
		isHead:  r.Method == MethodHead,
		reqBody: r.Body,
		reqLen:  realLength(r),
	}
	x.wantsZip = !c.t.t.DisableCompression && len(h["Accept-Encoding"]) == 0 &&
		len(h["Range"]) == 0 && !x.isHead
	x.init(&c.h2link, 0, c.config.MaxReceiveBufferPerStream)
	give := func(err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		x.abort(err)
	}
	x.unwatch = context.AfterFunc(ctx, func() { give(ctx.Err()) })
	if cancel := r.Cancel; cancel != nil {
		go func() {
			select {
			case <-cancel:
				give(errRequestCanceled)
			case <-x.done:
			}
		}()
	}
	x.start()
	select {
	case <-x.gotHead:
		return x.answer()
	case <-x.aborted:
	}
	// An answer counts, even if the server has ended the stream right behind it.
	select {
	case <-x.gotHead:
		return x.answer()
	default:
	}
	if err := ctx.Err(); err != nil && x.abortErr == err || x.abortErr == errRequestCanceled {
		c.mu.Lock()
		closed := x.bodyClosed
		c.mu.Unlock()
		if closed != nil {
			<-closed
		}
		return nil, x.abortErr
	}
	x.awaitDone()
	return nil, x.abortErr
}

func (x *h2exchange) awaitDone() error {
	select {
	case <-x.done:
		return nil
	case <-x.ctx.Done():
		return x.ctx.Err()
	case <-x.r.Cancel:
		return errRequestCanceled
	}
}

// answer gives the answer to who waits for it.
func (x *h2exchange) answer() (*Response, error) {
	resp := x.resp
	if resp.StatusCode > 299 {
		// The server will not care for the body.
		x.c.mu.Lock()
		x.closeBody()
		x.c.giveUp(&x.h2half)
		x.c.mu.Unlock()
	}
	resp.TLS = x.c.tls
	resp.Request = x.r
	if resp.Body == NoBody && x.reqLen == 0 {
		if err := x.awaitDone(); err != nil {
			return nil, err
		}
	}
	return resp, nil
}

// abort gives the request up; the first reason counts. The lock is held.
func (x *h2exchange) abort(err error) {
	if !x.isAborted {
		x.isAborted = true
		x.abortErr = err
		close(x.aborted)
	}
	x.closeBody()
	x.c.giveUp(&x.h2half)
	x.c.room.Broadcast()
	if !x.uploads && x.id != 0 {
		x.finish(x.abortErr)
	}
}

// closeBody closes the request's body, which may take a while. The lock is held.
func (x *h2exchange) closeBody() {
	if x.reqBody == nil || x.bodyClosed != nil {
		return
	}
	closed := make(chan struct{})
	x.bodyClosed = closed
	go func() {
		x.reqBody.Close()
		close(closed)
	}()
}

// start sends the header, and has the body sent.
func (x *h2exchange) start() {
	c := x.c
	fields, wrong := x.fields()
	c.mu.Lock()
	err := x.open()
	if err == nil {
		if err = wrong; err == nil {
			err = x.sendHeader(fields)
		}
		x.uploads = x.reqLen != 0 && err == nil
	}
	if err != nil {
		x.abort(err)
		if x.id == 0 {
			x.isOver = true
			x.unwatch()
			go func() {
				if x.bodyClosed != nil {
					<-x.bodyClosed
				}
				close(x.done)
				c.changed()
			}()
		}
		c.mu.Unlock()
		return
	}
	x.sentEnd = !x.uploads
	c.mu.Unlock()
	if t := x.trace; t != nil && t.WroteHeaders != nil {
		t.WroteHeaders()
	}
	if x.uploads {
		go x.upload()
		return
	}
	x.wrote(nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	// What could have ended it has left that to us.
	switch {
	case x.isAborted:
		x.finish(x.abortErr)
	case x.sawEnd:
		x.finish(nil)
	}
}

// wrote is called when the request has been sent.
func (x *h2exchange) wrote(err error) {
	if t := x.trace; t != nil && t.WroteRequest != nil {
		t.WroteRequest(httptrace.WroteRequestInfo{Err: err})
	}
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	if d := x.c.t.t.ResponseHeaderTimeout; d > 0 && x.resp == nil && !x.isOver {
		x.late = time.AfterFunc(d, func() {
			x.c.mu.Lock()
			defer x.c.mu.Unlock()
			if x.resp == nil {
				x.abort(errH2Timeout)
			}
		})
	}
}

// open waits for a place among the streams. The lock is held, but not while it waits.
func (x *h2exchange) open() error {
	c := x.c
	if x.r.Method == MethodConnect && x.r.Header.Get(":protocol") != "" {
		for !c.sawSettings && !x.isAborted && !c.isClosed {
			c.room.Wait()
		}
		if !c.extends && c.sawSettings {
			return errH2NoExtended
		}
	}
	if c.idleTimer != nil {
		c.idleTimer.Stop()
	}
	if c.reserved > 0 {
		c.reserved--
	}
	for {
		switch {
		case x.isAborted:
			return x.abortErr
		case c.isClosed && c.nextID == 1 && c.reserved == 0:
			return errH2NotEstablished
		case c.isClosed || !c.canTake():
			return errH2ConnUnusable
		}
		c.lastActive = time.Now()
		c.lastIdle = time.Time{}
		if c.taken() < c.maxStreams {
			break
		}
		c.pending++
		c.room.Wait()
		c.pending--
	}
	x.id = c.nextID
	c.nextID += 2
	c.streams[x.id] = x
	// Until the header is sent nothing ends it but us.
	x.uploads = true
	c.noReuse = c.noReuse || x.r.Close || listHas(x.r.Header["Connection"], "close")
	return nil
}

// sendHeader sends the header. The lock is held.
func (x *h2exchange) sendHeader(fields []http2.Field) error {
	c := x.c
	size := uint64(0)
	for _, f := range fields {
		size += uint64(f.Size())
	}
	if size > c.maxHeader {
		return fmt.Errorf("http2: %w", errH2RequestHeader)
	}
	if c.t.t.ExpectContinueTimeout != 0 && listHas(x.r.Header["Expect"], "100-continue") {
		x.go100 = make(chan struct{}, 1)
	}
	if t := x.trace; t != nil && t.WroteHeaderField != nil {
		for _, f := range fields {
			t.WroteHeaderField(f.Name, []string{f.Value})
		}
	}
	c.encode(fields...)
	ends := x.reqLen == 0 && len(x.r.Trailer) == 0
	c.out = http2.AppendHeaders(c.out, x.id, c.block, ends, c.maxFrame)
	x.sentHead = true
	c.flush()
	return nil
}

// upload sends the body, and sees to the end of the stream.
func (x *h2exchange) upload() {
	c := x.c
	err := x.awaitContinue()
	if err == nil {
		err = x.sendBody()
	}
	c.mu.Lock()
	x.sentEnd = err == nil
	c.mu.Unlock()
	x.wrote(err)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil || err == errH2StopBody {
		for !x.sawEnd && !x.isAborted {
			x.cond.Wait()
		}
		err = nil
		if !x.sawEnd {
			err = x.abortErr
		}
	}
	x.closeBody()
	closed := x.bodyClosed
	c.mu.Unlock()
	<-closed
	c.mu.Lock()
	x.finish(err)
}

// awaitContinue waits until the server wants the body, or for some time.
func (x *h2exchange) awaitContinue() error {
	if x.go100 == nil {
		return nil
	}
	if t := x.trace; t != nil && t.Wait100Continue != nil {
		t.Wait100Continue()
	}
	timer := time.NewTimer(x.c.t.t.ExpectContinueTimeout)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-x.go100:
		return nil
	case <-x.aborted:
		return x.abortErr
	}
}

// stopped says why nothing more of the body can be sent. The lock is held.
func (x *h2exchange) stopped() error {
	switch {
	case x.c.isClosed:
		if x.isAborted {
			return x.abortErr
		}
		return errH2ConnClosed
	case x.isAborted:
		return x.abortErr
	case x.bodyClosed != nil:
		return errH2StopBody
	case x.c.window.Bad:
		return http2.ConnectionError(http2.FlowControlError)
	}
	return nil
}

// h2buffer limits how much of a body is read at a time.
const h2buffer = 512 << 10

func (x *h2exchange) sendBody() error {
	c := x.c
	hasTrailer := x.r.Trailer != nil
	left := x.reqLen
	c.mu.Lock()
	size := min(c.maxFrame, h2buffer)
	c.mu.Unlock()
	if left != -1 {
		// One byte more tells whether there is more.
		size = int(min(int64(size), left+1))
	}
	buf := make([]byte, max(size, 1))
	for sawEnd := false; !sawEnd; {
		n, err := x.reqBody.Read(buf)
		if x.reqLen != -1 {
			if left -= int64(n); left == 0 && err == nil {
				var more [1]byte
				var n int
				n, err = x.reqBody.Read(more[:])
				left -= int64(n)
			}
			if left < 0 {
				return errH2BodyTooLong
			}
		}
		c.mu.Lock()
		if err != nil {
			switch sawEnd = err == io.EOF; {
			case x.bodyClosed != nil:
				c.mu.Unlock()
				return errH2StopBody
			case !sawEnd:
				c.mu.Unlock()
				return err
			}
		}
		ends := sawEnd && !hasTrailer
		err = nil
		if n > 0 {
			err = c.send(&x.h2half, buf[:n], ends, x.stopped)
		}
		c.mu.Unlock()
		if err != nil {
			return err
		}
		if ends && n > 0 {
			return nil
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.isAborted {
		return x.abortErr
	}
	c.encode()
	size64 := uint64(0)
	for key, values := range x.r.Trailer {
		for _, v := range values {
			f := http2.Field{Name: key, Value: v}
			size64 += uint64(f.Size())
			if name, ok := lowerName(key); ok {
				c.block = c.encoder.Append(c.block, name, v)
			}
		}
	}
	switch {
	case size64 > c.maxHeader:
		return errH2RequestHeader
	case len(c.block) > 0:
		c.out = http2.AppendHeaders(c.out, x.id, c.block, true, c.maxFrame)
	default:
		c.out = http2.AppendData(c.out, x.id, nil, true)
	}
	c.flush()
	return nil
}

// finish ends the stream; an error is told to the server. The lock is held.
func (x *h2exchange) finish(err error) {
	if x.isOver {
		return
	}
	x.isOver = true
	c := x.c
	closes := c.singleUse || c.noReuse || c.t.t.DisableKeepAlives || c.goAway != nil
	if x.sentEnd && x.sawEnd {
		err = nil
	}
	if err != nil {
		if !x.isAborted {
			x.isAborted, x.abortErr = true, err
			close(x.aborted)
		}
		x.closeBody()
		x.tell(err, closes)
		x.body.end(err, nil)
	} else {
		if x.sentHead && !x.sentEnd {
			c.control(http2.AppendReset(c.out, x.id, http2.NoError))
		}
		x.body.end(errRequestCanceled, nil)
	}
	x.cond.Broadcast()
	delete(c.streams, x.id)
	c.lastActive = time.Now()
	if len(c.streams) == 0 && c.idleTimer != nil {
		c.idleTimer.Reset(c.idleTime)
		c.lastIdle = time.Now()
	}
	c.room.Broadcast()
	if closes && c.reserved == 0 && len(c.streams) == 0 {
		c.isClosed = true
		go c.closeConn()
	}
	if c.writeErr != nil && !c.isClosed {
		c.closeFor(errH2ForceClosed)
	}
	x.unwatch()
	if x.late != nil {
		x.late.Stop()
	}
	close(x.done)
	c.changed()
}

// tell tells the server that the stream is given up.
func (x *h2exchange) tell(err error, closes bool) {
	c := x.c
	if e, ok := err.(http2.ConnectionError); ok {
		c.goAwayAndClose(http2.ErrCode(e))
		return
	}
	if !x.sentHead {
		return
	}
	if e, ok := err.(http2.StreamError); ok {
		if e.Cause != http2.ErrFromPeer {
			c.control(http2.AppendReset(c.out, x.id, e.Code))
		}
		return
	}
	c.control(http2.AppendReset(c.out, x.id, http2.Cancel))
	// If nothing has been read since it was sent, the server may not be there: until it shows that
	// it is, the stream counts.
	if !closes && c.readSince <= x.id && !c.noPings {
		if c.resets == 0 {
			var data [8]byte
			rand.Read(data[:])
			c.control(http2.AppendPing(c.out, false, data[:]))
		}
		c.resets++
	}
}

// readAll reads frames until the connection ends.
func (c *h2client) readAll() {
	err := c.read()
	c.readErr = err
	c.mu.Lock()
	if c.idleTimer != nil {
		c.idleTimer.Stop()
	}
	op, isNet := err.(*net.OpError)
	if c.goAway != nil && (err == io.EOF || isNet && op.Op == "read") {
		err = *c.goAway
	} else if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	c.isClosed, c.mute = true, true
	// One that no request has had stays a while, to tell the first one what is wrong.
	wait := 5 * time.Second
	if c.idleTime > 0 {
		wait = min(wait, c.idleTime)
	}
	if idle := time.Since(c.lastActive); !c.isUsed && idle < wait && !c.closedIdle {
		c.idleTimer = time.AfterFunc(wait-idle, func() { c.t.drop(c) })
	} else {
		c.mu.Unlock()
		c.t.drop(c)
		c.mu.Lock()
	}
	for _, x := range c.streams {
		if !x.sawEnd {
			x.abort(err)
		}
	}
	c.room.Broadcast()
	c.mu.Unlock()
	close(c.readDone)
	c.closeConn()
}

func (c *h2client) read() error {
	var health *time.Timer
	d := c.config.SendPingTimeout
	if d != 0 {
		health = time.AfterFunc(d, c.checkHealth)
		defer health.Stop()
	}
	for isFirst := true; ; {
		f, err := c.reader.Read()
		if health != nil {
			health.Reset(d)
		}
		if e, ok := err.(http2.StreamError); ok {
			c.mu.Lock()
			if x := c.stream(e.StreamID, false); x != nil {
				x.fail(e)
			}
			c.mu.Unlock()
			continue
		}
		if err != nil {
			c.countRead(err)
			return err
		}
		if isFirst && f.Type != http2.Settings {
			log.Printf("protocol error: received %s before a SETTINGS frame", f.Name())
			return http2.ConnectionError(http2.ProtocolError)
		}
		isFirst = false
		if f.Type == http2.Headers {
			err = c.processHeaders(f)
		} else {
			c.mu.Lock()
			err = c.process(f)
			c.mu.Unlock()
		}
		if err != nil {
			return err
		}
	}
}

// countRead tells the program why reading has ended.
func (c *h2client) countRead(err error) {
	e, isConns := err.(http2.ConnectionError)
	switch {
	case isConns:
		c.count("read_frame_conn_error_" + http2.ErrCode(e).Token())
	case errors.Is(err, io.EOF):
		c.count("read_frame_eof")
	case errors.Is(err, io.ErrUnexpectedEOF):
		c.count("read_frame_unexpected_eof")
	case errors.Is(err, http2.ErrFrameTooLarge):
		c.count("read_frame_too_large")
	default:
		c.count("read_frame_other")
	}
}

// stream finds a stream that listens.
func (c *h2client) stream(id uint32, isMessage bool) *h2exchange {
	if isMessage {
		c.noPings = false
	}
	c.readSince = c.nextID
	if x := c.streams[id]; x != nil && !x.ignores {
		return x
	}
	return nil
}

// fail ends a stream for what has come.
func (x *h2exchange) fail(err error) {
	x.ignores = true
	x.abort(err)
}

func (x *h2exchange) failProtocol(cause error) {
	x.fail(http2.StreamError{StreamID: x.id, Code: http2.ProtocolError, Cause: cause})
}

// process processes all frames but those of headers. The lock is held.
func (c *h2client) process(f *http2.Frame) error {
	switch f.Type {
	case http2.Data:
		return c.processData(f)
	case http2.GoAway:
		return c.processGoAway(f)
	case http2.RSTStream:
		x := c.stream(f.StreamID, false)
		if x == nil {
			return nil
		}
		err := http2.StreamError{StreamID: x.id, Code: f.Code, Cause: http2.ErrFromPeer}
		if f.Code == http2.ProtocolError {
			c.noReuse = true
		}
		c.count("recv_rststream_" + f.Code.Token())
		x.body.end(err, nil)
		x.abort(err)
	case http2.Settings:
		return c.processSettings(f)
	case http2.PushPromise:
		return http2.ConnectionError(http2.ProtocolError)
	case http2.WindowUpdate:
		return c.processWindow(f)
	case http2.Ping:
		c.processPing(f)
	default:
		log.Printf("Transport: unhandled response frame type %s", f.Name())
	}
	return nil
}

func (c *h2client) processPing(f *http2.Frame) {
	if !f.Has(http2.Ack) {
		c.control(http2.AppendPing(c.out, true, f.Data))
		return
	}
	data := [8]byte(f.Data)
	if answered := c.pings[data]; answered != nil {
		close(answered)
		delete(c.pings, data)
	}
	if c.resets > 0 {
		c.resets = 0
		c.noPings = true
		c.room.Broadcast()
	}
	c.changed()
}

func (c *h2client) processGoAway(f *http2.Frame) error {
	// The list of connections has a lock of its own, which comes first.
	go c.t.drop(c)
	if f.Code != http2.NoError {
		c.count("recv_goaway_" + f.Code.Token())
	}
	e := &http2.GoAwayError{LastStreamID: f.Other, ErrCode: f.Code, DebugData: string(f.Data)}
	if old := c.goAway; old != nil {
		if old.DebugData != "" {
			e.DebugData = old.DebugData
		}
		if old.ErrCode != http2.NoError {
			e.ErrCode = old.ErrCode
		}
	}
	c.goAway = e
	if len(c.streams) == 0 {
		return errH2StopReading
	}
	for id, x := range c.streams {
		switch {
		case id <= f.Other:
			// It will be answered, or not.
		case id == 1 && e.ErrCode != http2.NoError:
			// Another connection would not do better.
			x.abort(fmt.Errorf(
				"http2: Transport received GOAWAY from server ErrCode:%v", e.ErrCode))
		default:
			x.abort(errH2GotGoAway)
		}
	}
	return nil
}

func (c *h2client) processSettings(f *http2.Frame) error {
	defer c.changed()
	if f.Has(http2.Ack) {
		if !c.wantsAck {
			return http2.ConnectionError(http2.ProtocolError)
		}
		c.wantsAck = false
		return nil
	}
	saysStreams := false
	for _, s := range f.Settings {
		if err := s.Valid(); err != nil {
			return err
		}
		switch s.ID {
		case http2.MaxFrameSize:
			c.maxFrame = int(s.Val)
		case http2.MaxConcurrentStreams:
			c.maxStreams = int(s.Val)
			saysStreams = true
		case http2.MaxHeaderListSize:
			c.maxHeader = uint64(s.Val)
		case http2.InitialWindowSize:
			c.window.Resize(s.Val)
		case http2.HeaderTableSize:
			c.encoder.Resize(s.Val)
		case http2.EnableConnectProtocol:
			if !c.sawSettings {
				c.extends = s.Val == 1
			}
		}
	}
	if !c.sawSettings {
		if !saysStreams {
			c.maxStreams = 1000
		}
		c.sawSettings = true
		close(c.settingsSeen)
	}
	c.control(http2.AppendSettingsAck(c.out))
	c.pumpAll()
	return nil
}

// pumpAll is pump, and tells those who wait of windows that have become too large.
func (c *h2client) pumpAll() {
	c.pump()
	if c.window.Bad {
		for len(c.waiting) > 0 {
			c.giveUp(c.waiting[0])
		}
	}
	c.room.Broadcast()
}

func (c *h2client) processWindow(f *http2.Frame) error {
	if f.StreamID == 0 {
		if !c.window.Add(f.Other) {
			return http2.ConnectionError(http2.FlowControlError)
		}
	} else if x := c.stream(f.StreamID, false); x == nil {
		return nil
	} else if !x.window.Add(&c.window, f.Other) {
		if c.window.Bad {
			return http2.ConnectionError(http2.FlowControlError)
		}
		x.fail(http2.StreamError{StreamID: x.id, Code: http2.FlowControlError})
		return nil
	}
	c.pumpAll()
	return nil
}

func (c *h2client) processData(f *http2.Frame) error {
	x := c.stream(f.StreamID, true)
	if x == nil {
		if f.StreamID >= c.nextID {
			log.Printf("http2: Transport received unsolicited DATA frame; closing connection")
			return http2.ConnectionError(http2.ProtocolError)
		}
		// Of a request that has been given up.
		if f.Length > 0 {
			if !c.in.Take(f.Length) {
				return http2.ConnectionError(http2.FlowControlError)
			}
			c.consumed(nil, int(f.Length))
		}
		return nil
	}
	wrong := ""
	switch {
	case x.sawEnd:
		wrong = "received DATA after END_STREAM"
	case !x.sawHead:
		wrong = "received DATA before a HEADERS frame"
	case x.isHead && len(f.Data) > 0:
		wrong = "received DATA on a HEAD request"
	}
	if wrong != "" {
		log.Printf("protocol error: %s", wrong)
		x.failProtocol(nil)
		return nil
	}
	if f.Length > 0 {
		if !http2.TakeBoth(&c.in, &x.in, f.Length) {
			return http2.ConnectionError(http2.FlowControlError)
		}
		if len(f.Data) > 0 {
			if err := x.body.put(f.Data); err != nil {
				c.consumed(nil, int(f.Length))
				x.fail(err)
				return nil
			}
			x.cond.Broadcast()
		}
		c.consumed(&x.h2half, int(f.Length)-len(f.Data))
	}
	if f.Has(http2.EndStream) {
		x.end()
	}
	return nil
}

// end notes that all of the answer has come.
func (x *h2exchange) end() {
	if x.sawEnd {
		return
	}
	x.sawEnd = true
	x.body.end(io.EOF, func() {
		for name, values := range x.trailer {
			if x.resp.Trailer == nil {
				x.resp.Trailer = make(Header)
			}
			x.resp.Trailer[name] = values
		}
	})
	x.cond.Broadcast()
	if !x.uploads {
		x.finish(nil)
	}
}

// processHeaders processes a header of an answer, or what comes behind its body. The lock is not
// held, as functions of the program's are called.
func (c *h2client) processHeaders(f *http2.Frame) error {
	c.mu.Lock()
	x := c.stream(f.StreamID, true)
	c.mu.Unlock()
	if x == nil {
		return nil
	}
	fail := func(cause error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		x.failProtocol(cause)
	}
	if x.sawEnd {
		fail(errors.New("protocol error: headers after END_STREAM"))
		return nil
	}
	if !x.sawByte {
		x.sawByte = true
		if t := x.trace; t != nil && t.GotFirstResponseByte != nil {
			t.GotFirstResponseByte()
		}
	}
	if x.sawHead {
		return x.processTrailer(f)
	}
	resp, err := x.readHead(f)
	if err != nil {
		x.sawHead = true
		fail(err)
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if resp == nil {
		return nil
	}
	x.sawHead = true
	x.resp = resp
	if x.late != nil {
		x.late.Stop()
	}
	close(x.gotHead)
	if f.Has(http2.EndStream) {
		x.end()
	}
	return nil
}

// readHead makes the answer; nil if it is none yet.
func (x *h2exchange) readHead(f *http2.Frame) (*Response, error) {
	if f.Truncated {
		return nil, errH2AnswerHeader
	}
	status := f.Pseudo("status")
	if status == "" {
		return nil, errors.New("malformed response from server: missing status pseudo header")
	}
	code, err := strconv.Atoi(status)
	if err != nil {
		return nil, errors.New("malformed response from server: " +
			"malformed non-numeric status pseudo header")
	}
	header := make(Header)
	resp := &Response{
		Status:        status + " " + StatusText(code),
		StatusCode:    code,
		Proto:         "HTTP/2.0",
		ProtoMajor:    2,
		Header:        header,
		ContentLength: -1,
	}
	for _, field := range f.Regular() {
		name := CanonicalHeaderKey(field.Name)
		if name != "Trailer" {
			header[name] = append(header[name], field.Value)
			continue
		}
		if resp.Trailer == nil {
			resp.Trailer = make(Header)
		}
		eachElement(field.Value, func(v string) { resp.Trailer[CanonicalHeaderKey(v)] = nil })
	}
	ends := f.Has(http2.EndStream)
	if code >= 100 && code <= 199 {
		return nil, x.early1xx(f, code, header)
	}
	for _, name := range connectionFields {
		delete(header, name)
	}
	if lengths := header["Content-Length"]; len(lengths) > 0 {
		n, err := strconv.ParseUint(lengths[0], 10, 63)
		for _, again := range lengths[1:] {
			if again != lengths[0] {
				err = strconv.ErrSyntax
			}
		}
		if err != nil {
			delete(header, "Content-Length")
		} else {
			header["Content-Length"] = lengths[:1]
			resp.ContentLength = int64(n)
		}
	}
	if resp.ContentLength < 0 && ends && !x.isHead {
		resp.ContentLength = 0
	}
	switch {
	case x.isHead:
		resp.Body = NoBody
		return resp, nil
	case ends:
		resp.Body = NoBody
		if resp.ContentLength > 0 {
			resp.Body = missingBody{}
		}
		return resp, nil
	}
	x.c.mu.Lock()
	if x.body.err == nil && x.body.broken == nil {
		x.body.isOpen = true
	}
	x.c.mu.Unlock()
	x.left = resp.ContentLength
	resp.Body = h2reply{x}
	if x.wantsZip && equalFold(header.Get("Content-Encoding"), "gzip") {
		header.Del("Content-Encoding")
		header.Del("Content-Length")
		resp.ContentLength = -1
		resp.Body = &h2unzipped{body: resp.Body}
		resp.Uncompressed = true
	}
	return resp, nil
}

// early1xx tells of an answer that is none yet.
func (x *h2exchange) early1xx(f *http2.Frame, code int, header Header) error {
	if f.Has(http2.EndStream) {
		return errors.New("1xx informational response with END_STREAM flag")
	}
	t := x.trace
	if t != nil && t.Got1xxResponse != nil {
		if err := t.Got1xxResponse(code, textproto.MIMEHeader(header)); err != nil {
			return err
		}
	} else {
		limit := max(int64(x.c.t.maxList()), x.c.t.t.MaxResponseHeaderBytes)
		for _, field := range f.Fields {
			x.early += int64(field.Size())
		}
		if x.early > limit {
			return errors.New("header list too large")
		}
	}
	if code == StatusContinue {
		if t != nil && t.Got100Continue != nil {
			t.Got100Continue()
		}
		select {
		case x.go100 <- struct{}{}:
		default:
		}
	}
	return nil
}

func (x *h2exchange) processTrailer(f *http2.Frame) error {
	if x.sawTrailer || !f.Has(http2.EndStream) ||
		len(f.Fields) > 0 && f.Fields[0].IsPseudo() {
		return http2.ConnectionError(http2.ProtocolError)
	}
	x.sawTrailer = true
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	if f.Truncated {
		x.failProtocol(errH2AnswerHeader)
		return nil
	}
	x.trailer = make(Header)
	for _, field := range f.Regular() {
		name := CanonicalHeaderKey(field.Name)
		x.trailer[name] = append(x.trailer[name], field.Value)
	}
	x.end()
	return nil
}

// missingBody is a body that should have come, and has not.
type missingBody struct{}

func (missingBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
func (missingBody) Close() error             { return nil }

// h2reply is the body of an answer.
type h2reply struct{ x *h2exchange }

func (b h2reply) Read(p []byte) (n int, err error) {
	x := b.x
	c := x.c
	if x.bodyErr != nil {
		return 0, x.bodyErr
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err = x.read(p)
	if x.left != -1 {
		if int64(n) > x.left {
			n = int(x.left)
			if err == nil {
				err = errors.New("net/http: server replied with more than declared " +
					"Content-Length; truncated")
				x.abort(err)
			}
			x.bodyErr = err
			return n, err
		}
		x.left -= int64(n)
		if err == io.EOF && x.left > 0 {
			x.bodyErr = io.ErrUnexpectedEOF
			return n, x.bodyErr
		}
	}
	if n > 0 {
		s := &x.h2half
		if x.isOver || x.sawEnd {
			s = nil
		}
		c.consumed(s, n)
	}
	return n, err
}

func (b h2reply) Close() error {
	x := b.x
	c := x.c
	c.mu.Lock()
	x.body.drop(errH2AnswerClosed)
	if n := x.body.size(); n > 0 {
		x.body.unread = 0
		c.consumed(nil, n)
	}
	x.abort(errH2AnswerClosed)
	c.mu.Unlock()
	select {
	case <-x.done:
	case <-x.ctx.Done():
	case <-x.r.Cancel:
		return errRequestCanceled
	}
	return nil
}

// h2unzipped is the body of an answer that came as gzip.
type h2unzipped struct {
	body io.ReadCloser

	mu     sync.Mutex
	zip    *gzip.Reader
	err    error
	isBusy bool
}

func (u *h2unzipped) Read(p []byte) (n int, err error) {
	u.mu.Lock()
	if u.isBusy && u.err == nil {
		u.mu.Unlock()
		return 0, errH2ReadAtOnce
	}
	if err := u.err; err != nil {
		u.mu.Unlock()
		return 0, err
	}
	u.isBusy = true
	zip := u.zip
	u.mu.Unlock()
	if zip == nil {
		zip, err = gzip.NewReader(u.body)
	}
	if err == nil {
		n, err = zip.Read(p)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.isBusy = false
	if u.zip == nil {
		if u.zip = zip; zip == nil && u.err == nil {
			u.err = err
		}
	}
	return n, err
}

func (u *h2unzipped) Close() error {
	u.mu.Lock()
	u.err = fs.ErrClosed
	u.mu.Unlock()
	return u.body.Close()
}

// fields are the fields of a request's header.
func (x *h2exchange) fields() (fields []http2.Field, err error) {
	r := x.r
	defer func() {
		if err != nil {
			err = fmt.Errorf("http2: %w", err)
		}
	}()
	if err := checkForConnection(r.Header); err != nil {
		return nil, err
	}
	host, err := asciiHostPort(orDefault(r.Host, r.URL.Host))
	if err != nil {
		return nil, err
	}
	if !isHost(host) {
		return nil, errors.New("invalid Host header")
	}
	protocol := ""
	if v := r.Header[":protocol"]; len(v) > 0 {
		protocol = v[0]
	}
	isConnect := r.Method == MethodConnect && protocol == ""
	if protocol != "" && r.Method != MethodConnect {
		return nil, errors.New("invalid :protocol header in non-CONNECT request")
	}
	path := ""
	if !isConnect {
		if path, err = pathOf(r, host); err != nil {
			return nil, err
		}
	}
	if what := badName(r.Header); what != "" {
		return nil, errors.New("invalid HTTP header " + what)
	}
	if what := badName(r.Trailer); what != "" {
		return nil, errors.New("invalid HTTP trailer " + what)
	}
	trailers := make(Header, len(r.Trailer))
	for name := range r.Trailer {
		name = CanonicalHeaderKey(name)
		switch name {
		case "Transfer-Encoding", "Trailer", "Content-Length":
			return nil, fmt.Errorf("invalid Trailer key %q", name)
		}
		trailers[name] = nil
	}
	add := func(name, value string) {
		if name, ok := lowerName(name); ok {
			fields = append(fields, http2.Field{Name: name, Value: value})
		}
	}
	add(":authority", host)
	add(":method", orDefault(r.Method, MethodGet))
	if !isConnect {
		add(":path", path)
		add(":scheme", r.URL.Scheme)
	}
	if protocol != "" {
		add(":protocol", protocol)
	}
	if len(trailers) > 0 {
		add("trailer", strings.Join(sortedNames(trailers), ","))
	}
	agent := "Go-http-client/2.0"
	for name, values := range r.Header {
		switch strings.ToLower(name) {
		case "host", "content-length", "connection", "proxy-connection", "transfer-encoding",
			"upgrade", "keep-alive", ":protocol":
		case "user-agent":
			// None, if it is empty.
			agent = ""
			if len(values) > 0 {
				agent = values[0]
			}
		case "cookie":
			// In pieces they can be known by numbers.
			for _, v := range values {
				for piece := range strings.SplitSeq(v, ";") {
					if piece = strings.TrimLeft(piece, " "); piece != "" {
						add(name, piece)
					}
				}
			}
		default:
			for _, v := range values {
				add(name, v)
			}
		}
	}
	if n := x.reqLen; n > 0 || n == 0 &&
		(r.Method == MethodPost || r.Method == MethodPut || r.Method == MethodPatch) {
		add("content-length", strconv.FormatInt(n, 10))
	}
	if x.wantsZip {
		add("accept-encoding", "gzip")
	}
	if agent != "" {
		add("user-agent", agent)
	}
	return fields, nil
}

// checkForConnection refuses what a request says of its connection, other than that it may close.
func checkForConnection(h Header) error {
	if v := h["Upgrade"]; len(v) > 0 && v[0] != "" && v[0] != "chunked" {
		return fmt.Errorf("invalid Upgrade request header: %q", v)
	}
	if v := h["Transfer-Encoding"]; len(v) > 1 || len(v) == 1 && v[0] != "" && v[0] != "chunked" {
		return fmt.Errorf("invalid Transfer-Encoding request header: %q", v)
	}
	if v := h["Connection"]; len(v) > 1 || len(v) == 1 && v[0] != "" &&
		!equalFold(v[0], "close") && !equalFold(v[0], "keep-alive") {
		return fmt.Errorf("invalid Connection request header: %q", v)
	}
	return nil
}

// badName says what in a header cannot be sent.
func badName(h Header) string {
	for name, values := range h {
		if !isToken(name) && name != ":protocol" {
			return "name " + quote(name)
		}
		for _, v := range values {
			if !isFieldValue(v) {
				return "value for header " + quote(name)
			}
		}
	}
	return ""
}

// pathOf is what a request asks for.
func pathOf(r *Request, host string) (string, error) {
	isPath := func(s string) bool { return s == "*" || strings.HasPrefix(s, "/") }
	path := r.URL.RequestURI()
	if isPath(path) {
		return path, nil
	}
	short := strings.TrimPrefix(path, r.URL.Scheme+"://"+host)
	switch {
	case isPath(short):
		return short, nil
	case r.URL.Opaque != "":
		return "", fmt.Errorf("invalid request :path %q from URL.Opaque = %q", path, r.URL.Opaque)
	}
	return "", fmt.Errorf("invalid request :path %q", path)
}

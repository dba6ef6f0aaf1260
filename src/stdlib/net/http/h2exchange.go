package http

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http/httptrace"
	"net/http/internal/http2"
	"time"
)

// Requests of a client: how they begin, how their bodies are sent, and how they end.

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
	bodyToSend             io.ReadCloser
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

// carry sends a request and waits for the header of the answer.
func (c *h2client) carry(r *Request) (*Response, error) {
	ctx := r.Context()
	h := r.Header
	x := &h2exchange{
		c:          c,
		r:          r,
		ctx:        ctx,
		trace:      httptrace.ContextClientTrace(ctx),
		gotHead:    make(chan struct{}),
		aborted:    make(chan struct{}),
		done:       make(chan struct{}),
		isHead:     r.Method == MethodHead,
		bodyToSend: r.Body,
		reqLen:     realLength(r),
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
				give(errGivenUp)
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
	if err := ctx.Err(); err != nil && x.abortErr == err || x.abortErr == errGivenUp {
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
		return errGivenUp
	}
}

// answer gives the answer to who waits for it.
func (x *h2exchange) answer() (*Response, error) {
	resp := x.resp
	if resp.StatusCode > 299 {
		// The server will not care for the body.
		x.c.mu.Lock()
		x.shutBody()
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
	x.shutBody()
	x.c.giveUp(&x.h2half)
	x.c.room.Broadcast()
	if !x.uploads && x.id != 0 {
		x.finish(x.abortErr)
	}
}

// shutBody closes the request's body, which may take a while. The lock is held.
func (x *h2exchange) shutBody() {
	if x.bodyToSend == nil || x.bodyClosed != nil {
		return
	}
	closed := make(chan struct{})
	x.bodyClosed = closed
	go func() {
		x.bodyToSend.Close()
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
	if c.idleAlarm != nil {
		c.idleAlarm.Stop()
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
	x.shutBody()
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
		n, err := x.bodyToSend.Read(buf)
		if x.reqLen != -1 {
			if left -= int64(n); left == 0 && err == nil {
				var more [1]byte
				var n int
				n, err = x.bodyToSend.Read(more[:])
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
		x.shutBody()
		x.tell(err, closes)
		x.body.end(err, nil)
	} else {
		if x.sentHead && !x.sentEnd {
			c.control(http2.AppendReset(c.out, x.id, http2.NoError))
		}
		x.body.end(errGivenUp, nil)
	}
	x.cond.Broadcast()
	delete(c.streams, x.id)
	c.lastActive = time.Now()
	if len(c.streams) == 0 && c.idleAlarm != nil {
		c.idleAlarm.Reset(c.idleTime)
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

// h2buffer limits how much of a body is read at a time.
const h2buffer = 512 << 10

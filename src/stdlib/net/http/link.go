package http

// Connections of HTTP/1 to servers. A goroutine of each link reads: it gives the answer that comes
// next to the exchange that waits for it, waits until the answer's body has been read, and then
// gives the link back to the transport. What is written is written by who sends the request, in a
// goroutine of its own if there is a body.

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"time"
)

// link is a connection to a server, over which one request goes after another.
type link struct {
	t     *Transport
	route route
	// The host and port of the request for which it was made.
	target string
	conn   net.Conn
	tls    *tls.ConnectionState
	// What speaks another protocol over the connection, if the two have agreed on one.
	other RoundTripper
	in    *bufio.Reader
	out   *bufio.Writer
	// Requests are written for a proxy, which may want to be told who asks.
	byProxy          bool
	proxyCredentials string
	// For read: the request whose answer is next.
	next chan *exchange
	// Closed with the connection.
	closed chan struct{}
	// So many bytes may be read yet, and whether all have been.
	left   int64
	sawEnd bool
	// Under the lock of t.
	restsSince time.Time
	timer      *time.Timer

	// Of a ClientConn: none of the transport's. The channel has something when a request may begin.
	isOwned  bool
	free     chan struct{}
	onChange func()

	mu sync.Mutex
	// There is a place for a request, which has not begun; a request is under way.
	isReserved, hasRequest bool

	err     error
	cancel  error
	expects int
	wasUsed bool
	written int64
}

// exchange is a request under way.
type exchange struct {
	r      *Request
	ctx    context.Context
	cancel context.CancelCauseFunc
	trace  *httptrace.ClientTrace
	// We have asked for gzip; the program has not.
	wantsZip bool
	// True: the body may be sent.
	goOn   chan bool
	answer chan answer
	wrote  chan error
	// What writing gave, once it is over.
	isWritten chan struct{}
	writeErr  error
}

type answer struct {
	resp *Response
	err  error
}

// cause is why the request was cancelled; in place of our own word for it, another.
func (x *exchange) cause(instead error) error {
	err := context.Cause(x.ctx)
	if err == errGivenUp {
		return instead
	}
	return err
}

// serverError is an error of reading from the server.
type serverError struct{ error }

func (e serverError) Unwrap() error { return e.error }

// nothingWritten says that the server knows nothing of a request.
type nothingWritten struct{ error }

func (e nothingWritten) Unwrap() error { return e.error }

func (l *link) begin() {
	size := func(n int) int {
		if n > 0 {
			return n
		}
		return 4 << 10
	}
	l.in = bufio.NewReaderSize(linkReader{l}, size(l.t.ReadBufferSize))
	l.out = bufio.NewWriterSize(linkWriter{l}, size(l.t.WriteBufferSize))
	go l.read()
}

type linkReader struct{ l *link }

func (r linkReader) Read(p []byte) (n int, err error) {
	if r.l.left <= 0 {
		return 0, fmt.Errorf("read limit of %d bytes exhausted", r.l.t.maxHeader())
	}
	n, err = r.l.conn.Read(p[:min(int64(len(p)), r.l.left)])
	r.l.sawEnd = r.l.sawEnd || err == io.EOF
	r.l.left -= int64(n)
	return n, err
}

type linkWriter struct{ l *link }

func (w linkWriter) Write(p []byte) (n int, err error) {
	n, err = w.l.conn.Write(p)
	w.l.mu.Lock()
	w.l.written += int64(n)
	w.l.mu.Unlock()
	return n, err
}

func (w linkWriter) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(w.l.conn, r)
	w.l.mu.Lock()
	w.l.written += n
	w.l.mu.Unlock()
	return n, err
}

func (l *link) hasFailed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err != nil
}

// close closes the connection; the first reason counts.
func (l *link) close(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut(err)
}

// shut is close with the lock held.
func (l *link) shut(err error) {
	if l.err != nil {
		return
	}
	l.err = err
	if err != errGivenAway && l.other == nil {
		l.conn.Close()
	}
	close(l.closed)
	if !l.isOwned {
		go l.t.lost(l.route)
	}
}

func (l *link) cancelled(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cancel = err
	l.shut(errGivenUp)
}

func (l *link) traceGot(trace *httptrace.ClientTrace) {
	if trace == nil || trace.GotConn == nil {
		return
	}
	info := httptrace.GotConnInfo{Conn: l.conn, Reused: l.wasUsed}
	if info.WasIdle = l.wasUsed && !l.restsSince.IsZero(); info.WasIdle {
		info.IdleTime = time.Since(l.restsSince)
	}
	trace.GotConn(info)
}

// within waits so long for something to come, which is there mostly.
func within[T any](c <-chan T, d time.Duration) (got T, ok bool) {
	select {
	case got = <-c:
		return got, true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case got = <-c:
		return got, true
	case <-timer.C:
		return got, false
	}
}

// mayRetry says whether a request that failed may go over another connection.
func (l *link) mayRetry(r *Request, err error) bool {
	l.mu.Lock()
	reused := l.wasUsed
	l.mu.Unlock()
	if !reused {
		return false
	}
	if _, ok := err.(nothingWritten); ok {
		return r.lengthToSend() == 0 || r.GetBody != nil
	}
	_, isServers := err.(serverError)
	return r.canRepeat() && (isServers || err == errServerLeft)
}

// tell is what the caller of a request that failed is told.
func (l *link) tell(x *exchange, before int64, err error) error {
	// The request is the caller's again.
	<-x.isWritten
	l.mu.Lock()
	defer l.mu.Unlock()
	_, isServers := err.(serverError)
	_, isBody := x.writeErr.(bodyError)
	switch {
	case l.cancel != nil:
		return l.cancel
	case isBody:
		return x.writeErr.(bodyError).error
	case err == errServerLeft:
		return err
	case (isServers || l.err != nil) && l.written == before:
		return nothingWritten{err}
	case isServers:
		return err
	case l.err != nil:
		return fmt.Errorf("net/http: HTTP/1.x transport connection broken: %w", err)
	}
	return err
}

// exchange sends a request and waits for the header of its answer.
func (l *link) exchange(x *exchange) (*Response, error) {
	t := l.t
	l.mu.Lock()
	l.expects++
	before := l.written
	l.mu.Unlock()
	how := sending{byProxy: l.byProxy, extra: make(Header)}
	h := x.r.Header
	if l.proxyCredentials != "" {
		how.extra.Set("Proxy-Authorization", l.proxyCredentials)
	}
	if !t.DisableCompression && h.Get("Accept-Encoding") == "" && h.Get("Range") == "" && x.r.Method != MethodHead {
		x.wantsZip = true
		how.extra.Set("Accept-Encoding", "gzip")
	}
	if t.DisableKeepAlives && !x.r.asksToClose() && !(h.Get("Upgrade") != "" && listHas(h["Connection"], "Upgrade")) {
		how.extra.Set("Connection", "close")
	}
	if x.r.ProtoAtLeast(1, 1) && x.r.Body != nil && x.r.asksBeforeBody() {
		x.goOn = make(chan bool, 1)
		how.mayContinue = func() bool { return l.awaitContinue(x) }
	}
	x.isWritten = make(chan struct{})
	l.next <- x
	if x.r.Body == nil || x.r.Body == NoBody {
		// Nothing of the program's has to be waited for.
		stop := context.AfterFunc(x.ctx, func() {
			// The answer may come before all has been written.
			if err := x.cause(errGivenUp); err != errExchangeOver {
				l.cancelled(err)
			}
		})
		l.write(x, how)
		stop()
	} else {
		go l.write(x, how)
	}
	return l.await(x, before)
}

// write writes a request.
func (l *link) write(x *exchange, how sending) {
	defer close(x.isWritten)
	err := x.r.write(l.out, how)
	if err == nil {
		err = l.out.Flush()
	}
	x.writeErr = err
	if err != nil {
		x.r.shutBody()
		if e, ok := err.(bodyError); ok {
			err = e.error
		}
		l.close(err)
	}
	x.wrote <- err
}

func (l *link) await(x *exchange, before int64) (*Response, error) {
	var late <-chan time.Time
	wrote, done, closed := x.wrote, x.ctx.Done(), l.closed
	given := func(a answer) (*Response, error) {
		if a.err != nil {
			return nil, l.tell(x, before, a.err)
		}
		return a.resp, nil
	}
	for {
		select {
		case err := <-wrote:
			if err != nil {
				l.close(fmt.Errorf("write error: %w", err))
				return nil, l.tell(x, before, err)
			}
			wrote = nil
			if d := l.t.ResponseHeaderTimeout; d > 0 {
				timer := time.NewTimer(d)
				defer timer.Stop()
				late = timer.C
			}
		case a := <-x.answer:
			return given(a)
		case <-closed:
			select {
			case a := <-x.answer:
				return given(a)
			default:
			}
			return nil, l.tell(x, before, l.err)
		case <-late:
			l.close(errHeaderLate)
			return nil, errHeaderLate
		case <-done:
			select {
			case a := <-x.answer:
				return given(a)
			default:
			}
			l.cancelled(x.cause(errGivenUp))
			done = nil
		}
	}
}

// awaitContinue says whether the server wants the body.
func (l *link) awaitContinue(x *exchange) bool {
	var late <-chan time.Time
	if d := l.t.ExpectContinueTimeout; d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case yes := <-x.goOn:
		return yes
	case <-late:
		return true
	case <-l.closed:
		return false
	}
}

// isTimeout says whether text begins with the answer 408, by which servers say that they have waited
// long enough.
func isTimeout(text []byte) bool {
	return len(text) >= 12 && (text[7] == '0' || text[7] == '1') &&
		string(text[:7]) == "HTTP/1." && string(text[8:12]) == " 408"
}

// unasked closes the connection when something comes that nobody has asked for. The lock is held.
func (l *link) unasked(err error) {
	if l.err != nil {
		return
	}
	why := fmt.Errorf("readLoopPeekFailLocked: %w", err)
	text, _ := l.in.Peek(l.in.Buffered())
	isLate := isTimeout(text)
	if len(text) > 0 && !isLate {
		log.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=%v", text, err)
	}
	if isLate || err == io.EOF {
		why = errServerLeft
	}
	l.shut(why)
}

// read reads one answer after another, and notices when the server hangs up.
func (l *link) read() {
	why := errReaderEnds
	defer func() {
		l.close(why)
		l.t.unshelve(l)
		if l.onChange != nil {
			l.onChange()
		}
	}()
	for {
		l.left = l.t.maxHeader()
		_, err := l.in.Peek(1)
		l.mu.Lock()
		if l.expects == 0 {
			l.unasked(err)
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		x := <-l.next
		var resp *Response
		if err == nil {
			resp, err = l.readAnswer(x)
		} else {
			err = serverError{err}
			why = err
		}
		if err != nil {
			if l.left <= 0 {
				err = fmt.Errorf("net/http: server response headers exceeded %d bytes; aborted", l.t.maxHeader())
			}
			x.answer <- answer{err: err}
			return
		}
		l.left = noLimit
		l.mu.Lock()
		l.expects--
		l.mu.Unlock()
		if end := l.deliver(x, resp); end != nil {
			why = end
			return
		}
	}
}

// deliver gives an answer to who waits for it, and waits until its body has been read. The error
// says why the connection cannot be used again.
func (l *link) deliver(x *exchange, resp *Response) (end error) {
	_, isRaw := resp.Body.(io.Writer)
	alive := !resp.Close && !x.r.Close && resp.StatusCode > 199 && !isRaw && x.r.Method != MethodConnect
	keep := func() error {
		if !alive || l.sawEnd || !l.wroteAll(x) {
			return errReaderEnds
		}
		err := l.t.put(l)
		if x.trace != nil && x.trace.PutIdleConn != nil && err != errNotKept {
			x.trace.PutIdleConn(err)
		}
		return err
	}
	if x.r.Method == MethodHead || resp.ContentLength == 0 || isRaw {
		end = keep()
		x.answer <- answer{resp: resp}
		x.cancel(errExchangeOver)
		if isRaw {
			// It is the caller's from now on.
			end = errGivenAway
			l.close(end)
		}
		return end
	}
	ended, released := make(chan error, 1), make(chan struct{})
	b := &replyBody{body: resp.Body, ended: ended, released: released, link: l}
	resp.Body = b
	if x.wantsZip && takesZip(resp) {
		resp.Body = &unzipped{body: b}
	}
	length := resp.ContentLength
	x.answer <- answer{resp: resp}
	defer x.cancel(errExchangeOver)
	// Who has read the last byte goes on when the connection can be had again; who has not goes on
	// at once.
	release := sync.OnceFunc(func() { close(released) })
	defer release()
	select {
	case err := <-ended:
		if err == io.EOF {
			return keep()
		}
		release()
		if err == errBodyLeft && alive && length <= maxWaste && drains(b.body) {
			return keep()
		}
		return errReaderEnds
	case <-x.ctx.Done():
		l.cancelled(x.cause(errGivenUp))
		return errReaderEnds
	case <-l.closed:
		return errReaderEnds
	}
}

// A server may say that little more comes, or take the rest of a request, so much later.
const soon = 50 * time.Millisecond

// drains reads what is left of a body, if that is little and comes soon.
func drains(r io.Reader) bool {
	left := make(chan int64, 1)
	go func() {
		n, err := io.CopyN(io.Discard, r, maxWaste+1)
		if err != io.EOF {
			n = maxWaste + 1
		}
		left <- n
	}()
	n, ok := within(left, soon)
	return ok && n <= maxWaste
}

// wroteAll says whether the request has been sent, or nearly: an answer may come first.
func (l *link) wroteAll(x *exchange) bool {
	_, ok := within(x.isWritten, soon)
	return ok && x.writeErr == nil
}

// readAnswer reads the header of an answer, and those before it that are none yet.
func (l *link) readAnswer(x *exchange) (*Response, error) {
	if x.trace != nil && x.trace.GotFirstResponseByte != nil {
		x.trace.GotFirstResponseByte()
	}
	for isAsked := x.goOn != nil; ; {
		resp, err := ReadResponse(l.in, x.r)
		if err != nil {
			return nil, err
		}
		code := resp.StatusCode
		if isAsked && code == StatusContinue {
			if x.trace != nil && x.trace.Got100Continue != nil {
				x.trace.Got100Continue()
			}
			x.goOn <- true
			isAsked = false
		}
		if isEarly := code/100 == 1 && code != StatusSwitchingProtocols; isEarly {
			if err := l.early(x, resp); err != nil {
				return nil, err
			}
			continue
		}
		if isAsked {
			// The body is sent if the connection can go on only so.
			x.goOn <- !resp.Close && !x.r.Close
		}
		if switches(code, resp.Header) {
			resp.Body = &rawBody{ReadWriteCloser: l.conn, in: l.in}
		}
		resp.TLS = l.tls
		return resp, nil
	}
}

// early tells the trace of what comes before an answer, which is then no part of its header.
func (l *link) early(x *exchange, resp *Response) error {
	if x.trace == nil || x.trace.Got1xxResponse == nil {
		return nil
	}
	err := x.trace.Got1xxResponse(resp.StatusCode, textproto.MIMEHeader(resp.Header))
	if err == nil {
		l.left = l.t.maxHeader()
	}
	return err
}

// rawBody is a connection over which another protocol is spoken now.
type rawBody struct {
	io.ReadWriteCloser
	in *bufio.Reader
}

func (b *rawBody) Read(p []byte) (int, error) {
	if b.in != nil {
		if n := b.in.Buffered(); n > 0 {
			return b.in.Read(p[:min(len(p), n)])
		}
		b.in = nil
	}
	return b.ReadWriteCloser.Read(p)
}

func (b *rawBody) CloseWrite() error {
	if c, ok := b.ReadWriteCloser.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return fmt.Errorf("CloseWrite: %w", ErrNotSupported)
}

// replyBody tells the link when it has been read, or nobody wants it.
type replyBody struct {
	body     io.ReadCloser
	ended    chan error
	released chan struct{}
	link     *link

	mu     sync.Mutex
	closed bool
	err    error
}

func (b *replyBody) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// end tells it once.
func (b *replyBody) end(err error) {
	if b.ended != nil {
		b.ended <- err
		b.ended = nil
		if err == io.EOF || err == errBodyLeft {
			<-b.released
		}
	}
}

// state is why nothing can be read; nil if it can.
func (b *replyBody) state() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return errReadOnClosed
	}
	return b.err
}

func (b *replyBody) Read(p []byte) (int, error) {
	if err := b.state(); err != nil {
		return 0, err
	}
	n, err := b.body.Read(p)
	if err != nil {
		err = b.failed(err)
	}
	return n, err
}

// failed notes the first error, and gives it; that the request was given up is the better reason.
func (b *replyBody) failed(err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	b.end(err)
	b.err = err
	if given := holding(&b.link.mu, func() error { return b.link.cancel }); given != nil && err != io.EOF {
		b.err = given
	}
	return b.err
}

func (b *replyBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch was := b.closed; {
	case was:
		return nil
	case b.err != nil:
		b.closed = true
		return b.body.Close()
	}
	b.closed = true
	b.end(errBodyLeft)
	return nil
}

package http

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"path"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Answers over HTTP/1, as handlers see them. What is written goes through a buffer to an output; when
// that gets the first of it, or is told to go on without, it makes the head, and decides how the
// client knows where the answer ends.

// An answer shorter than this has its length in its header.
const beforeChunks = 2048

// response is a ResponseWriter: what handlers write goes through buf to out, and on to the connection.
type response struct {
	conn   *conn
	req    *Request
	coming *body
	buf    *bufio.Writer
	out    output

	// What the handler sees; once it has been asked for, out keeps its own.
	header   Header
	wasAsked bool
	hasHead  bool
	status   int
	// What the handler has said, −1 if nothing.
	length  int64
	written int64
	// Announced by the handler.
	trailers []string

	// The client speaks HTTP/1.0 and wants the connection kept; or it wants it closed.
	old, asked bool
	closing    bool
	readsOn    bool
	tooLarge   bool
	isDone     atomic.Bool

	expected    *expected
	continueMu  sync.Mutex
	mayContinue atomic.Bool

	notifyMu sync.Mutex
	notify   chan bool
	notified atomic.Bool

	// The context of the request, and what it is made of when it is first asked for.
	ctxMu  sync.Mutex
	base   context.Context
	ctx    context.Context
	stop   context.CancelFunc
	isOver bool
}

// context is the context of the request: from now on it must be known whether the client goes.
func (w *response) context() context.Context {
	w.ctxMu.Lock()
	defer w.ctxMu.Unlock()
	if w.ctx == nil {
		w.makeContext()
	}
	return w.ctx
}

func (w *response) makeContext() {
	w.ctx, w.stop = context.WithCancel(w.base)
	if w.isOver {
		w.stop()
		return
	}
	w.conn.in.ask()
}

// cancel ends the context: the handler has returned.
func (w *response) cancel() {
	w.ctxMu.Lock()
	stop := w.stop
	w.isOver = true
	w.ctxMu.Unlock()
	if stop != nil {
		stop()
	}
}

// expected is the body of a request whose client waits to be told that it may send it.
type expected struct {
	w        *response
	body     io.ReadCloser
	isClosed atomic.Bool
}

func (e *expected) Read(p []byte) (int, error) {
	if e.isClosed.Load() {
		return 0, ErrBodyReadAfterClose
	}
	if e.w.mayContinue.Load() {
		e.w.doContinue()
	}
	return e.body.Read(p)
}

func (e *expected) Close() error {
	e.w.noContinue(true)
	if wasClosed := e.isClosed.Swap(true); wasClosed {
		return nil
	}
	return e.body.Close()
}

// doContinue tells the client to go on, unless that has been told, or shall not be.
func (w *response) doContinue() {
	w.endWaiting(func() {
		w.conn.bufw.WriteString("HTTP/1.1 100 Continue\r\n\r\n")
		w.conn.bufw.Flush()
	})
}

// noContinue says that the client will not be told to go on; then its body need not be read.
func (w *response) noContinue(skips bool) {
	if w.expected == nil {
		return
	}
	w.endWaiting(func() {
		if skips {
			w.expected.isClosed.Store(true)
			w.closing = true
		}
	})
}

// endWaiting calls f if the client has waited until now.
func (w *response) endWaiting(f func()) {
	w.continueMu.Lock()
	defer w.continueMu.Unlock()
	if w.mayContinue.Load() {
		f()
		w.mayContinue.Store(false)
	}
}

// Header is what the handler changes; once the head is made, that does not count any more.
func (w *response) Header() Header {
	if w.hasHead && w.out.header == nil && !w.out.hasHead {
		w.out.header = w.header.Clone()
	}
	w.wasAsked = true
	return w.header
}

// warn logs what a handler does in vain, and where.
func (w *response) warn(what string) {
	w.conn.server.logf("http: %s from %s", what, caller())
}

// caller is what of the program called us.
func caller() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	f, more := frames.Next()
	for more && strings.HasPrefix(f.Function, "net/http.") {
		f, more = frames.Next()
	}
	return fmt.Sprintf("%s (%s:%d)", f.Function, path.Base(f.File), f.Line)
}

// checkCode panics if no answer has such a code: not three digits.
func checkCode(code int) {
	if 100 <= code && code <= 999 {
		return
	}
	panic(fmt.Sprintf("invalid WriteHeader code %v", code))
}

func (w *response) WriteHeader(code int) {
	switch {
	case w.conn.hijacked():
		w.warn("response.WriteHeader on hijacked connection")
		return
	case w.hasHead:
		w.warn("superfluous response.WriteHeader call")
		return
	}
	checkCode(code)
	isLast := code >= 200
	if isLast || code == StatusContinue {
		w.noContinue(isLast)
	}
	if !isLast && code != StatusSwitchingProtocols {
		w.writeEarly(code)
		return
	}
	w.status, w.hasHead = code, true
	if w.out.header == nil && w.wasAsked {
		w.out.header = w.header.Clone()
	}
	w.takeLength()
}

// writeEarly writes what comes before the answer.
func (w *response) writeEarly(code int) {
	out := w.conn.bufw
	w.writeStatus(out, code)
	w.header.WriteSubset(out, map[string]bool{"Content-Length": true, "Transfer-Encoding": true})
	out.WriteString("\r\n")
	out.Flush()
}

// takeLength takes the handler's word for how long the answer will be.
func (w *response) takeLength() {
	text := w.header.get("Content-Length")
	if text == "" {
		return
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		w.length = n
		return
	}
	w.conn.server.logf("http: invalid Content-Length of %q", text)
	w.header.Del("Content-Length")
}

func (w *response) writeStatus(b *bufio.Writer, code int) {
	line := "HTTP/1.0 "
	if w.req.ProtoAtLeast(1, 1) {
		if line = "HTTP/1.1 "; code == StatusOK {
			b.WriteString("HTTP/1.1 200 OK\r\n")
			return
		}
	}
	digits := strconv.Itoa(code)
	b.WriteString(line + digits + " " + orDefault(StatusText(code), "status code "+digits) + "\r\n")
}

func (w *response) Write(data []byte) (n int, err error) {
	if err := w.mayWrite(len(data)); err != nil || len(data) == 0 {
		return 0, err
	}
	return w.buf.Write(data)
}

func (w *response) WriteString(data string) (n int, err error) {
	if err := w.mayWrite(len(data)); err != nil || data == "" {
		return 0, err
	}
	return w.buf.WriteString(data)
}

// mayWrite says why so many bytes cannot be written; if they can, they count.
func (w *response) mayWrite(n int) error {
	isHijacked := w.conn.hijacked()
	if !isHijacked {
		w.noContinue(true)
		if !w.hasHead {
			w.WriteHeader(StatusOK)
		}
	}
	switch {
	case isHijacked && n > 0:
		w.warn("response.Write on hijacked connection")
		fallthrough
	case isHijacked:
		return ErrHijacked
	case n > 0 && !hasBody(w.status):
		return ErrBodyNotAllowed
	}
	if w.written += int64(n); n > 0 && w.length >= 0 && w.written > w.length {
		return ErrContentLength
	}
	return nil
}

// ReadFrom lets the connection read a file by itself.
func (w *response) ReadFrom(src io.Reader) (n int64, err error) {
	direct, ok := w.conn.conn.(io.ReaderFrom)
	if !ok {
		return io.Copy(struct{ io.Writer }{w}, src)
	}
	if !w.out.hasHead {
		// The type may have to be guessed.
		n, err = io.Copy(struct{ io.Writer }{w}, io.LimitReader(src, sniffed))
		if err != nil || n < sniffed {
			return n, err
		}
	}
	w.buf.Flush()
	w.out.flush()
	if w.out.isChunked || !hasBody(w.status) || w.req.Method == MethodHead {
		more, err := io.Copy(struct{ io.Writer }{w}, src)
		return n + more, err
	}
	from := src
	if w.length != -1 {
		from = io.LimitReader(src, w.length-w.written)
	}
	more, err := direct.ReadFrom(from)
	n += more
	w.written += more
	if err == nil && w.length != -1 && w.written == w.length {
		if extra, _ := src.Read(make([]byte, 1)); extra != 0 {
			err = ErrContentLength
		}
	}
	return n, err
}

func (w *response) Flush() { w.FlushError() }

func (w *response) FlushError() error {
	if !w.hasHead {
		w.WriteHeader(StatusOK)
	}
	return cmp.Or(w.buf.Flush(), w.out.flush())
}

func (w *response) SetReadDeadline(t time.Time) error {
	w.conn.ownDeadlines = false
	return w.conn.conn.SetReadDeadline(t)
}

func (w *response) SetWriteDeadline(t time.Time) error {
	w.conn.ownDeadlines = false
	return w.conn.conn.SetWriteDeadline(t)
}

func (w *response) EnableFullDuplex() error {
	w.readsOn = true
	return nil
}

// bodyIsTooLong is called by a body that is longer than it may be.
func (w *response) bodyIsTooLong() {
	w.closing = true
	w.tooLarge = true
	if !w.hasHead {
		w.Header().Set("Connection", "close")
	}
}

// Hijack gives the connection to the handler.
func (w *response) Hijack() (c net.Conn, buf *bufio.ReadWriter, err error) {
	w.use("Hijack")
	w.noContinue(false)
	if w.hasHead {
		w.out.flush()
	}
	if buf, err = w.conn.giveAway(); err == nil {
		c, w.buf = w.conn.conn, nil
	}
	return c, buf, err
}

// use panics if the handler has returned.
func (w *response) use(name string) {
	if w.isDone.Load() {
		panic("net/http: " + name + " called after ServeHTTP finished")
	}
}

// CloseNotify tells when the client has gone.
func (w *response) CloseNotify() <-chan bool {
	w.conn.in.ask()
	w.use("CloseNotify")
	return w.notice()
}

// notice is made when either end first needs it.
func (w *response) notice() chan bool {
	w.notifyMu.Lock()
	defer w.notifyMu.Unlock()
	if w.notify == nil {
		w.notify = make(chan bool, 1)
	}
	return w.notify
}

// tellGone tells it, once.
func (w *response) tellGone() {
	if !w.notified.Swap(true) {
		w.notice() <- true
	}
}

// finish sends what is left of the answer, and is done with the request.
func (w *response) finish() {
	w.isDone.Store(true)
	w.sendRest()
	w.conn.in.abort()
	w.noContinue(true)
	w.dropBody()
}

// dropBody does without what is left of the request, and the files that were made of it.
func (w *response) dropBody() {
	w.coming.atEnd(nil)
	w.coming.Close()
	if form := w.req.MultipartForm; form != nil {
		form.RemoveAll()
	}
}

func (w *response) sendRest() {
	if !w.hasHead {
		w.WriteHeader(StatusOK)
	}
	w.buf.Flush()
	w.out.close()
	w.conn.bufw.Flush()
}

// goesOn says whether another request may come.
func (w *response) goesOn() bool {
	isShort := w.req.Method != MethodHead && w.length != -1 && hasBody(w.status) && w.length != w.written
	return !w.closing && !isShort && w.conn.writeErr == nil && !w.coming.hasStopped()
}

// TrailerPrefix before a name says that the field is to come behind the body.
const TrailerPrefix = "Trailer:"

// behind has the fields that come behind the body.
func (w *response) behind() Header {
	var all Header
	add := func(name string, values []string) {
		if all == nil {
			all = make(Header)
		}
		all[name] = append(all[name], values...)
	}
	for key, values := range w.header {
		if name, ok := strings.CutPrefix(key, TrailerPrefix); ok {
			add(name, values)
		}
	}
	for _, name := range w.trailers {
		add(name, w.header[name])
	}
	return all
}

// output writes the head of an answer when the first of its body comes, and the body behind it.
type output struct {
	w         *response
	header    Header
	hasHead   bool
	isChunked bool
}

func (o *output) Write(p []byte) (n int, err error) {
	if !o.hasHead {
		o.writeHead(p)
	}
	if o.w.req.Method == MethodHead {
		return len(p), nil
	}
	to := o.w.conn.bufw
	if o.isChunked {
		n, err = writeChunk(to, p)
	} else {
		n, err = to.Write(p)
	}
	if err != nil {
		o.w.conn.conn.Close()
	}
	return n, err
}

// writeChunk relies on that the first error of a buffer stays.
func writeChunk(to *bufio.Writer, p []byte) (n int, err error) {
	to.WriteString(strconv.FormatInt(int64(len(p)), 16))
	to.WriteString("\r\n")
	n, _ = to.Write(p)
	_, err = to.WriteString("\r\n")
	return n, err
}

func (o *output) flush() error {
	if !o.hasHead {
		o.writeHead(nil)
	}
	return o.w.conn.bufw.Flush()
}

func (o *output) close() {
	if !o.hasHead {
		o.writeHead(nil)
	}
	if o.isChunked {
		to := o.w.conn.bufw
		to.WriteString("0\r\n")
		o.w.behind().Write(to)
		to.WriteString("\r\n")
	}
}

// lastDate is a second as it was last written.
var lastDate atomic.Pointer[writtenDate]

type writtenDate struct {
	second int64
	text   string
}

// date is the time as a header says it.
func date() string {
	now := time.Now()
	last := lastDate.Load()
	if last == nil || last.second != now.Unix() {
		last = &writtenDate{now.Unix(), now.UTC().Format(TimeFormat)}
		lastDate.Store(last)
	}
	return last.text
}

// head is the head of an answer in the making: what the handler has set, which is a copy of our own,
// and what is added.
type head struct {
	w      *response
	header Header
	code   int
	// What of the body is known; with the handler done, and nothing to come behind it, that is all.
	begin   []byte
	isWhole bool
	// The method, and the version, of the request.
	isHead, isTunnel, is11 bool
	// The encoding that the handler has set.
	ownEncoding string

	date, length, kind, connection, encoding string
}

// ending is how the client knows where the answer ends.
type ending uint8

const (
	// By the header; or there is no body.
	endsByHead ending = iota
	// Another protocol is spoken behind the head.
	endsNever
	endsByChunks
	endsWithConnection
)

// writeHead writes the head; begin is what of the body is known.
func (o *output) writeHead(begin []byte) {
	o.hasHead = true
	w := o.w
	h := head{w: w, header: o.header, code: w.status, begin: begin, is11: w.req.ProtoAtLeast(1, 1)}
	h.isHead = w.conn.method == MethodHead
	h.isTunnel = w.conn.method == MethodConnect && h.code/100 == 2
	h.ownEncoding = h.header.get("Transfer-Encoding")
	hasTrailer := h.takeTrailers()
	h.isWhole = w.isDone.Load() && !hasTrailer && h.ownEncoding == ""

	h.measure()
	isAlive := w.conn.server.keepsAlive()
	h.decideClosing(isAlive)
	if w.req.ContentLength != 0 && w.coming != nil && !w.closing && !w.readsOn {
		h.readRest()
	}
	h.describe()
	o.isChunked = h.end() == endsByChunks
	if !w.req.ProtoAtLeast(1, 0) {
		return
	}
	saysClose := isAlive && hasWord(h.header.get("Connection"), "close")
	if w.closing && !saysClose && !switches(h.code, h.header) {
		h.setConnection("")
		if h.is11 && !h.isTunnel {
			h.connection = "close"
		}
	}
	w.writeStatus(w.conn.bufw, h.code)
	h.header.Write(w.conn.bufw)
	h.writeAdded(w.conn.bufw)
}

// takeTrailers takes out what is to come behind the body, and notes what is announced.
func (h *head) takeTrailers() (has bool) {
	for name := range h.header {
		if strings.HasPrefix(name, TrailerPrefix) {
			delete(h.header, name)
			has = true
		}
	}
	for _, list := range h.header["Trailer"] {
		has = true
		eachElement(list, func(name string) {
			if name = CanonicalHeaderKey(name); isTrailer(name) {
				h.w.trailers = append(h.w.trailers, name)
			}
		})
	}
	return has
}

// measure knows the length if the handler has said nothing, and is done.
func (h *head) measure() {
	n := len(h.begin)
	if h.isWhole && hasBody(h.code) && !h.header.has("Content-Length") && (n > 0 || !h.isHead) {
		h.w.length = int64(n)
		h.length = strconv.Itoa(n)
	}
}

// decideClosing decides whether the connection ends with the answer, as far as the two ends want it.
func (h *head) decideClosing(isAlive bool) {
	w := h.w
	said := h.header.get("Connection")
	endsByHead := h.isHead || w.length != -1 || !hasBody(h.code)
	switch {
	case !w.old || !endsByHead:
		w.closing = w.closing || w.asked || !h.is11
	case !h.header.has("Connection"):
		h.connection = "keep-alive"
	case said == "keep-alive" && isAlive && h.header.get("Content-Length") != "":
		w.closing = false
	}
	isWaiting := w.expected != nil && w.coming.isLeft()
	if said == "close" || !isAlive || isWaiting || w.conn.method == MethodConnect {
		w.closing = true
	}
}

// readRest reads what the handler has left of the request, if that is not too much.
func (h *head) readRest() {
	w, b := h.w, h.w.coming
	b.mu.Lock()
	closed, sawEnd, left := b.closed, b.sawEnd, b.left
	b.mu.Unlock()
	if !closed && left >= maxWaste {
		w.bodyIsTooLong()
		h.setConnection("close")
		return
	}
	if !closed {
		b.Close()
		sawEnd = !b.hasStopped()
	}
	w.closing = w.closing || !sawEnd
}

func (h *head) setConnection(value string) {
	delete(h.header, "Connection")
	h.connection = value
}

// describe says what the body is, and when it was made.
func (h *head) describe() {
	isKnown := h.header.has("Content-Type") || h.header.Get("Content-Encoding") != "" || h.ownEncoding != ""
	switch {
	case h.code == StatusNotModified:
		delete(h.header, "Content-Type")
	case hasBody(h.code) && len(h.begin) > 0 && !isKnown:
		h.kind = DetectContentType(h.begin)
	}
	if !h.header.has("Date") {
		h.date = date()
	}
}

// end decides how the answer ends, and leaves those fields that say so.
func (h *head) end() ending {
	w := h.w
	hasLength := w.length != -1
	if hasLength && h.ownEncoding != "" && h.ownEncoding != "identity" {
		w.conn.server.logf("http: WriteHeader called with both Transfer-Encoding of %q and a Content-Length of %d",
			h.ownEncoding, w.length)
		delete(h.header, "Content-Length")
		hasLength = false
	}
	e := endsByChunks
	switch {
	case h.isTunnel:
		e = endsNever
	case h.isHead || hasLength || !hasBody(h.code):
		e = endsByHead
	case !h.is11 || h.ownEncoding == "identity":
		e = endsWithConnection
		w.closing = true
	default:
		h.encoding = "chunked"
	}
	if e != endsByChunks || h.ownEncoding == "chunked" {
		delete(h.header, "Transfer-Encoding")
	}
	if e == endsByChunks || e == endsNever || !hasBody(h.code) {
		delete(h.header, "Content-Length")
		h.length = ""
	}
	return e
}

// writeAdded writes what is added, and ends the head.
func (h *head) writeAdded(b *bufio.Writer) {
	for _, f := range [...]struct{ begin, value string }{
		{"Date: ", h.date},
		{"Content-Length: ", h.length},
		{"Content-Type: ", h.kind},
		{"Connection: ", h.connection},
		{"Transfer-Encoding: ", h.encoding},
	} {
		if f.value != "" {
			b.WriteString(f.begin)
			b.WriteString(f.value)
			b.WriteString("\r\n")
		}
	}
	b.WriteString("\r\n")
}

// isTrailer says whether a field may come behind the body. RFC 7230, section 4.1.2.
func isTrailer(name string) bool {
	if strings.HasPrefix(name, "If-") {
		return false
	}
	switch name {
	case "Authorization", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Range",
		"Content-Type", "Expect", "Host", "Keep-Alive", "Max-Forwards", "Pragma", "Proxy-Authenticate",
		"Proxy-Authorization", "Proxy-Connection", "Range", "Realm", "Te", "Trailer", "Transfer-Encoding",
		"Www-Authenticate":
		return false
	}
	return true
}

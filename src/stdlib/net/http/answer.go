package http

import (
	"bufio"
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

// An answer shorter than this has its length in its header.
const beforeChunks = 2048

// response is a ResponseWriter: what handlers write goes through buf to out, and on to the connection.
type response struct {
	conn    *conn
	req     *Request
	reqBody *body
	buf     *bufio.Writer
	out     output

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
	fullDuplex bool
	tooLarge   bool
	isDone     atomic.Bool

	expected    *expected
	continueMu  sync.Mutex
	mayContinue atomic.Bool

	notifyMu sync.Mutex
	notify   chan bool
	notified bool

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
		w.ctx, w.stop = context.WithCancel(w.base)
		if w.isOver {
			w.stop()
		} else {
			w.conn.in.ask()
		}
	}
	return w.ctx
}

// cancel ends the context: the handler has returned.
func (w *response) cancel() {
	w.ctxMu.Lock()
	w.isOver = true
	stop := w.stop
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
	w := e.w
	if w.mayContinue.Load() {
		w.continueMu.Lock()
		if w.mayContinue.Load() {
			w.conn.bufw.WriteString("HTTP/1.1 100 Continue\r\n\r\n")
			w.conn.bufw.Flush()
			w.mayContinue.Store(false)
		}
		w.continueMu.Unlock()
	}
	return e.body.Read(p)
}

func (e *expected) Close() error {
	e.w.noContinue(true)
	if e.isClosed.Swap(true) {
		return nil
	}
	return e.body.Close()
}

// noContinue says that the client will not be told to go on; then its body need not be read.
func (w *response) noContinue(skips bool) {
	if w.expected == nil {
		return
	}
	w.continueMu.Lock()
	defer w.continueMu.Unlock()
	if w.mayContinue.Swap(false) && skips {
		w.closing = true
		w.expected.isClosed.Store(true)
	}
}

func (w *response) Header() Header {
	if w.out.header == nil && w.hasHead && !w.out.hasHead {
		// What is changed from now on does not count.
		w.out.header = w.header.Clone()
	}
	w.wasAsked = true
	return w.header
}

// caller is what of the program called us.
func caller() string {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "net/http.") || !more {
			return fmt.Sprintf("%s (%s:%d)", f.Function, path.Base(f.File), f.Line)
		}
	}
}

func checkCode(code int) {
	if code < 100 || code > 999 {
		panic(fmt.Sprintf("invalid WriteHeader code %v", code))
	}
}

func (w *response) WriteHeader(code int) {
	if w.conn.hijacked() {
		w.conn.server.logf("http: response.WriteHeader on hijacked connection from %s", caller())
		return
	}
	if w.hasHead {
		w.conn.server.logf("http: superfluous response.WriteHeader call from %s", caller())
		return
	}
	checkCode(code)
	if code == StatusContinue || code >= 200 {
		w.noContinue(code >= 200)
	}
	if code < 200 && code != StatusSwitchingProtocols {
		// This comes before the answer.
		bufw := w.conn.bufw
		w.writeStatus(bufw, code)
		w.header.WriteSubset(bufw, map[string]bool{"Content-Length": true, "Transfer-Encoding": true})
		bufw.WriteString("\r\n")
		bufw.Flush()
		return
	}
	w.hasHead = true
	w.status = code
	if w.wasAsked && w.out.header == nil {
		w.out.header = w.header.Clone()
	}
	if text := w.header.get("Content-Length"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil && n >= 0 {
			w.length = n
		} else {
			w.conn.server.logf("http: invalid Content-Length of %q", text)
			w.header.Del("Content-Length")
		}
	}
}

func (w *response) writeStatus(b *bufio.Writer, code int) {
	if code == StatusOK && w.req.ProtoMajor == 1 && w.req.ProtoMinor == 1 {
		b.WriteString("HTTP/1.1 200 OK\r\n")
		return
	}
	version := "HTTP/1.0 "
	if w.req.ProtoAtLeast(1, 1) {
		version = "HTTP/1.1 "
	}
	if text := StatusText(code); text != "" {
		b.WriteString(version + strconv.Itoa(code) + " " + text + "\r\n")
	} else {
		fmt.Fprintf(b, "%s%03d status code %d\r\n", version, code, code)
	}
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

// mayWrite says why so many bytes cannot be written.
func (w *response) mayWrite(n int) error {
	if w.conn.hijacked() {
		if n > 0 {
			w.conn.server.logf("http: response.Write on hijacked connection from %s", caller())
		}
		return ErrHijacked
	}
	w.noContinue(true)
	if !w.hasHead {
		w.WriteHeader(StatusOK)
	}
	if n == 0 {
		return nil
	}
	if !hasBody(w.status) {
		return ErrBodyNotAllowed
	}
	w.written += int64(n)
	if w.length != -1 && w.written > w.length {
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
	return cmpError(w.buf.Flush(), w.out.flush())
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
	w.fullDuplex = true
	return nil
}

// requestTooLarge is called by a body that is longer than it may be.
func (w *response) requestTooLarge() {
	w.closing = true
	w.tooLarge = true
	if !w.hasHead {
		w.Header().Set("Connection", "close")
	}
}

func (w *response) Hijack() (c net.Conn, buf *bufio.ReadWriter, err error) {
	if w.isDone.Load() {
		panic("net/http: Hijack called after ServeHTTP finished")
	}
	w.noContinue(false)
	if w.hasHead {
		w.out.flush()
	}
	own := w.conn
	own.mu.Lock()
	defer own.mu.Unlock()
	if own.isHijacked {
		return nil, nil, ErrHijacked
	}
	own.in.abort()
	own.isHijacked = true
	own.conn.SetDeadline(time.Time{})
	if own.in.hasByte {
		if _, err := own.bufr.Peek(own.bufr.Buffered() + 1); err != nil {
			return nil, nil, fmt.Errorf("unexpected Peek failure reading buffered byte: %v", err)
		}
	}
	own.bufw.Reset(own.conn)
	own.setState(StateHijacked)
	w.buf = nil
	return own.conn, bufio.NewReadWriter(own.bufr, own.bufw), nil
}

func (w *response) CloseNotify() <-chan bool {
	w.conn.in.ask()
	w.notifyMu.Lock()
	defer w.notifyMu.Unlock()
	if w.isDone.Load() {
		panic("net/http: CloseNotify called after ServeHTTP finished")
	}
	if w.notify == nil {
		w.notify = make(chan bool, 1)
		if w.notified {
			w.notify <- true
		}
	}
	return w.notify
}

func (w *response) closeNotify() {
	w.notifyMu.Lock()
	defer w.notifyMu.Unlock()
	if w.notified {
		return
	}
	w.notified = true
	if w.notify != nil {
		w.notify <- true
	}
}

// finish sends what is left of the answer.
func (w *response) finish() {
	w.isDone.Store(true)
	if !w.hasHead {
		w.WriteHeader(StatusOK)
	}
	w.buf.Flush()
	w.out.close()
	w.conn.bufw.Flush()
	w.conn.in.abort()
	w.reqBody.atEnd(nil)
	w.noContinue(true)
	w.reqBody.Close()
	if w.req.MultipartForm != nil {
		w.req.MultipartForm.RemoveAll()
	}
}

// goesOn says whether another request may come.
func (w *response) goesOn() bool {
	isShort := w.req.Method != MethodHead && w.length != -1 && hasBody(w.status) && w.length != w.written
	return !w.closing && !isShort && w.conn.writeErr == nil && !w.reqBody.hasStopped()
}

// TrailerPrefix before a name says that the field is to come behind the body.
const TrailerPrefix = "Trailer:"

// behind has the fields that come behind the body.
func (w *response) behind() Header {
	t := make(Header)
	for name, values := range w.header {
		if rest, ok := strings.CutPrefix(name, TrailerPrefix); ok {
			t[rest] = values
		}
	}
	for _, name := range w.trailers {
		for _, v := range w.header[name] {
			t.Add(name, v)
		}
	}
	return t
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
	bufw := o.w.conn.bufw
	if o.isChunked {
		if _, err = bufw.WriteString(strconv.FormatInt(int64(len(p)), 16) + "\r\n"); err != nil {
			o.w.conn.conn.Close()
			return 0, err
		}
	}
	n, err = bufw.Write(p)
	if o.isChunked && err == nil {
		_, err = bufw.WriteString("\r\n")
	}
	if err != nil {
		o.w.conn.conn.Close()
	}
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
		bufw := o.w.conn.bufw
		bufw.WriteString("0\r\n")
		o.w.behind().Write(bufw)
		bufw.WriteString("\r\n")
	}
}

// head is the head of an answer in the making.
type head struct {
	header Header
	// Not to be sent, where the header is the handler's own.
	without map[string]bool
	isOwn   bool
	// What is added.
	length, contentType, connection, encoding string
	date                                      string
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
	second := now.Unix()
	if last := lastDate.Load(); last != nil && last.second == second {
		return last.text
	}
	text := now.UTC().Format(TimeFormat)
	lastDate.Store(&writtenDate{second, text})
	return text
}

func (h *head) drop(name string) {
	if h.isOwn {
		h.header.Del(name)
		return
	}
	if _, ok := h.header[name]; ok {
		h.leaveOut(name)
	}
}

func (h *head) leaveOut(name string) {
	if h.without == nil {
		h.without = make(map[string]bool)
	}
	h.without[name] = true
}

// writeHead writes the head; begin is what of the body is known.
func (o *output) writeHead(begin []byte) {
	o.hasHead = true
	w := o.w
	alive := w.conn.server.keepsAlive()
	isHead, isConnect := w.conn.method == MethodHead, w.conn.method == MethodConnect
	is11 := w.req.ProtoAtLeast(1, 1)
	code := w.status
	h := head{header: o.header, isOwn: o.header != nil}
	if !h.isOwn {
		h.header = w.header
	}

	hasTrailer := false
	for name := range o.header {
		if strings.HasPrefix(name, TrailerPrefix) {
			h.leaveOut(name)
			hasTrailer = true
		}
	}
	for _, v := range o.header["Trailer"] {
		hasTrailer = true
		eachElement(v, func(name string) {
			if name = CanonicalHeaderKey(name); isTrailer(name) {
				w.trailers = append(w.trailers, name)
			}
		})
	}

	encoding := h.header.get("Transfer-Encoding")
	hasEncoding := encoding != ""
	isWhole := w.isDone.Load() && !hasTrailer && !hasEncoding && hasBody(code)
	if isWhole && !h.header.has("Content-Length") && (!isHead || len(begin) > 0) {
		w.length = int64(len(begin))
		h.length = strconv.Itoa(len(begin))
	}
	hasLength := w.length != -1

	if w.old && alive && h.header.get("Content-Length") != "" && h.header.get("Connection") == "keep-alive" {
		w.closing = false
	}
	if w.old && (isHead || hasLength || !hasBody(code)) {
		if _, isSet := h.header["Connection"]; !isSet {
			h.connection = "keep-alive"
		}
	} else if !is11 || w.asked {
		w.closing = true
	}
	if h.header.get("Connection") == "close" || !alive || isConnect || w.expected != nil && w.reqBody.isLeft() {
		w.closing = true
	}
	if w.req.ContentLength != 0 && w.reqBody != nil && !w.closing && !w.fullDuplex {
		o.readRest(&h)
	}

	if !hasBody(code) {
		h.drop("Content-Length")
		h.drop("Transfer-Encoding")
		if code == StatusNotModified {
			h.drop("Content-Type")
		}
	} else if h.header.Get("Content-Encoding") == "" && !h.header.has("Content-Type") && !hasEncoding && len(begin) > 0 {
		h.contentType = DetectContentType(begin)
	}
	if !h.header.has("Date") {
		h.date = date()
	}
	if hasLength && hasEncoding && encoding != "identity" {
		w.conn.server.logf("http: WriteHeader called with both Transfer-Encoding of %q and a Content-Length of %d",
			encoding, w.length)
		h.drop("Content-Length")
		hasLength = false
	}

	isTunnel := isConnect && code/100 == 2
	switch {
	case isTunnel:
		h.drop("Transfer-Encoding")
		h.drop("Content-Length")
		h.length = ""
	case isHead || !hasBody(code) || hasLength:
		h.drop("Transfer-Encoding")
	case !is11:
		// The end of the connection is the end of the answer.
		w.closing = true
		h.drop("Transfer-Encoding")
	case hasEncoding && encoding == "identity":
		w.closing = true
		h.drop("Transfer-Encoding")
	default:
		o.isChunked = true
		h.encoding = "chunked"
		if encoding == "chunked" {
			h.drop("Transfer-Encoding")
		}
		h.drop("Content-Length")
	}
	if !w.req.ProtoAtLeast(1, 0) {
		return
	}
	if w.closing && (!alive || !hasToken(o.header.get("Connection"), "close")) && !switches(code, h.header) {
		h.drop("Connection")
		h.connection = ""
		if is11 && !isTunnel {
			h.connection = "close"
		}
	}
	w.writeStatus(w.conn.bufw, code)
	o.header.WriteSubset(w.conn.bufw, h.without)
	h.writeRest(w.conn.bufw)
}

// readRest reads what the handler has left of the request, if that is not too much.
func (o *output) readRest(h *head) {
	w, b := o.w, o.w.reqBody
	b.mu.Lock()
	isClosed, sawEnd := b.closed, b.sawEnd
	isLong := b.limited != nil && b.limited.N >= maxWaste
	b.mu.Unlock()
	switch {
	case isClosed:
		w.closing = w.closing || !sawEnd
	case isLong:
		w.requestTooLarge()
		h.drop("Connection")
		h.connection = "close"
	default:
		b.Close()
		w.closing = w.closing || b.hasStopped()
	}
}

func (h *head) writeRest(b *bufio.Writer) {
	var text string
	if h.date != "" {
		text = "Date: " + h.date + "\r\n"
	}
	if h.length != "" {
		text += "Content-Length: " + h.length + "\r\n"
	}
	if h.contentType != "" {
		text += "Content-Type: " + h.contentType + "\r\n"
	}
	if h.connection != "" {
		text += "Connection: " + h.connection + "\r\n"
	}
	if h.encoding != "" {
		text += "Transfer-Encoding: " + h.encoding + "\r\n"
	}
	b.WriteString(text + "\r\n")
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

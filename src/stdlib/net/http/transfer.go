package http

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"internal/chunked"
	"internal/godebug"
	"io"
	"maps"
	"math"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Where bodies begin and end: RFC 9112, section 6. A message that is sent has a framing, which is
// settled before its first field is written. One that comes in is looked at once its header has been
// read; its body then knows itself where it ends.

func isChunked(encodings []string) bool { return len(encodings) > 0 && encodings[0] == "chunked" }

// hasBody says whether an answer with that status may have one.
func hasBody(status int) bool {
	return status/100 != 1 && status != StatusNoContent && status != StatusNotModified
}

// isFraming says whether a field must not come behind the body.
func isFraming(name string) bool {
	return name == "Transfer-Encoding" || name == "Trailer" || name == "Content-Length"
}

// wire is what a message is written to, up to the first error.
type wire struct {
	io.Writer
	trace *httptrace.ClientTrace
	err   error
}

func (w *wire) text(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.Writer, s)
	}
}

func (w *wire) field(name, value string) {
	w.text(name + ": " + value + "\r\n")
	if w.err == nil && w.trace != nil && w.trace.WroteHeaderField != nil {
		w.trace.WroteHeaderField(name, []string{value})
	}
}

func (w *wire) fields(h Header, without map[string]bool) {
	if w.err == nil {
		w.err = h.write(w.Writer, without, w.trace)
	}
}

// flush sends what has been written, if somebody holds it back.
func (w *wire) flush() error {
	if b, ok := w.Writer.(*bufio.Writer); ok && w.err == nil {
		w.err = b.Flush()
	}
	return w.err
}

// framing is how a body is sent.
type framing struct {
	method     string
	header     Header
	trailer    Header
	body       io.Reader
	closer     io.Closer
	isResponse bool
	// The answer to HEAD has none.
	noBody    bool
	isChunked bool
	// −1 if it is not known; and whether there is a field that tells it.
	length      int64
	tellsLength bool
	closes      bool
	// Send the header before the body is asked for.
	flushHeader bool
	// What reading the body gave.
	readErr error
}

// framing decides how the body of a request is sent.
func (r *Request) framing() (*framing, error) {
	if r.ContentLength != 0 && r.Body == nil {
		return nil, fmt.Errorf("http: Request.ContentLength=%d with nil Body", r.ContentLength)
	}
	f := framing{method: orDefault(r.Method, MethodGet), header: r.Header, trailer: r.Trailer, closes: r.Close}
	f.isChunked, f.length = isChunked(r.TransferEncoding), r.lengthToSend()
	if r.Body != nil {
		f.body, f.closer = r.Body, r.Body
	}
	if f.length < 0 && len(r.TransferEncoding) == 0 && f.method != MethodConnect {
		f.isChunked = true
		if slices.Contains(bodiless[:], f.method) {
			f.probe()
		}
	}
	if f.length != 0 && !isInMemory(f.body) {
		f.flushHeader = true
	}
	return &f, f.settle(true, r.TransferEncoding)
}

// bodiless are the methods whose requests usually have no body: some servers refuse those that do.
var bodiless = [...]string{MethodGet, MethodHead, MethodDelete, MethodOptions, "PROPFIND", "SEARCH"}

// framing decides how the body of a response is sent.
func (r *Response) framing() (*framing, error) {
	f := framing{isResponse: true, header: r.Header, trailer: r.Trailer, closes: r.Close}
	f.isChunked, f.length = isChunked(r.TransferEncoding), r.ContentLength
	if r.Body != nil {
		f.body, f.closer = r.Body, r.Body
	}
	if r.Request != nil {
		f.method = r.Request.Method
		f.noBody = f.method == MethodHead
	}
	return &f, f.settle(r.ProtoAtLeast(1, 1), r.TransferEncoding)
}

// settle makes what was asked for agree with what there is.
func (f *framing) settle(is11 bool, encodings []string) error {
	isPlain := len(encodings) == 1 && encodings[0] == "identity"
	if f.noBody {
		f.body = nil
	} else if f.body == nil {
		f.length = 0
	}
	if canEncode := f.noBody || is11 && f.body != nil; !canEncode {
		f.isChunked, isPlain = false, false
	}
	if f.isChunked {
		f.length = -1
	} else {
		f.trailer = nil
	}
	switch f.method {
	case MethodPost, MethodPut, MethodPatch:
		f.tellsLength = f.length >= 0
	case MethodGet, MethodHead:
		f.tellsLength = f.length > 0
	default:
		f.tellsLength = f.length > 0 || f.length == 0 && isPlain
	}
	if bad := badField(f.trailer); bad != "" {
		return fmt.Errorf("net/http: invalid trailer %s", bad)
	}
	return nil
}

// probe finds out whether there is a body where there usually is none, unless that takes long.
func (f *framing) probe() {
	first := make(chan firstByte, 1)
	go func(body io.Reader) {
		var b firstByte
		b.n, b.err = body.Read(b.text[:])
		first <- b
	}(f.body)
	p := &probed{rest: f.body, first: first}
	f.body = p
	patience := time.NewTimer(200 * time.Millisecond)
	defer patience.Stop()
	select {
	case p.got = <-first:
		p.first = nil
		if p.got.n == 0 && p.got.err == io.EOF {
			f.body, f.length, f.isChunked = nil, 0, false
		}
	case <-patience.C:
		f.flushHeader = true
	}
}

// firstByte is what the first Read gave.
type firstByte struct {
	text [1]byte
	n    int
	err  error
}

// probed is a body whose first byte was, or is still, read by somebody else.
type probed struct {
	// Nil once it has come.
	first <-chan firstByte
	got   firstByte
	rest  io.Reader
}

func (p *probed) Read(b []byte) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	if p.first != nil {
		p.got = <-p.first
		p.first = nil
	}
	switch {
	case p.got.n > 0:
		p.got.n = 0
		return copy(b, p.got.text[:]), nil
	case p.got.err != nil:
		return 0, p.got.err
	}
	return p.rest.Read(b)
}

// bare is what is below a body as transports and io.NopCloser wrap it.
func bare(r io.Reader) (inner io.Reader, tracked *trackedBody) {
	for {
		if t, ok := r.(*trackedBody); ok {
			r, tracked = t.ReadCloser, t
		} else if below, ok := io_underNop(r); ok {
			r = below
		} else {
			return r, tracked
		}
	}
}

// isInMemory says whether reading does not wait.
func isInMemory(r io.Reader) bool {
	r, _ = bare(r)
	switch r.(type) {
	case *strings.Reader, *bytes.Reader, *bytes.Buffer:
		return true
	}
	return false
}

// io_underNop is what io.NopCloser was given.
func io_underNop(r io.Reader) (io.Reader, bool)

// writeFields writes the fields that say how the body is sent.
func (f *framing) writeFields(w *wire) error {
	if f.closes && !hasWord(f.header.Get("Connection"), "close") {
		w.field("Connection", "close")
	}
	if f.tellsLength {
		w.field("Content-Length", strconv.FormatInt(f.length, 10))
	} else if f.isChunked {
		w.field("Transfer-Encoding", "chunked")
	}
	if w.err != nil || len(f.trailer) == 0 {
		return w.err
	}
	var names []string
	for name := range f.trailer {
		names = append(names, CanonicalHeaderKey(name))
	}
	if i := slices.IndexFunc(names, isFraming); i >= 0 {
		return badString("invalid Trailer key", names[i])
	}
	slices.Sort(names)
	w.field("Trailer", strings.Join(names, ","))
	return w.err
}

// sendBody closes it, too.
func (f *framing) sendBody(to io.Writer) error {
	var n int64
	var err error
	if f.body != nil {
		n, err = f.copyBody(to)
	}
	if f.closer != nil {
		err = cmp.Or(err, f.closer.Close())
	}
	switch {
	case err != nil || f.noBody:
	case f.isChunked:
		w := wire{Writer: to}
		w.fields(f.trailer, nil)
		w.text("\r\n")
		err = w.err
	case f.length != -1 && f.length != n:
		err = fmt.Errorf("http: ContentLength=%d with Body length %d", f.length, n)
	}
	return err
}

// copyBody gives the number of bytes there were, which may be more than are sent.
func (f *framing) copyBody(to io.Writer) (n int64, err error) {
	body, tracked := bare(f.body)
	if tracked != nil {
		tracked.isBegun = true
	}
	buffered, isBuffered := to.(*bufio.Writer)
	switch {
	case f.isChunked && isBuffered && !f.isResponse:
		to = chunked.Flushed{Writer: buffered}
	case !f.isChunked && f.length == -1 && isBuffered && f.method == MethodConnect:
		to = flushing{buffered}
	}
	if f.isChunked {
		pieces := chunked.NewWriter(to)
		if _, err = f.copy(pieces, body); err == nil {
			err = pieces.Close()
		}
		return 0, err
	}
	if f.length == -1 {
		return f.copy(to, body)
	}
	n, err = f.copy(to, io.LimitReader(body, f.length))
	if err == nil {
		var more int64
		more, err = f.copy(io.Discard, body)
		n += more
	}
	return n, err
}

func (f *framing) copy(to io.Writer, from io.Reader) (n int64, err error) {
	if n, err = io.Copy(to, from); err != nil {
		f.readErr = err
	}
	return n, err
}

// flushing flushes what is written at once.
type flushing struct{ w *bufio.Writer }

func (f flushing) Write(p []byte) (n int, err error) {
	n, err = f.w.Write(p)
	if n > 0 {
		err = cmp.Or(err, f.w.Flush())
	}
	return n, err
}

// message is what must be known of a request or a response to find its body; its fields that say
// where it ends, and are only for that, are taken out.
type message struct {
	isResponse   bool
	status       int
	method       string
	major, minor int
	header       Header
	// The connection ends with it.
	closes bool
	// Fields that are to come behind the body, and where they go.
	announced Header
	trailer   *Header
	// Set by find.
	body     io.ReadCloser
	length   int64
	encoding []string
}

// unsupported is an encoding that is not spoken here.
type unsupported struct{ text string }

func (e *unsupported) Error() string { return e.text }

func (r *Request) readFraming(b *bufio.Reader, maxFields int64) error {
	m := message{
		status: StatusOK, method: r.Method, major: r.ProtoMajor, minor: r.ProtoMinor,
		header: r.Header, closes: r.Close, trailer: &r.Trailer,
	}
	if err := m.find(b, maxFields); err != nil {
		return err
	}
	r.Body, r.ContentLength, r.TransferEncoding = m.body, m.length, m.encoding
	r.Close, r.Trailer = m.closes, m.announced
	return nil
}

func (r *Response) readFraming(b *bufio.Reader) error {
	m := message{
		isResponse: true, status: r.StatusCode, method: MethodGet, major: r.ProtoMajor, minor: r.ProtoMinor,
		header: r.Header, trailer: &r.Trailer,
	}
	if r.Request != nil {
		m.method = r.Request.Method
	}
	if m.closes = closes(m.major, m.minor, m.header); m.closes && r.ProtoAtLeast(1, 1) {
		m.header.Del("Connection")
	}
	if err := m.find(b, math.MaxInt64); err != nil {
		return err
	}
	r.Body, r.ContentLength, r.TransferEncoding = m.body, m.length, m.encoding
	r.Close, r.Trailer = m.closes, m.announced
	return nil
}

// find finds the body, by the first that holds: it comes in pieces, its length is told, it ends with
// the connection; a request whose length is not told has none, nor have some responses in any case.
func (m *message) find(b *bufio.Reader, maxFields int64) error {
	isChunked, err := m.takeEncoding()
	if err != nil {
		return err
	}
	length, err := m.toldLength()
	if err != nil {
		return err
	}
	if isChunked {
		m.encoding = []string{"chunked"}
		if m.announced, err = m.takeTrailer(maxFields); err != nil {
			return err
		}
	}
	m.body = NoBody
	switch isHead := m.isResponse && m.method == MethodHead; {
	case isHead:
		m.length = length
	case m.isResponse && !hasBody(m.status):
	case isChunked:
		delete(m.header, "Content-Length")
		m.length = -1
		m.body = &body{
			from: chunked.NewReader(b), left: -1, closes: m.closes,
			pieces: b, trailer: m.trailer, maxFields: maxFields,
		}
	case length == 0:
	case length > 0:
		m.length = length
		m.body = &body{from: b, left: length, closes: m.closes}
	case m.isResponse || m.header.has("Content-Length"):
		m.length = -1
		if m.closes = m.closes || m.isResponse; m.closes {
			m.body = &body{from: b, left: -1, closes: true}
		}
	}
	return nil
}

// takeEncoding says whether the body comes in pieces.
func (m *message) takeEncoding() (isChunked bool, err error) {
	all, isSet := m.header["Transfer-Encoding"]
	if !isSet {
		return false, nil
	}
	delete(m.header, "Transfer-Encoding")
	isOld := m.major == 1 && m.minor == 0 || m.major == 0 && m.minor > 0
	switch n := len(all); {
	case isOld:
		return false, nil
	case n != 1:
		return false, &unsupported{fmt.Sprintf("too many transfer encodings: %q", all)}
	case !equalFold(all[0], "chunked"):
		return false, &unsupported{fmt.Sprintf("unsupported transfer encoding: %q", all[0])}
	}
	return true, nil
}

// toldLength is −1 if there is none. Several are one if they say the same.
func (m *message) toldLength() (int64, error) {
	all := m.header["Content-Length"]
	if len(all) == 0 {
		return -1, nil
	}
	text := textproto.TrimString(all[0])
	isOther := func(s string) bool { return textproto.TrimString(s) != text }
	if slices.ContainsFunc(all, isOther) {
		return 0, fmt.Errorf("http: message cannot contain multiple Content-Length headers; got %q", all)
	}
	if len(all) > 1 {
		m.header["Content-Length"] = []string{text}
	}
	n, err := strconv.ParseUint(text, 10, 63)
	switch {
	case err == nil:
		return int64(n), nil
	case text != "":
		return -1, badString("bad Content-Length", text)
	case godebug.Is("httplaxcontentlength", "1"):
		return -1, nil
	}
	return -1, badString("invalid empty Content-Length", text)
}

// takeTrailer has the names of fields that are to come behind the body.
func (m *message) takeTrailer(maxFields int64) (trailer Header, err error) {
	list := strings.Join(m.header["Trailer"], ",")
	delete(m.header, "Trailer")
	if int64(strings.Count(list, ",")) >= maxFields {
		return nil, errLongHead
	}
	eachElement(list, func(name string) {
		name = CanonicalHeaderKey(name)
		switch {
		case err != nil:
		case isFraming(name):
			trailer, err = nil, badString("bad trailer key", name)
		case trailer == nil:
			trailer = make(Header)
			fallthrough
		default:
			trailer[name] = nil
		}
	})
	return trailer, err
}

// closes says whether a connection ends with the message.
func closes(major, minor int, h Header) bool {
	connection := h["Connection"]
	isOld := major == 1 && minor == 0
	return major < 1 || listHas(connection, "close") || isOld && !listHas(connection, "keep-alive")
}

// fixPragma understands what HTTP/1.0 said in place of Cache-Control.
func (h Header) fixPragma() {
	if h.get("Pragma") == "no-cache" && !h.has("Cache-Control") {
		h["Cache-Control"] = []string{"no-cache"}
	}
}

// So many bytes that nobody has read are thrown away at most, to keep a connection.
const maxWaste = 256 << 10

// body is a body that is read.
type body struct {
	from io.Reader
	// How many bytes are to come; −1 if that is not known.
	left int64
	// The connection ends with it.
	closes bool
	// Of one in pieces: where they come from, and where what is behind them goes.
	pieces    *bufio.Reader
	trailer   *Header
	maxFields int64

	mu     sync.Mutex
	sawEnd bool
	closed bool
	// Close need not read everything, and has not.
	mayStop bool
	stopped bool
	onEnd   func()
}

func (b *body) Read(p []byte) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.read(p)
}

// read reads with the lock held.
func (b *body) read(p []byte) (n int, err error) {
	if b.closed {
		return 0, ErrBodyReadAfterClose
	}
	if b.sawEnd {
		return 0, io.EOF
	}
	isCounted := b.left >= 0
	if isCounted {
		p = p[:min(int64(len(p)), b.left)]
	}
	n, err = b.from.Read(p)
	if isCounted {
		if b.left -= int64(n); b.left == 0 && err == nil {
			err = io.EOF
		}
	}
	if err != io.EOF {
		return n, err
	}
	if b.pieces != nil {
		if bad := b.takeBehind(); bad != nil {
			b.closed = true
			return n, bad
		}
	}
	b.sawEnd = true
	if b.onEnd != nil {
		b.onEnd()
	}
	if b.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

var errNoTrailer = errors.New("http: unexpected EOF reading trailer")

// takeBehind reads what is behind the last piece, and up to the empty line.
func (b *body) takeBehind() error {
	in := b.pieces
	begin, err := in.Peek(2)
	if err != nil {
		return errNoTrailer
	}
	if string(begin) == "\r\n" {
		in.Discard(2)
		return nil
	}
	// All of it must fit into the buffer.
	for isWhole := false; !isWhole; {
		have, _ := in.Peek(in.Buffered())
		if isWhole = bytes.Contains(have, []byte("\r\n\r\n")); isWhole {
			break
		}
		if _, err = in.Peek(len(have) + 1); err != nil {
			return errors.New("http: suspiciously long trailer after chunked body")
		}
	}
	h, err := textproto_readFields(textproto.NewReader(in), math.MaxInt64, b.maxFields)
	switch {
	case err == io.EOF:
		return errNoTrailer
	case err != nil:
		return err
	case *b.trailer == nil:
		*b.trailer = Header(h)
	default:
		maps.Copy(*b.trailer, h)
	}
	return nil
}

// unread is a body whose lock is held.
type unread struct{ b *body }

func (u unread) Read(p []byte) (int, error) { return u.b.read(p) }

// Close reads what is left, so that the connection can go on.
func (b *body) Close() (err error) {
	b.look(func() bool {
		mustEnd := b.pieces != nil || !b.closes
		if mustEnd && !b.sawEnd && !b.closed {
			err = b.skip()
		}
		b.closed = true
		return true
	})
	return err
}

// skip stops where what is left is too much, if it may.
func (b *body) skip() error {
	most := int64(math.MaxInt64 - 1)
	if b.mayStop {
		most = maxWaste
	}
	var err error
	if b.left <= most {
		if _, err = io.CopyN(io.Discard, unread{b}, most+1); err == io.EOF {
			return nil
		}
	}
	b.stopped = b.mayStop
	return err
}

// look tells something of a body; there may be none.
func (b *body) look(at func() bool) bool {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		return at()
	}
	return false
}

func (b *body) hasStopped() bool { return b.look(func() bool { return b.stopped }) }

func (b *body) isLeft() bool { return b.look(func() bool { return !b.sawEnd }) }

// atEnd sets what is called when all has been read.
func (b *body) atEnd(f func()) {
	b.look(func() bool {
		b.onEnd = f
		return true
	})
}

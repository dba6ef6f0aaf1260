package http

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"internal/chunked"
	"internal/godebug"
	"io"
	"maps"
	"math"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Where bodies begin and end: RFC 9112, section 6.

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
	isPlain   bool
	// −1 if it is not known.
	length int64
	closes bool
	// Send the header before the body is asked for.
	flushHeader bool
	// What reading the body gave.
	readErr error
	// The first byte of a body, where we did not know whether there is one.
	first chan firstByte
}

func isChunked(encodings []string) bool { return len(encodings) > 0 && encodings[0] == "chunked" }

func (f *framing) encode(encodings []string) {
	f.isChunked = isChunked(encodings)
	f.isPlain = len(encodings) == 1 && encodings[0] == "identity"
}

// framing decides how the body of a request is sent.
func (r *Request) framing() (*framing, error) {
	if r.ContentLength != 0 && r.Body == nil {
		return nil, fmt.Errorf("http: Request.ContentLength=%d with nil Body", r.ContentLength)
	}
	f := &framing{
		method:  orDefault(r.Method, MethodGet),
		header:  r.Header,
		trailer: r.Trailer,
		length:  r.outgoingLength(),
		closes:  r.Close,
	}
	if r.Body != nil {
		f.body, f.closer = r.Body, r.Body
	}
	f.encode(r.TransferEncoding)
	if f.length < 0 && len(r.TransferEncoding) == 0 && f.method != MethodConnect {
		f.isChunked = true
		switch f.method {
		case MethodGet, MethodHead, MethodDelete, MethodOptions, "PROPFIND", "SEARCH":
			f.probe()
			f.isChunked = f.body != nil
		}
	}
	f.flushHeader = f.flushHeader || f.length != 0 && !isInMemory(f.body)
	return f, f.settle(true)
}

// framing decides how the body of a response is sent.
func (r *Response) framing() (*framing, error) {
	f := &framing{
		isResponse: true,
		header:     r.Header,
		trailer:    r.Trailer,
		length:     r.ContentLength,
		closes:     r.Close,
	}
	if r.Body != nil {
		f.body, f.closer = r.Body, r.Body
	}
	if r.Request != nil {
		f.method = r.Request.Method
	}
	f.encode(r.TransferEncoding)
	f.noBody = f.method == MethodHead
	return f, f.settle(r.ProtoAtLeast(1, 1))
}

func (f *framing) settle(is11 bool) error {
	if f.noBody {
		f.body = nil
	} else if !is11 || f.body == nil {
		f.isChunked, f.isPlain = false, false
	}
	switch {
	case f.isChunked:
		f.length = -1
	case f.body == nil && !f.noBody:
		f.length = 0
	}
	if !f.isChunked {
		f.trailer = nil
	}
	if bad := badField(f.trailer); bad != "" {
		return fmt.Errorf("net/http: invalid trailer %s", bad)
	}
	return nil
}

type firstByte struct {
	n   int
	c   byte
	err error
}

// probe finds out whether there is a body where there usually is none, unless that takes long.
func (f *framing) probe() {
	f.first = make(chan firstByte, 1)
	go func(body io.Reader) {
		var b [1]byte
		n, err := body.Read(b[:])
		f.first <- firstByte{n, b[0], err}
	}(f.body)
	patience := time.NewTimer(200 * time.Millisecond)
	defer patience.Stop()
	rest := f.body
	select {
	case first := <-f.first:
		switch {
		case first.n == 0 && first.err == io.EOF:
			f.body, f.length = nil, 0
		case first.n == 1 && first.err == nil:
			f.body = io.MultiReader(bytes.NewReader([]byte{first.c}), rest)
		case first.n == 1:
			f.body = io.MultiReader(bytes.NewReader([]byte{first.c}), failing{first.err})
		case first.err != nil:
			f.body = failing{first.err}
		}
	case <-patience.C:
		f.body = io.MultiReader(&lateByte{from: f.first}, rest)
		f.flushHeader = true
	}
}

type failing struct{ err error }

func (r failing) Read([]byte) (int, error) { return 0, r.err }

// lateByte is the first byte, when it comes.
type lateByte struct {
	from chan firstByte
	done bool
}

func (l *lateByte) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	if l.done {
		return 0, io.EOF
	}
	l.done = true
	first := <-l.from
	if first.n == 1 {
		p[0] = first.c
	}
	if first.err == nil {
		first.err = io.EOF
	}
	return first.n, first.err
}

// isInMemory says whether reading does not wait.
func isInMemory(r io.Reader) bool {
	switch b := r.(type) {
	case *bytes.Reader, *bytes.Buffer, *strings.Reader:
		return true
	case *trackedBody:
		return isInMemory(b.ReadCloser)
	}
	if inner, ok := io_underNop(r); ok {
		return isInMemory(inner)
	}
	return false
}

// io_underNop is what io.NopCloser was given.
func io_underNop(r io.Reader) (io.Reader, bool)

// sendsLength says whether there is a field with the length.
func (f *framing) sendsLength() bool {
	switch {
	case f.isChunked || f.length < 0:
		return false
	case f.length > 0 || f.method == MethodPost || f.method == MethodPut || f.method == MethodPatch:
		return true
	}
	return f.isPlain && f.method != MethodGet && f.method != MethodHead
}

// writeHeader writes the fields that say how the body is sent, by field if it is not nil.
func (f *framing) writeHeader(w io.Writer, field func(name, value string) error) error {
	if field == nil {
		field = func(name, value string) error {
			_, err := io.WriteString(w, name+": "+value+"\r\n")
			return err
		}
	}
	if f.closes && !hasToken(f.header.Get("Connection"), "close") {
		if err := field("Connection", "close"); err != nil {
			return err
		}
	}
	var err error
	if f.sendsLength() {
		err = field("Content-Length", strconv.FormatInt(f.length, 10))
	} else if f.isChunked {
		err = field("Transfer-Encoding", "chunked")
	}
	if err != nil || len(f.trailer) == 0 {
		return err
	}
	names := make([]string, 0, len(f.trailer))
	for name := range f.trailer {
		name = CanonicalHeaderKey(name)
		if isFraming(name) {
			return badString("invalid Trailer key", name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return field("Trailer", strings.Join(names, ","))
}

// isFraming says whether a field must not come behind the body.
func isFraming(name string) bool {
	return name == "Transfer-Encoding" || name == "Trailer" || name == "Content-Length"
}

// writeBody closes it, too.
func (f *framing) writeBody(w io.Writer) (err error) {
	isClosed := false
	defer func() {
		if !isClosed && f.closer != nil {
			err = cmpError(err, f.closer.Close())
		}
	}()
	var n int64
	if !f.noBody && f.body != nil {
		if n, err = f.copyBody(w); err != nil {
			return err
		}
	}
	if f.closer != nil {
		isClosed = true
		if err = f.closer.Close(); err != nil {
			return err
		}
	}
	if f.noBody {
		return nil
	}
	if f.length != -1 && f.length != n {
		return fmt.Errorf("http: ContentLength=%d with Body length %d", f.length, n)
	}
	if f.isChunked {
		if f.trailer != nil {
			if err = f.trailer.Write(w); err != nil {
				return err
			}
		}
		_, err = io.WriteString(w, "\r\n")
	}
	return err
}

// copyBody gives the number of bytes there were, which may be more than are sent.
func (f *framing) copyBody(w io.Writer) (n int64, err error) {
	body := f.body
	if inner, ok := io_underNop(body); ok {
		body = inner
	} else if t, ok := body.(*trackedBody); ok {
		t.didRead = true
		body = t.ReadCloser
	}
	switch {
	case f.isChunked:
		if b, ok := w.(*bufio.Writer); ok && !f.isResponse {
			w = chunked.Flushed{Writer: b}
		}
		pieces := chunked.NewWriter(w)
		if _, err = f.copy(pieces, body); err != nil {
			return 0, err
		}
		return 0, pieces.Close()
	case f.length == -1:
		if b, ok := w.(*bufio.Writer); ok && f.method == MethodConnect {
			w = flushing{b}
		}
		return f.copy(w, body)
	}
	if n, err = f.copy(w, io.LimitReader(body, f.length)); err != nil {
		return n, err
	}
	more, err := f.copy(io.Discard, body)
	return n + more, err
}

func (f *framing) copy(to io.Writer, from io.Reader) (n int64, err error) {
	n, err = io.Copy(to, from)
	if err != nil {
		f.readErr = err
	}
	return n, err
}

// flushing flushes what is written at once.
type flushing struct{ w *bufio.Writer }

func (f flushing) Write(p []byte) (n int, err error) {
	if n, err = f.w.Write(p); n > 0 {
		err = cmpError(err, f.w.Flush())
	}
	return n, err
}

// hasBody says whether an answer with that status may have one.
func hasBody(status int) bool {
	return status/100 != 1 && status != StatusNoContent && status != StatusNotModified
}

// incoming is what a header says of the body that follows.
type incoming struct {
	body      io.ReadCloser
	length    int64
	isChunked bool
	closes    bool
	trailer   Header
}

// message is what must be known of a request or a response for that.
type message struct {
	isResponse   bool
	status       int
	method       string
	major, minor int
	header       Header
	closes       bool
	// What is behind the body goes there.
	trailer *Header
}

// unsupported is an encoding that is not spoken here.
type unsupported struct{ text string }

func (e *unsupported) Error() string { return e.text }

func (r *Request) readFraming(b *bufio.Reader, maxFields int64) error {
	m := message{
		status: StatusOK, method: r.Method, major: r.ProtoMajor, minor: r.ProtoMinor,
		header: r.Header, closes: r.Close, trailer: &r.Trailer,
	}
	in, err := m.incoming(b, maxFields)
	if err != nil {
		return err
	}
	r.Body, r.ContentLength, r.Close, r.Trailer = in.body, in.length, in.closes, in.trailer
	if in.isChunked {
		r.TransferEncoding = []string{"chunked"}
	}
	return nil
}

func (r *Response) readFraming(b *bufio.Reader) error {
	m := message{
		isResponse: true, status: r.StatusCode, method: MethodGet, major: r.ProtoMajor, minor: r.ProtoMinor,
		header: r.Header, trailer: &r.Trailer,
	}
	m.closes = closes(m.major, m.minor, m.header)
	if m.closes && (m.major > 1 || m.major == 1 && m.minor > 0) {
		m.header.Del("Connection")
	}
	if r.Request != nil {
		m.method = r.Request.Method
	}
	in, err := m.incoming(b, math.MaxInt64)
	if err != nil {
		return err
	}
	r.Body, r.ContentLength, r.Close, r.Trailer = in.body, in.length, in.closes, in.trailer
	if in.isChunked {
		r.TransferEncoding = []string{"chunked"}
	}
	return nil
}

func (m *message) incoming(b *bufio.Reader, maxFields int64) (in incoming, err error) {
	if m.major == 0 && m.minor == 0 {
		m.major, m.minor = 1, 1
	}
	in.closes = m.closes
	if in.isChunked, err = m.encoding(); err != nil {
		return in, err
	}
	length, err := m.length(in.isChunked)
	if err != nil {
		return in, err
	}
	in.length = length
	if m.isResponse && m.method == MethodHead {
		if in.length, err = parseLength(m.header["Content-Length"]); err != nil {
			return in, err
		}
	}
	if in.isChunked {
		if in.trailer, err = m.announced(maxFields); err != nil {
			return in, err
		}
	}
	if m.isResponse && length == -1 && !in.isChunked && hasBody(m.status) {
		in.closes = true
	}
	in.body = NoBody
	switch {
	case in.isChunked:
		if !m.isResponse || m.method != MethodHead && hasBody(m.status) {
			in.body = &body{from: chunked.NewReader(b), wire: b, trailer: m.trailer, closes: in.closes, maxFields: maxFields}
		}
	case length > 0:
		limited := &io.LimitedReader{R: b, N: length}
		in.body = &body{from: limited, limited: limited, closes: in.closes}
	case length < 0 && in.closes:
		in.body = &body{from: b, closes: true}
	}
	return in, nil
}

// encoding says whether the body comes in pieces.
func (m *message) encoding() (bool, error) {
	encodings, ok := m.header["Transfer-Encoding"]
	if !ok {
		return false, nil
	}
	delete(m.header, "Transfer-Encoding")
	switch {
	case m.major < 1 || m.major == 1 && m.minor < 1:
		return false, nil
	case len(encodings) != 1:
		return false, &unsupported{fmt.Sprintf("too many transfer encodings: %q", encodings)}
	case !equalFold(encodings[0], "chunked"):
		return false, &unsupported{fmt.Sprintf("unsupported transfer encoding: %q", encodings[0])}
	}
	return true, nil
}

// length is −1 if the body ends with the connection, or says itself where it ends.
func (m *message) length(isChunked bool) (n int64, err error) {
	lengths := m.header["Content-Length"]
	if len(lengths) > 1 {
		first := textproto.TrimString(lengths[0])
		for _, l := range lengths[1:] {
			if textproto.TrimString(l) != first {
				return 0, fmt.Errorf("http: message cannot contain multiple Content-Length headers; got %q", lengths)
			}
		}
		lengths = []string{first}
		m.header["Content-Length"] = lengths
	}
	if len(lengths) > 0 {
		if n, err = parseLength(lengths); err != nil {
			return -1, err
		}
	}
	switch {
	case m.isResponse && m.method == MethodHead || !hasBody(m.status):
		return 0, nil
	case isChunked:
		m.header.Del("Content-Length")
		return -1, nil
	case len(lengths) > 0:
		return n, nil
	case m.isResponse:
		return -1, nil
	}
	return 0, nil
}

func parseLength(lengths []string) (int64, error) {
	if len(lengths) == 0 {
		return -1, nil
	}
	text := textproto.TrimString(lengths[0])
	if text == "" {
		if godebug.Value("httplaxcontentlength") == "1" {
			return -1, nil
		}
		return 0, badString("invalid empty Content-Length", text)
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, badString("bad Content-Length", text)
	}
	return int64(n), nil
}

// closes says whether a connection ends with the message.
func closes(major, minor int, h Header) bool {
	connection := h["Connection"]
	switch {
	case major < 1:
		return true
	case listHas(connection, "close"):
		return true
	}
	return major == 1 && minor == 0 && !listHas(connection, "keep-alive")
}

// announced has the names of fields that are to come behind the body.
func (m *message) announced(maxFields int64) (Header, error) {
	lists, ok := m.header["Trailer"]
	if !ok {
		return nil, nil
	}
	m.header.Del("Trailer")
	trailer := make(Header)
	var err error
	for _, list := range lists {
		if maxFields -= int64(strings.Count(list, ",") + 1); maxFields < 0 {
			return nil, errTooLarge
		}
		eachElement(list, func(name string) {
			name = CanonicalHeaderKey(name)
			if isFraming(name) && err == nil {
				err = badString("bad trailer key", name)
			}
			trailer[name] = nil
		})
	}
	if err != nil || len(trailer) == 0 {
		return nil, err
	}
	return trailer, nil
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
	from    io.Reader
	limited *io.LimitedReader
	// The connection ends with it.
	closes bool
	// Of one in pieces: what is behind it, and where that goes.
	wire      *bufio.Reader
	trailer   *Header
	maxFields int64

	mu     sync.Mutex
	sawEnd bool
	closed bool
	// Close does not read everything.
	mayStop bool
	stopped bool
	onEnd   func()
}

func (b *body) Read(p []byte) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return 0, ErrBodyReadAfterClose
	}
	return b.read(p)
}

func (b *body) read(p []byte) (n int, err error) {
	if b.sawEnd {
		return 0, io.EOF
	}
	n, err = b.from.Read(p)
	switch {
	case err == io.EOF && b.wire != nil:
		wire := b.wire
		b.wire = nil
		if e := b.readTrailer(wire); e != nil {
			b.closed = true
			return n, e
		}
		b.sawEnd = true
	case err == io.EOF:
		b.sawEnd = true
		if b.limited != nil && b.limited.N > 0 {
			err = io.ErrUnexpectedEOF
		}
	case err == nil && n > 0 && b.limited != nil && b.limited.N == 0:
		err = io.EOF
		b.sawEnd = true
	}
	if b.sawEnd && b.onEnd != nil {
		b.onEnd()
	}
	return n, err
}

var errTrailerEOF = errors.New("http: unexpected EOF reading trailer")

func (b *body) readTrailer(wire *bufio.Reader) error {
	begin, err := wire.Peek(2)
	switch {
	case string(begin) == "\r\n":
		wire.Discard(2)
		return nil
	case len(begin) < 2:
		return errTrailerEOF
	case err != nil:
		return err
	}
	// All of it must fit into the buffer.
	for n := 4; ; n++ {
		have, err := wire.Peek(n)
		if bytes.HasSuffix(have, []byte("\r\n\r\n")) {
			break
		}
		if err != nil {
			return errors.New("http: suspiciously long trailer after chunked body")
		}
	}
	h, err := textproto_readMIMEHeader(textproto.NewReader(wire), math.MaxInt64, b.maxFields)
	if err == io.EOF {
		return errTrailerEOF
	}
	if err != nil {
		return err
	}
	if *b.trailer == nil {
		*b.trailer = Header(h)
	} else {
		maps.Copy(*b.trailer, h)
	}
	return nil
}

// unread is a body whose lock is held.
type unread struct{ b *body }

func (u unread) Read(p []byte) (int, error) {
	if u.b.closed {
		return 0, ErrBodyReadAfterClose
	}
	return u.b.read(p)
}

// Close reads what is left, so that the connection can go on.
func (b *body) Close() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	var err error
	switch {
	case b.sawEnd || b.wire == nil && b.closes:
	case b.mayStop && b.limited != nil && b.limited.N > maxWaste:
		b.stopped = true
	case b.mayStop:
		var n int64
		n, err = io.CopyN(io.Discard, unread{b}, maxWaste+1)
		b.stopped = true
		if err == io.EOF && n <= maxWaste {
			b.stopped, b.sawEnd, err = false, true, nil
		}
	default:
		_, err = io.Copy(io.Discard, unread{b})
	}
	b.closed = true
	return err
}

func (b *body) hasStopped() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stopped
}

func (b *body) isLeft() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.sawEnd
}

// atEnd sets what is called when all has been read.
func (b *body) atEnd(f func()) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onEnd = f
}

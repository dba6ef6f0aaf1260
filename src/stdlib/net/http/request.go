package http

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"mime/multipart"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

// Request is what a server gets, and a client sends.
type Request struct {
	Method           string
	URL              *url.URL
	Proto            string
	ProtoMajor       int
	ProtoMinor       int
	Header           Header
	Body             io.ReadCloser
	GetBody          func() (io.ReadCloser, error)
	ContentLength    int64
	TransferEncoding []string
	Close            bool
	Host             string
	Form             url.Values
	PostForm         url.Values
	MultipartForm    *multipart.Form
	Trailer          Header
	RemoteAddr       string
	RequestURI       string
	TLS              *tls.ConnectionState
	// Cancel is old; contexts do it now.
	Cancel   <-chan struct{}
	Response *Response
	Pattern  string

	ctx context.Context
	// Of a server's request: whose context it is, if it has none of its own.
	answer *response
	// The pattern that matched, and what its wildcards stand for.
	pattern *pattern
	values  []string
	// Other names that SetPathValue was told.
	otherValues map[string]string
}

func NewRequest(method, url string, body io.Reader) (*Request, error) {
	return NewRequestWithContext(context.Background(), method, url, body)
}

func NewRequestWithContext(ctx context.Context, method, addr string, body io.Reader) (*Request, error) {
	method = orDefault(method, MethodGet)
	if !isToken(method) {
		return nil, fmt.Errorf("net/http: invalid method %q", method)
	}
	if ctx == nil {
		return nil, errors.New("net/http: nil Context")
	}
	u, err := url.Parse(addr)
	if err != nil {
		return nil, err
	}
	u.Host = strings.TrimSuffix(u.Host, ":")
	r := &Request{
		ctx:        ctx,
		Method:     method,
		URL:        u,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     make(Header),
		Host:       u.Host,
	}
	r.setBody(body)
	return r, nil
}

// setBody knows how long some bodies are, and how to begin them anew.
func (r *Request) setBody(body io.Reader) {
	if body == nil {
		return
	}
	closer, isCloser := body.(io.ReadCloser)
	if !isCloser {
		closer = io.NopCloser(body)
	}
	r.Body = closer
	var again func() io.Reader
	switch b := body.(type) {
	case *bytes.Buffer:
		r.ContentLength = int64(b.Len())
		all := b.Bytes()
		again = func() io.Reader { return bytes.NewReader(all) }
	case *bytes.Reader:
		r.ContentLength = int64(b.Len())
		now := *b
		again = func() io.Reader { b := now; return &b }
	case *strings.Reader:
		r.ContentLength = int64(b.Len())
		now := *b
		again = func() io.Reader { b := now; return &b }
	default:
		return
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(again()), nil }
	if r.ContentLength == 0 {
		r.Body = NoBody
		r.GetBody = func() (io.ReadCloser, error) { return NoBody, nil }
	}
}

func (r *Request) Context() context.Context {
	switch {
	case r.ctx != nil:
		return r.ctx
	case r.answer != nil:
		return r.answer.context()
	}
	return context.Background()
}

func (r *Request) WithContext(ctx context.Context) *Request {
	if ctx == nil {
		panic("nil context")
	}
	copied := *r
	copied.ctx = ctx
	return &copied
}

func (r *Request) Clone(ctx context.Context) *Request {
	c := r.WithContext(ctx)
	c.URL = cloneURL(r.URL)
	c.Header = r.Header.Clone()
	c.Trailer = r.Trailer.Clone()
	c.TransferEncoding = slices.Clone(r.TransferEncoding)
	c.Form = url.Values(Header(r.Form).Clone())
	c.PostForm = url.Values(Header(r.PostForm).Clone())
	c.MultipartForm = cloneForm(r.MultipartForm)
	c.values = slices.Clone(r.values)
	c.otherValues = maps.Clone(r.otherValues)
	return c
}

func cloneURL(u *url.URL) *url.URL {
	if u == nil {
		return nil
	}
	c := *u
	if u.User != nil {
		user := *u.User
		c.User = &user
	}
	return &c
}

func cloneForm(f *multipart.Form) *multipart.Form {
	if f == nil {
		return nil
	}
	c := &multipart.Form{Value: Header(f.Value).Clone()}
	if f.File != nil {
		c.File = make(map[string][]*multipart.FileHeader, len(f.File))
	}
	for name, files := range f.File {
		for _, h := range files {
			file := *h
			file.Header = textproto.MIMEHeader(Header(h.Header).Clone())
			c.File[name] = append(c.File[name], &file)
		}
	}
	return c
}

func (r *Request) ProtoAtLeast(major, minor int) bool {
	return r.ProtoMajor > major || r.ProtoMajor == major && r.ProtoMinor >= minor
}

func (r *Request) UserAgent() string  { return r.Header.Get("User-Agent") }
func (r *Request) Referer() string    { return r.Header.Get("Referer") }
func (r *Request) Cookies() []*Cookie { return sentCookies(r.Header, "") }

func (r *Request) CookiesNamed(name string) []*Cookie {
	if name == "" {
		return []*Cookie{}
	}
	return sentCookies(r.Header, name)
}

func (r *Request) Cookie(name string) (*Cookie, error) {
	if all := r.CookiesNamed(name); len(all) > 0 {
		return all[0], nil
	}
	return nil, ErrNoCookie
}

// AddCookie adds a name and a value, and nothing else of the cookie.
func (r *Request) AddCookie(c *Cookie) {
	s := cookieName(c.Name) + "=" + cookieValue(c.Value, c.Quoted)
	if before := r.Header.Get("Cookie"); before != "" {
		s = before + "; " + s
	}
	r.Header.Set("Cookie", s)
}

func (r *Request) BasicAuth() (username, password string, ok bool) {
	const scheme = "Basic "
	auth := r.Header.Get("Authorization")
	if len(auth) < len(scheme) || !equalFold(auth[:len(scheme)], scheme) {
		return "", "", false
	}
	text, err := base64.StdEncoding.DecodeString(auth[len(scheme):])
	if err != nil {
		return "", "", false
	}
	username, password, ok = strings.Cut(string(text), ":")
	if !ok {
		return "", "", false
	}
	return username, password, true
}

func (r *Request) SetBasicAuth(username, password string) {
	r.Header.Set("Authorization", "Basic "+basicAuth(username, password))
}

func basicAuth(username, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(username + ":" + password))
}

// PathValue is what the wildcard of that name stands for.
func (r *Request) PathValue(name string) string {
	if i := r.wildcard(name); i >= 0 {
		return r.values[i]
	}
	return r.otherValues[name]
}

func (r *Request) SetPathValue(name, value string) {
	if i := r.wildcard(name); i >= 0 {
		r.values[i] = value
		return
	}
	if r.otherValues == nil {
		r.otherValues = make(map[string]string)
	}
	r.otherValues[name] = value
}

// wildcard is the number of the pattern's wildcard of that name, −1 if there is none.
func (r *Request) wildcard(name string) int {
	if r.pattern == nil {
		return -1
	}
	n := 0
	for _, s := range r.pattern.segments {
		if s.isWild && s.text != "" {
			if s.text == name {
				return n
			}
			n++
		}
	}
	return -1
}

// byReader stands where a form would, once the program reads the parts itself.
var byReader = &multipart.Form{
	Value: make(map[string][]string),
	File:  make(map[string][]*multipart.FileHeader),
}

func (r *Request) MultipartReader() (*multipart.Reader, error) {
	if r.MultipartForm == byReader {
		return nil, errors.New("http: MultipartReader called twice")
	}
	if r.MultipartForm != nil {
		return nil, errors.New("http: multipart handled by ParseMultipartForm")
	}
	r.MultipartForm = byReader
	return r.parts(true)
}

func (r *Request) parts(allowMixed bool) (*multipart.Reader, error) {
	v := r.Header.Get("Content-Type")
	if v == "" {
		return nil, ErrNotMultipart
	}
	if r.Body == nil {
		return nil, errMissingForm
	}
	t, params, err := mime.ParseMediaType(v)
	if err != nil || t != "multipart/form-data" && !(allowMixed && t == "multipart/mixed") {
		return nil, ErrNotMultipart
	}
	boundary, ok := params["boundary"]
	if !ok {
		return nil, ErrMissingBoundary
	}
	return multipart.NewReader(r.Body, boundary), nil
}

// A form in a body without a limit of its own may have so many bytes.
const maxForm = 10 << 20

// bodyForm reads a body that is a form of the simple kind.
func (r *Request) bodyForm() (url.Values, error) {
	if r.Body == nil {
		return nil, errMissingForm
	}
	t, _, err := mime.ParseMediaType(orDefault(r.Header.Get("Content-Type"), "application/octet-stream"))
	if t != "application/x-www-form-urlencoded" {
		return nil, err
	}
	var in io.Reader = r.Body
	_, isLimited := in.(*limitedBody)
	if !isLimited {
		in = io.LimitReader(in, maxForm+1)
	}
	text, e := io.ReadAll(in)
	if e != nil {
		return nil, cmpError(err, e)
	}
	if !isLimited && len(text) > maxForm {
		return nil, errors.New("http: POST too large")
	}
	values, e := url.ParseQuery(string(text))
	return values, cmpError(err, e)
}

// cmpError is the first error that there is.
func cmpError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// ParseForm fills Form and PostForm; what is in the body comes first.
func (r *Request) ParseForm() error {
	var err error
	if r.PostForm == nil {
		switch r.Method {
		case MethodPost, MethodPut, MethodPatch:
			r.PostForm, err = r.bodyForm()
		}
		if r.PostForm == nil {
			r.PostForm = make(url.Values)
		}
	}
	if r.Form != nil {
		return err
	}
	r.Form = make(url.Values)
	add := func(values url.Values) {
		for k, v := range values {
			r.Form[k] = append(r.Form[k], v...)
		}
	}
	add(r.PostForm)
	if r.URL != nil {
		values, e := url.ParseQuery(r.URL.RawQuery)
		add(values)
		err = cmpError(err, e)
	}
	return err
}

func (r *Request) ParseMultipartForm(maxMemory int64) error {
	if r.MultipartForm == byReader {
		return errMultipartByReader
	}
	var formErr error
	if r.Form == nil {
		formErr = r.ParseForm()
	}
	if r.MultipartForm != nil {
		return nil
	}
	parts, err := r.parts(false)
	if err != nil {
		return err
	}
	form, err := parts.ReadForm(maxMemory)
	if err != nil {
		return err
	}
	if r.PostForm == nil {
		r.PostForm = make(url.Values)
	}
	for k, v := range form.Value {
		r.Form[k] = append(r.Form[k], v...)
		r.PostForm[k] = append(r.PostForm[k], v...)
	}
	r.MultipartForm = form
	return formErr
}

// Files of more than so many bytes go to the disk when a form is read unasked.
const usualMemory = 32 << 20

func (r *Request) FormValue(key string) string {
	if r.Form == nil {
		r.ParseMultipartForm(usualMemory)
	}
	return r.Form.Get(key)
}

func (r *Request) PostFormValue(key string) string {
	if r.PostForm == nil {
		r.ParseMultipartForm(usualMemory)
	}
	return r.PostForm.Get(key)
}

func (r *Request) FormFile(key string) (multipart.File, *multipart.FileHeader, error) {
	if r.MultipartForm == byReader {
		return nil, nil, errMultipartByReader
	}
	if r.MultipartForm == nil {
		if err := r.ParseMultipartForm(usualMemory); err != nil {
			return nil, nil, err
		}
	}
	if r.MultipartForm != nil {
		if files := r.MultipartForm.File[key]; len(files) > 0 {
			f, err := files[0].Open()
			return f, files[0], err
		}
	}
	return nil, nil, ErrMissingFile
}

func (r *Request) expectsContinue() bool { return hasToken(r.Header.get("Expect"), "100-continue") }

func (r *Request) wantsClose() bool {
	return r.Close || hasToken(r.Header.get("Connection"), "close")
}

// keepsOldAlive says whether a client of HTTP/1.0 wants the connection kept.
func (r *Request) keepsOldAlive() bool {
	return r.ProtoMajor == 1 && r.ProtoMinor == 0 && hasToken(r.Header.get("Connection"), "keep-alive")
}

func (r *Request) closeBody() error {
	if r.Body == nil {
		return nil
	}
	return r.Body.Close()
}

// canRepeat says whether the request may be sent again when a connection was lost.
func (r *Request) canRepeat() bool {
	if r.Body != nil && r.Body != NoBody && r.GetBody == nil {
		return false
	}
	switch orDefault(r.Method, MethodGet) {
	case MethodGet, MethodHead, MethodOptions, MethodTrace:
		return true
	}
	return r.Header.has("Idempotency-Key") || r.Header.has("X-Idempotency-Key")
}

// outgoingLength is −1 if it is not known.
func (r *Request) outgoingLength() int64 {
	switch {
	case r.Body == nil || r.Body == NoBody:
		return 0
	case r.ContentLength != 0:
		return r.ContentLength
	}
	return -1
}

func ParseHTTPVersion(vers string) (major, minor int, ok bool) {
	digits, hasName := strings.CutPrefix(vers, "HTTP/")
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	if !hasName || len(digits) != 3 || !isDigit(digits[0]) || digits[1] != '.' || !isDigit(digits[2]) {
		return 0, 0, false
	}
	return int(digits[0] - '0'), int(digits[2] - '0'), true
}

// ReadRequest reads what a client sends.
func ReadRequest(b *bufio.Reader) (*Request, error) {
	r, err := readRequest(b, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	delete(r.Header, "Host")
	return r, nil
}

func textproto_readMIMEHeader(r *textproto.Reader, maxMemory, maxFields int64) (textproto.MIMEHeader, error)

// readRequest leaves Host in the header, which may have so many fields.
func readRequest(b *bufio.Reader, maxFields int64) (r *Request, err error) {
	in := textproto.NewReader(b)
	line, err := in.ReadLine()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
	}()
	r = new(Request)
	parts := strings.SplitN(line, " ", 3)
	if len(parts) < 3 {
		return nil, badString("malformed HTTP request", line)
	}
	r.Method, r.RequestURI, r.Proto = parts[0], parts[1], parts[2]
	if !isToken(r.Method) {
		return nil, badString("invalid method", r.Method)
	}
	var ok bool
	if r.ProtoMajor, r.ProtoMinor, ok = ParseHTTPVersion(r.Proto); !ok {
		return nil, badString("malformed HTTP version", r.Proto)
	}
	// A proxy is asked to connect with a host and a port.
	isHost := r.Method == MethodConnect && !strings.HasPrefix(r.RequestURI, "/")
	addr := r.RequestURI
	if isHost {
		addr = "http://" + addr
	}
	if isPlainPath(addr) {
		r.URL = &url.URL{Path: addr}
	} else if r.URL, err = url.ParseRequestURI(addr); err != nil {
		return nil, err
	}
	if isHost {
		r.URL.Scheme = ""
	}
	h, err := textproto_readMIMEHeader(in, math.MaxInt64, maxFields)
	if err != nil {
		if err.Error() == "message too large" {
			err = errTooLarge
		}
		return nil, err
	}
	r.Header = Header(h)
	if len(r.Header["Host"]) > 1 {
		return nil, errors.New("too many Host headers")
	}
	r.Host = orDefault(r.URL.Host, r.Header.get("Host"))
	r.Header.fixPragma()
	r.Close = closes(r.ProtoMajor, r.ProtoMinor, r.Header)
	if err = r.readFraming(b, maxFields); err != nil {
		return nil, err
	}
	if r.isUpgrade() {
		r.ContentLength = -1
		r.Close = true
	}
	return r, nil
}

// isUpgrade says whether the client begins to speak HTTP/2.
func (r *Request) isUpgrade() bool {
	return r.Method == "PRI" && len(r.Header) == 0 && r.URL.Path == "*" && r.Proto == "HTTP/2.0"
}

const usualAgent = "Go-http-client/1.1"

// Write writes the request as it is sent to a server.
func (r *Request) Write(w io.Writer) error { return r.write(w, sending{}) }

// WriteProxy writes it as it is sent to a proxy.
func (r *Request) WriteProxy(w io.Writer) error { return r.write(w, sending{byProxy: true}) }

// sending is how a request is sent.
type sending struct {
	byProxy bool
	extra   Header
	// Waits for the server to say that the body may come; false: it is not wanted.
	mayContinue func() bool
}

// bodyError is an error of reading the body of a request.
type bodyError struct{ error }

func (r *Request) write(w io.Writer, how sending) (err error) {
	trace := httptrace.ContextClientTrace(r.Context())
	if trace != nil && trace.WroteRequest != nil {
		defer func() { trace.WroteRequest(httptrace.WroteRequestInfo{Err: err}) }()
	}
	isClosed := false
	defer func() {
		if !isClosed {
			err = cmpError(err, r.closeBody())
		}
	}()
	host := r.Host
	if host == "" {
		if r.URL == nil {
			return errors.New("http: Request.Write on Request with no Host or URL set")
		}
		host = r.URL.Host
	}
	if host, err = asciiHostPort(host); err != nil {
		return err
	}
	if !isHost(host) {
		// Servers get an empty host, as they did before this was looked at.
		if how.byProxy {
			return errors.New("http: invalid Host header")
		}
		host = ""
	}
	host = withoutZone(host)
	addr := r.URL.RequestURI()
	switch {
	case how.byProxy && r.URL.Scheme != "" && r.URL.Opaque == "":
		addr = r.URL.Scheme + "://" + host + addr
	case r.Method == MethodConnect && r.URL.Path == "":
		addr = orDefault(r.URL.Opaque, host)
	}
	if hasControl(addr) {
		return errors.New("net/http: can't write control character in Request.URL")
	}
	var own *bufio.Writer
	if _, isBuffered := w.(io.ByteWriter); !isBuffered {
		own = bufio.NewWriter(w)
		w = own
	}
	flush := func() error {
		if b, ok := w.(*bufio.Writer); ok {
			return b.Flush()
		}
		return nil
	}
	field := func(name, value string) error {
		_, err := io.WriteString(w, name+": "+value+"\r\n")
		if err == nil && trace != nil && trace.WroteHeaderField != nil {
			trace.WroteHeaderField(name, []string{value})
		}
		return err
	}
	if _, err = fmt.Fprintf(w, "%s %s HTTP/1.1\r\n", orDefault(r.Method, MethodGet), addr); err != nil {
		return err
	}
	if err = field("Host", host); err != nil {
		return err
	}
	agent := usualAgent
	if r.Header.has("User-Agent") {
		agent = r.Header.Get("User-Agent")
	}
	if agent != "" {
		if err = field("User-Agent", oneLine(agent)); err != nil {
			return err
		}
	}
	out, err := r.framing()
	if err != nil {
		return err
	}
	if err = out.writeHeader(w, field); err != nil {
		return err
	}
	if err = r.Header.write(w, ownFields, trace); err != nil {
		return err
	}
	if err = how.extra.write(w, nil, trace); err != nil {
		return err
	}
	if _, err = io.WriteString(w, "\r\n"); err != nil {
		return err
	}
	if trace != nil && trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if how.mayContinue != nil {
		if err = flush(); err != nil {
			return err
		}
		if trace != nil && trace.Wait100Continue != nil {
			trace.Wait100Continue()
		}
		if !how.mayContinue() {
			isClosed = true
			r.closeBody()
			return nil
		}
	}
	if out.flushHeader {
		if err = flush(); err != nil {
			return err
		}
	}
	isClosed = true
	if err = out.writeBody(w); err != nil {
		if out.readErr == err {
			err = bodyError{err}
		}
		return err
	}
	if own != nil {
		return own.Flush()
	}
	return nil
}

// ownFields are written by write itself.
var ownFields = map[string]bool{
	"Host":              true,
	"User-Agent":        true,
	"Content-Length":    true,
	"Transfer-Encoding": true,
	"Trailer":           true,
}

// requiresHTTP1 says whether another protocol is asked for that is spoken only over connections of
// HTTP/1.
func (r *Request) requiresHTTP1() bool {
	return hasToken(r.Header.get("Connection"), "upgrade") &&
		equalFold(r.Header.get("Upgrade"), "websocket")
}

// withoutZone cuts the zone out of an IPv6 address between brackets.
func withoutZone(host string) string {
	end := strings.LastIndexByte(host, ']')
	if !strings.HasPrefix(host, "[") || end < 0 {
		return host
	}
	if zone := strings.LastIndexByte(host[:end], '%'); zone >= 0 {
		return host[:zone] + host[end:]
	}
	return host
}

// MaxBytesError says that a body is longer than MaxBytesReader lets it be.
type MaxBytesError struct {
	Limit int64
}

func (e *MaxBytesError) Error() string { return "http: request body too large" }

// MaxBytesReader reads at most so many bytes; then the connection is closed.
func MaxBytesReader(w ResponseWriter, r io.ReadCloser, n int64) io.ReadCloser {
	n = max(n, 0)
	return &limitedBody{w: w, r: r, limit: n, left: n}
}

type limitedBody struct {
	w           ResponseWriter
	r           io.ReadCloser
	limit, left int64
	err         error
}

func (l *limitedBody) Read(p []byte) (n int, err error) {
	if l.err != nil || len(p) == 0 {
		return 0, l.err
	}
	// One byte more tells whether there is more.
	if int64(len(p))-1 > l.left {
		p = p[:l.left+1]
	}
	n, err = l.r.Read(p)
	if int64(n) <= l.left {
		l.left -= int64(n)
		l.err = err
		return n, err
	}
	n = int(l.left)
	l.left = 0
	if w, ok := l.w.(interface{ requestTooLarge() }); ok {
		w.requestTooLarge()
	}
	l.err = &MaxBytesError{l.limit}
	return n, l.err
}

func (l *limitedBody) Close() error { return l.r.Close() }

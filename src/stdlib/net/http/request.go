package http

import (
	"bufio"
	"bytes"
	"cmp"
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

// Requests: as programs make them, as they are read and written over HTTP/1, and the forms in them.

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
	ownValues map[string]string
}

// NewRequest is NewRequestWithContext of a context that never ends.
func NewRequest(method, addr string, body io.Reader) (*Request, error) {
	return NewRequestWithContext(context.Background(), method, addr, body)
}

func NewRequestWithContext(ctx context.Context, method, addr string, body io.Reader) (*Request, error) {
	r := &Request{
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Method: orDefault(method, MethodGet), Header: make(Header), ctx: ctx,
	}
	switch {
	case !isToken(r.Method):
		return nil, fmt.Errorf("net/http: invalid method %q", r.Method)
	case ctx == nil:
		return nil, errors.New("net/http: nil Context")
	}
	var err error
	if r.URL, err = url.Parse(addr); err != nil {
		return nil, err
	}
	r.URL.Host = strings.TrimSuffix(r.URL.Host, ":")
	r.Host = r.URL.Host
	r.setBody(body)
	return r, nil
}

// setBody knows how long some bodies are, and how to begin them anew.
func (r *Request) setBody(body io.Reader) {
	if body == nil {
		return
	}
	if closer, ok := body.(io.ReadCloser); ok {
		r.Body = closer
	} else {
		r.Body = io.NopCloser(body)
	}
	var again func() io.Reader
	switch b := body.(type) {
	case *bytes.Buffer:
		text := b.Bytes()
		again = func() io.Reader { return bytes.NewReader(text) }
	case *bytes.Reader:
		now := *b
		again = func() io.Reader { b := now; return &b }
	case *strings.Reader:
		now := *b
		again = func() io.Reader { b := now; return &b }
	default:
		return
	}
	r.ContentLength = int64(body.(interface{ Len() int }).Len())
	if r.ContentLength == 0 {
		r.Body = NoBody
		again = func() io.Reader { return NoBody }
	}
	r.GetBody = func() (io.ReadCloser, error) {
		body := again()
		if b, ok := body.(io.ReadCloser); ok {
			return b, nil
		}
		return io.NopCloser(body), nil
	}
}

func (r *Request) Clone(ctx context.Context) *Request {
	c := r.WithContext(ctx)
	c.URL = copyURL(r.URL)
	for _, h := range [...]*Header{
		&c.Header, &c.Trailer, (*Header)(&c.Form), (*Header)(&c.PostForm),
	} {
		*h = h.Clone()
	}
	c.MultipartForm = cloneForm(r.MultipartForm)
	c.TransferEncoding, c.values = slices.Clone(r.TransferEncoding), slices.Clone(r.values)
	c.ownValues = maps.Clone(r.ownValues)
	return c
}

func (r *Request) WithContext(ctx context.Context) *Request {
	if ctx == nil {
		panic("nil context")
	}
	c := &Request{}
	*c = *r
	c.ctx = ctx
	return c
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

func copyURL(u *url.URL) *url.URL {
	if u == nil {
		return nil
	}
	c := *u
	if c.User != nil {
		user := *c.User
		c.User = &user
	}
	return &c
}

func cloneForm(f *multipart.Form) *multipart.Form {
	if f == nil {
		return nil
	}
	c := multipart.Form{Value: Header(f.Value).Clone(), File: maps.Clone(f.File)}
	for name := range c.File {
		c.File[name] = cloneFiles(f.File[name])
	}
	return &c
}

func cloneFiles(files []*multipart.FileHeader) []*multipart.FileHeader {
	files = slices.Clone(files)
	for i := range files {
		file := *files[i]
		file.Header = textproto.MIMEHeader(Header(file.Header).Clone())
		files[i] = &file
	}
	return files
}

// ProtoAtLeast says whether the client speaks this version of HTTP, or a later one.
func (r *Request) ProtoAtLeast(major, minor int) bool {
	return isFrom(major, minor, r.ProtoMajor, r.ProtoMinor)
}

// isFrom says whether a version is the first one or a later one.
func isFrom(major, minor, isMajor, isMinor int) bool {
	return isMajor > major || isMajor == major && isMinor >= minor
}

func (r *Request) Cookies() []*Cookie { return sentCookies(r.Header, "") }

// CookiesNamed gives those of the cookies; none has no name.
func (r *Request) CookiesNamed(name string) []*Cookie {
	if name != "" {
		return sentCookies(r.Header, name)
	}
	return []*Cookie{}
}

// Cookie is the first of that name.
func (r *Request) Cookie(name string) (*Cookie, error) {
	all := r.CookiesNamed(name)
	if len(all) == 0 {
		return nil, ErrNoCookie
	}
	return all[0], nil
}

// AddCookie adds a name and a value, and nothing else of the cookie.
func (r *Request) AddCookie(c *Cookie) {
	s := cookieName(c.Name) + "=" + cookieValue(c.Value, c.Quoted)
	if before := r.Header.Get("Cookie"); before != "" {
		s = before + "; " + s
	}
	r.Header.Set("Cookie", s)
}

func (r *Request) Referer() string   { return r.Header.Get("Referer") }
func (r *Request) UserAgent() string { return r.Header.Get("User-Agent") }

func (r *Request) SetBasicAuth(username, password string) {
	r.Header.Set("Authorization", "Basic "+credentials(username, password))
}

func (r *Request) BasicAuth() (username, password string, ok bool) {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if equalFold(scheme, "Basic") {
		if text, err := base64.StdEncoding.DecodeString(rest); err == nil {
			username, password, ok = strings.Cut(string(text), ":")
		}
	}
	if !ok {
		username = ""
	}
	return username, password, ok
}

func credentials(username, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(username + ":" + password))
}

// PathValue is what the wildcard of that name stands for.
func (r *Request) PathValue(name string) string {
	if at := r.wildcard(name); at != nil {
		return *at
	}
	return r.ownValues[name]
}

func (r *Request) SetPathValue(name, value string) {
	switch at := r.wildcard(name); {
	case at != nil:
		*at = value
	case r.ownValues == nil:
		r.ownValues = map[string]string{name: value}
	default:
		r.ownValues[name] = value
	}
}

// wildcard is where the value of the pattern's wildcard of that name lies; nil if there is none.
func (r *Request) wildcard(name string) *string {
	if r.pattern != nil {
		if i := slices.Index(r.pattern.names, name); i >= 0 {
			return &r.values[i]
		}
	}
	return nil
}

// byReader stands where a form would, once the program reads the parts itself.
var byReader = &multipart.Form{
	Value: make(map[string][]string),
	File:  make(map[string][]*multipart.FileHeader),
}

// MultipartReader has the program read the parts of the body itself.
func (r *Request) MultipartReader() (*multipart.Reader, error) {
	switch r.MultipartForm {
	case nil:
		r.MultipartForm = byReader
		return r.parts("multipart/form-data", "multipart/mixed")
	case byReader:
		return nil, errors.New("http: MultipartReader called twice")
	}
	return nil, errors.New("http: multipart handled by ParseMultipartForm")
}

// parts reads a body of one of these types.
func (r *Request) parts(types ...string) (*multipart.Reader, error) {
	text := r.Header.Get("Content-Type")
	kind, params, err := mime.ParseMediaType(text)
	boundary, isBounded := params["boundary"]
	switch {
	case r.Body == nil && text != "":
		return nil, errMissingForm
	case err != nil || !slices.Contains(types, kind):
		return nil, ErrNotMultipart
	case !isBounded:
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
	kind, _, err := mime.ParseMediaType(orDefault(r.Header.Get("Content-Type"), "application/octet-stream"))
	if kind != "application/x-www-form-urlencoded" {
		return nil, err
	}
	text, bad := readForm(r.Body)
	if bad != nil {
		return nil, cmp.Or(err, bad)
	}
	values, bad := url.ParseQuery(text)
	return values, cmp.Or(err, bad)
}

// readForm reads all of a body if it is not too long.
func readForm(in io.Reader) (string, error) {
	if _, isLimited := in.(*limitedBody); !isLimited {
		in = &io.LimitedReader{R: in, N: maxForm + 1}
	}
	text, err := io.ReadAll(in)
	if l, ok := in.(*io.LimitedReader); ok && err == nil && l.N <= 0 {
		err = errors.New("http: POST too large")
	}
	return string(text), err
}

// addValues makes a form if there is none yet.
func addValues(form *url.Values, more map[string][]string) {
	if *form == nil {
		*form = make(url.Values)
	}
	for name, values := range more {
		(*form)[name] = append((*form)[name], values...)
	}
}

// ParseMultipartForm is ParseForm that knows forms in parts, too; so many bytes of files stay in
// memory, the rest goes to the disk.
func (r *Request) ParseMultipartForm(maxMemory int64) error {
	if r.MultipartForm == byReader {
		return errMultipartByReader
	}
	var queryErr error
	if r.Form == nil {
		queryErr = r.ParseForm()
	}
	if r.MultipartForm != nil {
		return nil
	}
	form, err := r.partsForm(maxMemory)
	if err != nil {
		return err
	}
	r.MultipartForm = form
	addValues(&r.Form, form.Value)
	addValues(&r.PostForm, form.Value)
	return queryErr
}

// ParseForm fills Form and PostForm; what is in the body comes first.
func (r *Request) ParseForm() (err error) {
	if r.PostForm == nil {
		switch r.Method {
		case MethodPost, MethodPut, MethodPatch:
			r.PostForm, err = r.bodyForm()
		}
		addValues(&r.PostForm, nil)
	}
	if r.Form == nil {
		addValues(&r.Form, r.PostForm)
		if r.URL != nil {
			asked, bad := url.ParseQuery(r.URL.RawQuery)
			addValues(&r.Form, asked)
			err = cmp.Or(err, bad)
		}
	}
	return err
}

func (r *Request) partsForm(maxMemory int64) (*multipart.Form, error) {
	in, err := r.parts("multipart/form-data")
	if err != nil {
		return nil, err
	}
	return in.ReadForm(maxMemory)
}

// Files of more than so many bytes go to the disk when a form is read unasked.
const usualMemory = 32 << 20

// value reads the form that is meant, if that was not done yet.
func (r *Request) value(form *url.Values, key string) string {
	if *form == nil {
		r.ParseMultipartForm(usualMemory)
	}
	return form.Get(key)
}

func (r *Request) FormValue(key string) string     { return r.value(&r.Form, key) }
func (r *Request) PostFormValue(key string) string { return r.value(&r.PostForm, key) }

// FormFile opens the first file of that name.
func (r *Request) FormFile(key string) (multipart.File, *multipart.FileHeader, error) {
	var err error
	switch r.MultipartForm {
	case byReader:
		err = errMultipartByReader
	case nil:
		err = r.ParseMultipartForm(usualMemory)
	}
	if err != nil {
		return nil, nil, err
	}
	files := r.MultipartForm.File[key]
	if len(files) == 0 {
		return nil, nil, ErrMissingFile
	}
	f, err := files[0].Open()
	return f, files[0], err
}

func (r *Request) asksBeforeBody() bool { return hasWord(r.Header.get("Expect"), "100-continue") }

func (r *Request) asksToClose() bool {
	return r.Close || hasWord(r.Header.get("Connection"), "close")
}

// keepsOldAlive says whether a client of HTTP/1.0 wants the connection kept.
func (r *Request) keepsOldAlive() bool {
	return r.ProtoMajor == 1 && r.ProtoMinor == 0 && hasWord(r.Header.get("Connection"), "keep-alive")
}

// canRepeat says whether the request may be sent again when a connection was lost.
func (r *Request) canRepeat() bool {
	hasBody := r.Body != nil && r.Body != NoBody
	isSafe := r.Method == "" || r.Method == MethodTrace || r.Method == MethodOptions || onlyReads(r) ||
		r.Header.has("Idempotency-Key") || r.Header.has("X-Idempotency-Key")
	return isSafe && (!hasBody || r.GetBody != nil)
}

func (r *Request) shutBody() (err error) {
	if r.Body != nil {
		err = r.Body.Close()
	}
	return err
}

// lengthToSend is −1 if it is not known.
func (r *Request) lengthToSend() int64 {
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
	r, err := parseRequest(b, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	delete(r.Header, "Host")
	return r, nil
}

func textproto_readFields(r *textproto.Reader, maxMemory, maxFields int64) (textproto.MIMEHeader, error)

// readFields reads the header of a message behind its first line; it may have so many fields.
func readFields(in *textproto.Reader, maxFields int64) (Header, error) {
	fields, err := textproto_readFields(in, math.MaxInt64, maxFields)
	switch {
	case err == io.EOF:
		return nil, io.ErrUnexpectedEOF
	case err != nil && err.Error() == "message too large":
		return nil, errLongHead
	case err != nil:
		return nil, err
	}
	h := Header(fields)
	h.fixPragma()
	return h, nil
}

// parseRequest leaves Host in the header, which may have so many fields.
func parseRequest(b *bufio.Reader, maxFields int64) (r *Request, err error) {
	in := textproto.NewReader(b)
	line, err := in.ReadLine()
	if err != nil {
		return nil, err
	}
	r = new(Request)
	if err = r.takeLine(line); err == nil {
		r.Header, err = readFields(in, maxFields)
	}
	if err != nil {
		return nil, err
	}
	hosts := r.Header["Host"]
	if len(hosts) > 1 {
		return nil, errors.New("too many Host headers")
	}
	if r.Host = r.URL.Host; r.Host == "" && len(hosts) > 0 {
		r.Host = hosts[0]
	}
	r.Close = closes(r.ProtoMajor, r.ProtoMinor, r.Header)
	if err = r.readFraming(b, maxFields); err != nil {
		return nil, err
	}
	if r.isUpgrade() {
		r.ContentLength, r.Close = -1, true
	}
	return r, nil
}

// takeLine takes what the first line says: GET /path HTTP/1.1.
func (r *Request) takeLine(line string) (err error) {
	method, rest, _ := strings.Cut(line, " ")
	target, proto, isWhole := strings.Cut(rest, " ")
	if !isWhole {
		return badString("malformed HTTP request", line)
	}
	r.Method, r.RequestURI, r.Proto = method, target, proto
	if !isToken(r.Method) {
		return badString("invalid method", r.Method)
	}
	var isVersion bool
	if r.ProtoMajor, r.ProtoMinor, isVersion = ParseHTTPVersion(r.Proto); !isVersion {
		return badString("malformed HTTP version", r.Proto)
	}
	r.URL, err = parseTarget(r.Method, r.RequestURI)
	return err
}

// parseTarget reads what is asked for; a proxy is asked to connect with a host and a port.
func parseTarget(method, target string) (*url.URL, error) {
	if isPlainPath(target) {
		return &url.URL{Path: target}, nil
	}
	if method != MethodConnect || strings.HasPrefix(target, "/") {
		return url.ParseRequestURI(target)
	}
	u, err := url.ParseRequestURI("http://" + target)
	if err == nil {
		u.Scheme = ""
	}
	return u, err
}

// isUpgrade says whether the client begins to speak HTTP/2.
func (r *Request) isUpgrade() bool {
	return r.Proto == "HTTP/2.0" && r.Method == "PRI" && r.URL.Path == "*" && len(r.Header) == 0
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
	out := wire{Writer: w, trace: httptrace.ContextClientTrace(r.Context())}
	if out.trace != nil && out.trace.WroteRequest != nil {
		defer func() { out.trace.WroteRequest(httptrace.WroteRequestInfo{Err: err}) }()
	}
	_, isBuffered := w.(io.ByteWriter)
	if !isBuffered {
		out.Writer = bufio.NewWriter(w)
	}
	f, err := r.writeHead(&out, how)
	if err == nil && how.mayContinue != nil {
		var isWanted bool
		if isWanted, err = out.awaitContinue(how.mayContinue); err == nil && !isWanted {
			r.shutBody()
			return nil
		}
	}
	if err == nil && f.flushHeader {
		err = out.flush()
	}
	if err != nil {
		r.shutBody()
		return err
	}
	err = f.sendBody(out.Writer)
	switch {
	case err != nil && err == f.readErr:
		return bodyError{err}
	case err != nil || isBuffered:
		return err
	}
	return out.flush()
}

// writeHead writes what comes before the body, and says how that is to be sent.
func (r *Request) writeHead(out *wire, how sending) (*framing, error) {
	host, target, err := r.target(how.byProxy)
	if err != nil {
		return nil, err
	}
	out.text(orDefault(r.Method, MethodGet) + " " + target + " HTTP/1.1\r\n")
	out.field("Host", host)
	agent := usualAgent
	if r.Header.has("User-Agent") {
		agent = oneLine(r.Header.get("User-Agent"))
	}
	if agent != "" {
		out.field("User-Agent", agent)
	}
	if out.err != nil {
		return nil, out.err
	}
	f, err := r.framing()
	if err == nil {
		err = f.writeFields(out)
	}
	if err != nil {
		return nil, err
	}
	out.fields(r.Header, ownFields)
	out.fields(how.extra, nil)
	if out.text("\r\n"); out.err == nil && out.trace != nil && out.trace.WroteHeaders != nil {
		out.trace.WroteHeaders()
	}
	return f, out.err
}

// awaitContinue sends the head, and asks whether the body is wanted.
func (w *wire) awaitContinue(ask func() bool) (isWanted bool, err error) {
	if err = w.flush(); err != nil {
		return false, err
	}
	if w.trace != nil && w.trace.Wait100Continue != nil {
		w.trace.Wait100Continue()
	}
	return ask(), nil
}

// target is whom the request is for, and what it asks for.
func (r *Request) target(byProxy bool) (host, target string, err error) {
	if r.Host == "" && r.URL == nil {
		return "", "", errors.New("http: Request.Write on Request with no Host or URL set")
	}
	if host = r.Host; host == "" {
		host = r.URL.Host
	}
	if host, err = asciiHostPort(host); err != nil {
		return "", "", err
	}
	if !isHost(host) {
		// Servers get an empty host, as they did before this was looked at.
		if byProxy {
			return "", "", errors.New("http: invalid Host header")
		}
		host = ""
	}
	host, target = withoutZone(host), r.URL.RequestURI()
	if byProxy && r.URL.Scheme != "" && r.URL.Opaque == "" {
		target = r.URL.Scheme + "://" + host + target
	} else if r.Method == MethodConnect && r.URL.Path == "" {
		target = orDefault(r.URL.Opaque, host)
	}
	if hasControl(target) {
		err = errors.New("net/http: can't write control character in Request.URL")
	}
	return host, target, err
}

// ownFields are written by write itself.
var ownFields = map[string]bool{
	"Host":              true,
	"User-Agent":        true,
	"Content-Length":    true,
	"Transfer-Encoding": true,
	"Trailer":           true,
}

// needsHTTP1 says whether another protocol is asked for that is spoken only over connections of
// HTTP/1.
func (r *Request) needsHTTP1() bool {
	return hasWord(r.Header.get("Connection"), "upgrade") &&
		equalFold(r.Header.get("Upgrade"), "websocket")
}

// withoutZone cuts the zone out of an IPv6 address between brackets.
func withoutZone(host string) string {
	end := max(strings.LastIndexByte(host, ']'), 0)
	if zone := strings.LastIndexByte(host[:end], '%'); zone > 0 && host[0] == '[' {
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
	n, l.err = l.r.Read(p[:min(int64(len(p))-1, l.left)+1])
	if int64(n) > l.left {
		n, l.err = int(l.left), &MaxBytesError{l.limit}
		if w, ok := l.w.(interface{ bodyIsTooLong() }); ok {
			w.bodyIsTooLong()
		}
	}
	l.left -= int64(n)
	return n, l.err
}

func (l *limitedBody) Close() error { return l.r.Close() }

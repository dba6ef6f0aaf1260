package http

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"math"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
)

// Responses as they are read and written over HTTP/1.

// Response is what a client gets.
type Response struct {
	Status           string
	StatusCode       int
	Proto            string
	ProtoMajor       int
	ProtoMinor       int
	Header           Header
	Body             io.ReadCloser
	ContentLength    int64
	TransferEncoding []string
	Close            bool
	Uncompressed     bool
	Trailer          Header
	Request          *Request
	TLS              *tls.ConnectionState
}

func (r *Response) Cookies() []*Cookie { return setCookies(r.Header) }

func (r *Response) Location() (*url.URL, error) {
	parse := url.Parse
	if r.Request != nil && r.Request.URL != nil {
		parse = r.Request.URL.Parse
	}
	if to := r.Header.Get("Location"); to != "" {
		return parse(to)
	}
	return nil, ErrNoLocation
}

// ProtoAtLeast says whether the server speaks this version of HTTP, or a later one.
func (r *Response) ProtoAtLeast(major, minor int) bool {
	return isFrom(major, minor, r.ProtoMajor, r.ProtoMinor)
}

// ReadResponse reads the answer to a request; GET is meant if that is nil.
func ReadResponse(r *bufio.Reader, req *Request) (*Response, error) {
	resp := &Response{Request: req}
	in := textproto.NewReader(r)
	line, err := in.ReadLine()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = resp.takeLine(line)
	}
	if err == nil {
		resp.Header, err = readFields(in, math.MaxInt64)
	}
	if err == nil {
		err = resp.readFraming(r)
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// takeLine takes what the first line says: HTTP/1.1 200 OK.
func (r *Response) takeLine(line string) (err error) {
	proto, status, hasStatus := strings.Cut(line, " ")
	r.Proto, r.Status = proto, strings.TrimLeft(status, " ")
	digits, _, _ := strings.Cut(r.Status, " ")
	r.StatusCode, err = strconv.Atoi(digits)
	isCode := err == nil && len(digits) == 3 && r.StatusCode >= 0
	isVersion := false
	r.ProtoMajor, r.ProtoMinor, isVersion = ParseHTTPVersion(proto)
	switch {
	case !hasStatus:
		return badString("malformed HTTP response", line)
	case !isCode:
		return badString("malformed HTTP status code", digits)
	case !isVersion:
		return badString("malformed HTTP version", proto)
	}
	return nil
}

// Write writes it as a server does.
func (r *Response) Write(w io.Writer) error {
	out := wire{Writer: w}
	out.text(r.firstLine())
	if out.err != nil {
		return out.err
	}
	c := *r
	if err := c.checkLength(); err != nil {
		return err
	}
	f, err := c.framing()
	if err == nil {
		err = f.writeFields(&out)
	}
	if err != nil {
		return err
	}
	out.fields(r.Header, framingFields)
	if c.ContentLength == 0 && !isChunked(c.TransferEncoding) && !f.tellsLength && hasBody(r.StatusCode) {
		out.text("Content-Length: 0\r\n")
	}
	if out.text("\r\n"); out.err != nil {
		return out.err
	}
	return f.sendBody(w)
}

// firstLine does not say the code twice.
func (r *Response) firstLine() string {
	code := strconv.Itoa(r.StatusCode)
	text := strings.TrimPrefix(r.Status, code+" ")
	if r.Status == "" {
		text = orDefault(StatusText(r.StatusCode), "status code "+code)
	}
	return fmt.Sprintf("HTTP/%d.%d %03d %s\r\n", r.ProtoMajor, r.ProtoMinor, r.StatusCode, text)
}

// checkLength finds out whether a body that is said to have no bytes has none, and has the connection
// closed where nothing else can tell where it ends.
func (r *Response) checkLength() error {
	if body := r.Body; body != nil && r.ContentLength == 0 {
		first := make([]byte, 1)
		n, err := body.Read(first)
		switch {
		case err != nil && err != io.EOF:
			return err
		case n == 0:
			r.Body = NoBody
		default:
			r.ContentLength = -1
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(first), body), body}
		}
	}
	isEndless := r.ContentLength == -1 && !isChunked(r.TransferEncoding)
	if isEndless && !r.Uncompressed && r.ProtoAtLeast(1, 1) {
		r.Close = true
	}
	return nil
}

var framingFields = map[string]bool{"Content-Length": true, "Transfer-Encoding": true, "Trailer": true}

func (r *Response) shutBody() {
	if r.Body != nil {
		r.Body.Close()
	}
}

// switches says whether another protocol is spoken from now on.
func switches(code int, h Header) bool {
	return code == StatusSwitchingProtocols && h.Get("Upgrade") != "" && listHas(h["Connection"], "Upgrade")
}

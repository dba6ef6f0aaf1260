// Package httptest is for tests of servers and clients.
//
// It has three things. NewRequest makes a request as if a server had read it; a ResponseRecorder is
// what a handler answers into, and shows it as a client would see it (both in this file). A Server
// answers real clients: server.go says how it starts and ends, memory.go has the connections of
// servers that need no port, cert.go the certificate of those that speak TLS.
package httptest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
)

// DefaultRemoteAddr is for whoever needs one.
const DefaultRemoteAddr = "1.2.3.4"

// NewRequestWithContext makes one with a context.
func NewRequestWithContext(ctx context.Context, method, target string, body io.Reader) *http.Request {
	// In version 1.0 a request needs no host.
	head := strings.NewReader(cmp.Or(method, http.MethodGet) + " " + target + " HTTP/1.0\r\n\r\n")
	read, err := http.ReadRequest(bufio.NewReader(head))
	if err != nil {
		panic("invalid NewRequest arguments; " + err.Error())
	}
	r := read.WithContext(ctx)
	r.Host = cmp.Or(r.Host, "example.com")
	r.RemoteAddr = "192.0.2.1:1234"
	r.Proto, r.ProtoMajor, r.ProtoMinor, r.Close = "HTTP/1.1", 1, 1, false
	if body != nil {
		r.Body, r.ContentLength = closable(body), lengthOf(body)
	}
	if strings.HasPrefix(target, "https://") {
		state := tls.ConnectionState{HandshakeComplete: true}
		state.Version, state.ServerName = tls.VersionTLS12, r.Host
		r.TLS = &state
	}
	return r
}

// NewRequest makes a request as a server gets it.
func NewRequest(method, target string, body io.Reader) *http.Request {
	return NewRequestWithContext(context.Background(), method, target, body)
}

func closable(body io.Reader) io.ReadCloser {
	if c, ok := body.(io.ReadCloser); ok {
		return c
	}
	return io.NopCloser(body)
}

// lengthOf is how much can be read, and -1 if that is not known.
func lengthOf(body io.Reader) int64 {
	switch body.(type) {
	case *bytes.Buffer, *bytes.Reader, *strings.Reader:
		return int64(body.(interface{ Len() int }).Len())
	}
	if body != http.NoBody {
		return -1
	}
	return 0
}

// ResponseRecorder keeps what a handler answers.
type ResponseRecorder struct {
	Code      int
	HeaderMap http.Header
	Body      *bytes.Buffer
	Flushed   bool

	result *http.Response
	// The header as it was when the first was written.
	sent    http.Header
	hasHead bool
}

// NewRecorder makes one whose status is 200 if the handler sets none.
func NewRecorder() *ResponseRecorder {
	return &ResponseRecorder{Code: http.StatusOK, HeaderMap: http.Header{}, Body: &bytes.Buffer{}}
}

// Header is what the handler may change.
func (rw *ResponseRecorder) Header() http.Header {
	if rw.HeaderMap == nil {
		rw.HeaderMap = http.Header{}
	}
	return rw.HeaderMap
}

// WriteHeader keeps the status and the header as they are; it does so only once.
func (rw *ResponseRecorder) WriteHeader(code int) {
	switch {
	case rw.hasHead:
	case code < 100 || code > 999:
		panic(fmt.Sprintf("invalid WriteHeader code %v", code))
	default:
		rw.hasHead, rw.Code, rw.sent = true, code, rw.Header().Clone()
	}
}

// Write keeps a piece of the body. Before the first comes the header, with the content's type.
func (rw *ResponseRecorder) Write(buf []byte) (int, error) {
	if !rw.hasHead {
		h := rw.Header()
		if _, ok := h["Content-Type"]; !ok && h.Get("Transfer-Encoding") == "" {
			h.Set("Content-Type", http.DetectContentType(buf))
		}
		rw.WriteHeader(http.StatusOK)
	}
	if rw.Body != nil {
		rw.Body.Write(buf)
	}
	isEarly := 100 <= rw.Code && rw.Code < 200
	if isEarly || rw.Code == http.StatusNoContent || rw.Code == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	return len(buf), nil
}

// Flush sends the header if that has not been done.
func (rw *ResponseRecorder) Flush() {
	rw.WriteHeader(http.StatusOK)
	rw.Flushed = true
}

// WriteString keeps a piece of the body.
func (rw *ResponseRecorder) WriteString(str string) (int, error) { return rw.Write([]byte(str)) }

// Result is the answer as a client gets it.
func (rw *ResponseRecorder) Result() *http.Response {
	if rw.result == nil {
		if rw.sent == nil {
			rw.sent = rw.HeaderMap.Clone()
		}
		code := cmp.Or(rw.Code, http.StatusOK)
		rw.result = &http.Response{
			Status:     fmt.Sprintf("%03d %s", code, http.StatusText(code)),
			StatusCode: code,
			Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header:        rw.sent,
			Body:          rw.recorded(),
			ContentLength: rw.announcedLength(),
			Trailer:       rw.trailer(),
		}
	}
	return rw.result
}

func (rw *ResponseRecorder) recorded() io.ReadCloser {
	if rw.Body == nil {
		return http.NoBody
	}
	return io.NopCloser(bytes.NewReader(rw.Body.Bytes()))
}

// announcedLength is the one that the header has, and -1 if it has none that is a number.
func (rw *ResponseRecorder) announcedLength() int64 {
	text := textproto.TrimString(rw.sent.Get("Content-Length"))
	if n, err := strconv.ParseUint(text, 10, 63); err == nil {
		return int64(n)
	}
	return -1
}

// trailer has the fields that the handler has announced and those that it has marked with a prefix,
// with their values of now. It is nil if there is neither an announcement nor such a field.
func (rw *ResponseRecorder) trailer() http.Header {
	t := http.Header{}
	lists, isAnnounced := rw.sent["Trailer"]
	for name := range strings.SplitSeq(strings.Join(lists, ","), ",") {
		name = http.CanonicalHeaderKey(textproto.TrimString(name))
		if values, ok := rw.HeaderMap[name]; ok && http_isTrailer(name) {
			t[name] = append([]string{}, values...)
		}
	}
	for name, values := range rw.HeaderMap {
		if name, isMarked := strings.CutPrefix(name, http.TrailerPrefix); isMarked && len(values) > 0 {
			name = http.CanonicalHeaderKey(name)
			t[name] = append(t[name], values...)
		}
	}
	if len(t) == 0 && !isAnnounced {
		return nil
	}
	return t
}

func http_isTrailer(name string) bool

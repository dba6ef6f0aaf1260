// Package httptest is for tests of servers and clients.
package httptest

import (
	"bufio"
	"bytes"
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

// NewRequest makes a request as a server gets it.
func NewRequest(method, target string, body io.Reader) *http.Request {
	return NewRequestWithContext(context.Background(), method, target, body)
}

func NewRequestWithContext(ctx context.Context, method, target string, body io.Reader) *http.Request {
	if method == "" {
		method = http.MethodGet
	}
	text := method + " " + target + " HTTP/1.0\r\n\r\n"
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		panic("invalid NewRequest arguments; " + err.Error())
	}
	r = r.WithContext(ctx)
	r.Proto, r.ProtoMinor, r.Close = "HTTP/1.1", 1, false
	if body != nil {
		r.ContentLength = -1
		switch b := body.(type) {
		case interface{ Len() int }:
			switch body.(type) {
			case *bytes.Buffer, *bytes.Reader, *strings.Reader:
				r.ContentLength = int64(b.Len())
			}
		}
		if body == http.NoBody {
			r.ContentLength = 0
		}
		closer, ok := body.(io.ReadCloser)
		if !ok {
			closer = io.NopCloser(body)
		}
		r.Body = closer
	}
	r.RemoteAddr = "192.0.2.1:1234"
	if r.Host == "" {
		r.Host = "example.com"
	}
	if strings.HasPrefix(target, "https://") {
		r.TLS = &tls.ConnectionState{
			Version: tls.VersionTLS12, HandshakeComplete: true, ServerName: r.Host,
		}
	}
	return r
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

func NewRecorder() *ResponseRecorder {
	return &ResponseRecorder{HeaderMap: make(http.Header), Body: new(bytes.Buffer), Code: http.StatusOK}
}

func (rw *ResponseRecorder) Header() http.Header {
	if rw.HeaderMap == nil {
		rw.HeaderMap = make(http.Header)
	}
	return rw.HeaderMap
}

func (rw *ResponseRecorder) WriteHeader(code int) {
	if rw.hasHead {
		return
	}
	if code < 100 || code > 999 {
		panic(fmt.Sprintf("invalid WriteHeader code %v", code))
	}
	rw.Code = code
	rw.hasHead = true
	rw.sent = rw.Header().Clone()
}

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
	if code := rw.Code; code/100 == 1 || code == http.StatusNoContent || code == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	return len(buf), nil
}

func (rw *ResponseRecorder) WriteString(str string) (int, error) { return rw.Write([]byte(str)) }

func (rw *ResponseRecorder) Flush() {
	rw.WriteHeader(http.StatusOK)
	rw.Flushed = true
}

// Result is the answer as a client gets it.
func (rw *ResponseRecorder) Result() *http.Response {
	if rw.result != nil {
		return rw.result
	}
	if rw.sent == nil {
		rw.sent = rw.HeaderMap.Clone()
	}
	r := &http.Response{
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		StatusCode: rw.Code, Header: rw.sent, Body: http.NoBody, ContentLength: -1,
	}
	rw.result = r
	if r.StatusCode == 0 {
		r.StatusCode = http.StatusOK
	}
	r.Status = fmt.Sprintf("%03d %s", r.StatusCode, http.StatusText(r.StatusCode))
	if rw.Body != nil {
		r.Body = io.NopCloser(bytes.NewReader(rw.Body.Bytes()))
	}
	if n, err := strconv.ParseUint(textproto.TrimString(rw.sent.Get("Content-Length")), 10, 63); err == nil {
		r.ContentLength = int64(n)
	}
	trailer := make(http.Header)
	lists, isAnnounced := rw.sent["Trailer"]
	for _, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			name = http.CanonicalHeaderKey(textproto.TrimString(name))
			if values, ok := rw.HeaderMap[name]; ok && http_isTrailer(name) {
				trailer[name] = append([]string{}, values...)
			}
		}
	}
	for name, values := range rw.HeaderMap {
		if name, ok := strings.CutPrefix(name, http.TrailerPrefix); ok {
			for _, v := range values {
				trailer.Add(name, v)
			}
		}
	}
	if isAnnounced || len(trailer) > 0 {
		r.Trailer = trailer
	}
	return r
}

func http_isTrailer(name string) bool

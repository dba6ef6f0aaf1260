// Package cgi: programs that answer HTTP requests, once each (RFC 3875), and a handler that starts
// them.
package cgi

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// Request is the request that this program was started for.
func Request() (*http.Request, error) {
	params := map[string]string{}
	for _, e := range os.Environ() {
		if name, value, ok := strings.Cut(e, "="); ok {
			params[name] = value
		}
	}
	r, err := RequestFromMap(params)
	if err == nil && r.ContentLength > 0 {
		r.Body = io.NopCloser(io.LimitReader(os.Stdin, r.ContentLength))
	}
	return r, err
}

// RequestFromMap makes a request, without its body, of the variables that CGI gives.
func RequestFromMap(params map[string]string) (*http.Request, error) {
	r := &http.Request{
		Method:  params["REQUEST_METHOD"],
		Proto:   params["SERVER_PROTOCOL"],
		Host:    params["HTTP_HOST"],
		Header:  http.Header{},
		Trailer: http.Header{},
		Close:   true,
	}
	if r.Method == "" {
		return nil, errors.New("cgi: no REQUEST_METHOD in environment")
	}
	if r.Proto == "INCLUDED" {
		// Apache's, for a page that another includes.
		r.ProtoMajor = 1
	} else {
		var ok bool
		if r.ProtoMajor, r.ProtoMinor, ok = http.ParseHTTPVersion(r.Proto); !ok {
			return nil, errors.New("cgi: invalid SERVER_PROTOCOL version")
		}
	}
	if length := params["CONTENT_LENGTH"]; length != "" {
		n, err := strconv.ParseInt(length, 10, 64)
		if err != nil {
			return nil, errors.New("cgi: bad CONTENT_LENGTH in environment: " + length)
		}
		r.ContentLength = n
	}
	if ct := params["CONTENT_TYPE"]; ct != "" {
		r.Header.Set("Content-Type", ct)
	}
	for name, value := range params {
		if field, ok := strings.CutPrefix(name, "HTTP_"); ok && field != "HOST" {
			r.Header.Add(strings.ReplaceAll(field, "_", "-"), value)
		}
	}
	uri := params["REQUEST_URI"]
	if uri == "" {
		uri = params["SCRIPT_NAME"] + params["PATH_INFO"]
		if query := params["QUERY_STRING"]; query != "" {
			uri += "?" + query
		}
	}
	whole, what := uri, "REQUEST_URI"
	switch params["HTTPS"] {
	case "on", "ON", "1":
		r.TLS = &tls.ConnectionState{HandshakeComplete: true}
	}
	if r.Host != "" {
		what = "host and REQUEST_URI"
		scheme := "http://"
		if r.TLS != nil {
			scheme = "https://"
		}
		whole = scheme + r.Host + uri
	}
	var err error
	if r.URL, err = url.Parse(whole); err != nil {
		return nil, errors.New("cgi: failed to parse " + what + " into a URL: " + whole)
	}
	port, _ := strconv.Atoi(params["REMOTE_PORT"])
	r.RemoteAddr = net.JoinHostPort(params["REMOTE_ADDR"], strconv.Itoa(port))
	return r, nil
}

// Serve answers the request that this program was started for. The handler is net/http's default
// mux if it is nil.
func Serve(handler http.Handler) error {
	r, err := Request()
	if err != nil {
		return err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	if handler == nil {
		handler = http.DefaultServeMux
	}
	w := &response{request: r, header: http.Header{}, out: bufio.NewWriter(os.Stdout)}
	handler.ServeHTTP(w, r)
	w.Write(nil)
	return w.out.Flush()
}

// A response writes what CGI wants: the header when the body begins, whose type it may have to
// guess.
type response struct {
	request *http.Request
	header  http.Header
	code    int // 0 before WriteHeader
	isBegun bool
	out     *bufio.Writer
}

func (w *response) Flush()              { w.out.Flush() }
func (w *response) Header() http.Header { return w.header }

func (w *response) WriteHeader(code int) {
	if w.code != 0 {
		const text = "CGI attempted to write header twice on request for %s"
		fmt.Fprintf(os.Stderr, text, w.request.URL)
		return
	}
	w.code = code
}

func (w *response) Write(p []byte) (int, error) {
	if w.code == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.isBegun {
		w.isBegun = true
		fmt.Fprintf(w.out, "Status: %d %s\r\n", w.code, http.StatusText(w.code))
		if _, ok := w.header["Content-Type"]; !ok {
			w.header.Set("Content-Type", http.DetectContentType(p))
		}
		w.header.Write(w.out)
		w.out.WriteString("\r\n")
		w.out.Flush()
	}
	return w.out.Write(p)
}
